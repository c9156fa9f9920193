"""Pipes and endless devices under the names of files: every command ends, and says which one it was."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from pincite.cli import main

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")

ANSWER = "Revenue grew by 21% [r.txt:0-19].\n"
EVAL = ("eval", "sample", "--answers", "sample:a", "-m", "hit@1", "--set", "evaluation.resamples=100")
NO_STORE = (*EVAL, "--store", "none")
COMMANDS = [
    ("check", "a.md", "--config", "no.toml"),
    ("check", "a.md", "--config", "no"),
    ("check", "a.md", "--baseline", "no.json"),
    ("check", "a.md", "--set", "calibration=no.json"),
    ("check", "no.md"),
    ("check", "no.jsonl"),
    ("check", "no.json", "--from", "anthropic"),
    ("hook", "no.md"),
    ("trust", "no.toml"),
    ("parse", "no.md"),
    ("sources", "no.txt"),
    ("verify", "no.json", "-s", "r.txt"),
    ("bibliography", "no.json"),
    ("bibliography", "no.bib"),
    ("bibliography", "saved.json", "-m", "no.bib"),
    ("answer", "no.jsonl", "-s", "r.txt", "-o", "out.jsonl"),
    ("answer", "Why?", "-s", "r.txt", "--model", "llama:no.gguf"),
    *(("data", "check", f"no{ending}") for ending in (".eval.json", ".jsonl", ".yaml", ".parquet", ".h5")),
    ("data", "check", "no.json.gz"),
    ("data", "check", "no.eval.json"),
    *(("data", "convert", f"no{ending}", "out.eval.json") for ending in (".csv", ".yaml", ".json")),
    *(
        ("data", "convert", "no.json", "out.eval.json", "--from", name)
        for name in ("jsonl", "ragas", "alce", "hagrid", "langsmith", "deepeval", "trec", "beir")
    ),
    ("data", "labels", "no.json"),
    ("data", "merge", "sample", "no.gt.json"),
    ("agreement", "no.gt.json"),
    ("annotate", "sample", "--as", "me", "--guidelines", "no.md"),
    ("annotate", "sample", "--as", "me", "--pairs", "no.jsonl"),
    ("annotate", "sample", "--as", "me", "--answers", "no.jsonl"),
    ("eval", "no.eval.json", "--target", "answer", "--store", "none"),
    *(
        ("eval", "sample", "--answers", f"no{ending}", "--store", "none")
        for ending in (".jsonl", ".json", ".csv", ".parquet")
    ),
    ("eval", "--traces", "no.jsonl", "--store", "none"),
    (*NO_STORE, "--baseline", "no.results.json"),
    (*NO_STORE, "--baseline", "no.json"),
    (*NO_STORE, "--labels", "no.jsonl"),
    ("eval", "sample", "--target", "http://127.0.0.1:9/", "--request-body", "no.json", "--store", "none"),
    ("runs", "show", "no.results.json"),
    ("runs", "compare", "no.results.json", "no.results.json"),
    ("runs", "merge", "no.journal"),
    ("runs", "list", "--store", "no.sqlite"),
    ("judge", "score", "no.jsonl"),
    ("judge", "calibrate", "no.jsonl"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text(ANSWER)
    (tmp_path / "r.txt").write_text("Revenue grew by 21%.\n")
    (tmp_path / "saved.json").write_text('{"answer": "x", "references": []}')
    return tmp_path


@pytest.mark.parametrize("kind", ["pipe", "endless"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_ends_and_names_what_is_no_file(
    folder: Path, command: Sequence[str], kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word.removeprefix("llama:").removeprefix("calibration=") for word in command]
    named = next(word for word in words if word.startswith("no"))
    if kind == "pipe":
        os.mkfifo(folder / named)
    else:
        (folder / named).symlink_to("/dev/zero")
    code = main(command)
    _, err = capsys.readouterr()
    assert code == 2
    assert "Traceback" not in err and "bug in Pincite" not in err


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs /dev/fd")
def test_settings_and_rows_may_come_from_a_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.md").write_text("Revenue grew by 12% [r.txt:0-19].\n")
    for command, text in (
        (("check", "a.md", "-s", "r.txt", "--config"), b"ignore: [PIN2]\n"),
        (("judge", "score"), b'{"claim": "It grew.", "evidence": "It grew."}\n'),
    ):
        ours, theirs = os.pipe()
        os.write(theirs, text)
        os.close(theirs)
        assert main([*command, f"/dev/fd/{ours}"]) == 0, capsys.readouterr()
        os.close(ours)


def test_a_configuration_that_is_a_device_or_a_pipe_is_not_found(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / "pincite.toml").symlink_to("/dev/zero")
    os.mkfifo(folder / "pyproject.toml")
    assert main(["check", "a.md", "-s", "r.txt"]) == 0
