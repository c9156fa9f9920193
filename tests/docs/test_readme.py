"""The README's examples print what it says, and the listed commands run."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from console_examples import read_page, run_examples, timeless, write_files

from pincite import open_sources

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_examples_are_true(tmp_path: Path) -> None:
    page = read_page(README)
    assert len(page.examples) >= 5
    write_files(page, tmp_path)
    shutil.copytree(ROOT / "examples" / "town", tmp_path / "examples" / "town")
    for expected, real in zip(page.examples, run_examples(page, tmp_path), strict=True):
        assert timeless(real.printed) == timeless(expected.printed), expected.command


def test_it_is_short() -> None:
    assert len(README.split()) <= 1000


def listed_commands() -> list[str]:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```\n(pincite check answers.*?)^```$", page, re.M | re.S)
    return [line.partition("  #")[0].rstrip() for line in block.splitlines()]


@pytest.mark.thorough
@pytest.mark.parametrize("command", listed_commands())
def test_every_listed_command_runs(command: str, tmp_path: Path) -> None:
    page = read_page(README)
    write_files(page, tmp_path)
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "one.md").write_text(page.files["answer.md"])
    (tmp_path / "report.pdf").write_bytes((ROOT / "examples/demo/sources/report.pdf").read_bytes())
    citation = {
        "type": "char_location",
        "cited_text": "Revenue grew by 21% in the first quarter.",
        "document_index": 0,
        "document_title": "report.txt",
        "start_char_index": 0,
        "end_char_index": 41,
    }
    block = {"type": "text", "text": "Revenue grew by 21%.", "citations": [citation]}
    reply = {"type": "message", "role": "assistant", "content": [block], "stop_reason": "end_turn"}
    (tmp_path / "reply.json").write_text(json.dumps(reply))
    rows = [
        {
            "claim": f"Team {place} won {wins} games.",
            "evidence": f"Team {place} won 3 games.",
            "label": wins == 3,
        }
        for place in range(12)
        for wins in (3, 4)
    ]
    for name in ("rows.jsonl", "labelled.jsonl"):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            *(word for part in shlex.split(command) for word in _expanded(part, tmp_path)),
        ],
        cwd=tmp_path,
        input="The group sold 61,400 bicycles [report.pdf:1:229-303].",
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode in (0, 1), ran.stderr
    assert ran.stdout


def _expanded(word: str, folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in folder.glob(word)] if "*" in word else [word]


def test_both_commands_for_a_newcomer_are_named() -> None:
    assert "make demo" in README
    assert "make test" in README


def test_the_pages_made_from_the_code_are_up_to_date() -> None:
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        import build
    finally:
        sys.path.pop(0)
    for name, write in build.PAGES.items():
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == write(), f"{name}: run make docs"


def test_the_folder_of_pdfs_is_what_its_script_builds(tmp_path: Path) -> None:
    script = runpy.run_path(str(ROOT / "examples" / "town" / "build.py"))
    for name in script["NAMES"]:
        markdown = (script["DOCUMENTS"] / f"{name}.md").read_text(encoding="utf-8")
        script["write_pdf"](markdown, tmp_path / f"{name}.pdf")
    built, kept = open_sources(tmp_path), open_sources(ROOT / "examples" / "town")
    texts = {source.name: source.text for source in built.sources}
    assert texts == {source.name: source.text for source in kept.sources if source.name.endswith(".pdf")}
