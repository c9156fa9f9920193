"""What the commands print over the shipped examples, word for word, so that a change shows what it changes.

`CAPTURE=1 pytest tests/captured` writes the files of `outputs/` again; read their diff before committing it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import pincite
from pincite.cli import main
from pincite.reports import FORMATS

ROOT = Path(__file__).parents[2]
OUTPUTS = Path(__file__).parent / "outputs"
DEMO = ("demo.md", "--sources", "demo")
CHECK = ("check", *DEMO)
EVAL = ("eval", "sample", "--judge", "rules", "--set", "evaluation.workers=1", "--limit", "6")
MEASURE = (*EVAL, "--store", "none")
"""Leaves no run behind, so that no output depends on which commands came before."""

HOSTILE = [
    "",
    "\ufeff",
    "[" * 300 + "1" + "]" * 300,
    "Text [](a.txt) [x](javascript:alert(1)) <script>alert(1)</script> [a.txt:0-4].",
    "\u202eOverride\u202c and \u200bzero\u200b width [a.txt:0-9].",
    "\x1b[31mred\x1b[0m \x07bell [a.txt].\r\nNext\rline [b.txt:1].",
    "=cmd|' /C calc'!A0 [a.txt:0-1].",
    "::error file=a.txt::forged [a.txt].\n##vso[task.complete]",
    "```\n[a.txt:0-9]\n```\nCode is no claim `[a.txt]`.",
    "Half a pair \ud800 of a character [a.txt:0-3].",
    "Where [a.txt:9-3], [a.txt:0-0], [a.txt:1:0-99999999999999999999], [a.txt:-1].",
    "Paths [../../etc/passwd:0-4] [/etc/passwd] [C:\\secret.txt] [file:///etc/passwd].",
    "It holds 1,100 [1][2][99], 【3†source】, ^1, ¹² and [1-3,7].\n\n[1]: a.txt\n[2] b.txt",
    '| a | b |\n|---|---|\n| 1100 [a.txt] | "nobody wrote this sentence anywhere" [b.txt] |',
    "“The hall seats 1100 people” [a.txt:0-27]. The hall seats 1010 people [a.txt]. The hall has no roof.",
    "根据报告，大厅可容纳1100人[a.txt]。屋顶是2010年修的[b.txt:0-10]。",
]
SOURCES = {
    "a.txt": "The hall seats 1100 people. It was built in 1957 by the town.\fThe roof was renewed in 2010.",
    "b.txt": "No visitor may enter without a badge. Refunds are paid within 14 days.",
}

COMMANDS: dict[str, tuple[str, ...]] = {
    **{f"check-{kind}": (*CHECK, "--output-format", kind) for kind in FORMATS},
    "check-rules": (*CHECK, "--judge", "rules"),
    "check-verbose": (*CHECK, "--verbose", "--statistics"),
    "check-diff": (*CHECK, "--diff", "--unsafe-fixes"),
    "check-dry-run": (*CHECK, "--dry-run"),
    "check-explain": (*CHECK, "--explain", "PIN203"),
    "parse": ("parse", "demo.md"),
    "sources": ("sources", "demo"),
    "locate": ("locate", "Operating profit was £5.1 million", "--sources", "demo"),
    "answer": ("answer", "When does the last ferry leave?", "--sources", "town"),
    "eval-text": (*MEASURE, "--answers", "sample:a", "--name", "a"),
    "eval-json": (*MEASURE, "--answers", "sample:a", "--name", "a", "--output-format", "json"),
    "eval-default-judge": (*MEASURE, "--answers", "sample:b", "--name", "b", "--judge", "entailment"),
    "runs-show": ("runs", "show", "a"),
    "runs-show-html": ("runs", "show", "a", "--output-format", "html"),
    "runs-compare": ("runs", "compare", "a", "b"),
    "runs-compare-html": ("runs", "compare", "a", "b", "--output-format", "html"),
    "runs-report": ("runs", "report", "a"),
    "data-check": ("data", "check", "sample"),
    "explain": ("explain", "PIN205"),
}


def timeless(text: str) -> str:
    """Without what differs each time or from machine to machine, and without a page's pictures and code."""
    text = re.sub(r"data:[a-z]+/[a-z0-9.+-]+;base64,[A-Za-z0-9+/=]+", "data:BYTES", text)
    text = re.sub(r"eval_run_\d{8}_\d+", "eval_run_DAY_NUMBER", text)
    text = re.sub(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|\+00:00| UTC)?", "MOMENT", text)
    text = re.sub(r'("(?:seconds|duration\w*|started\w*|elapsed\w*)": ?)[\d.]+', r"\1 0", text)
    text = re.sub(r'(\btime=")[\d.]+"', r'\g<1>0"', text)
    text = re.sub(r'("total_evaluation_time_seconds": )[\d.]+', r"\g<1>0", text)
    text = re.sub(r'("(?:memory_mb|cpu_percent|evaluation_environment)": \{)[^}]*\}', r"\1…}", text)
    text = re.sub(r"\d\.\d{7,}", lambda found: f"{float(found[0]):.6f}", text)
    text = re.sub(r"(<dd>)\d+\.\d s(</dd>)", r"\1T s\2", text)
    text = re.sub(r"(<(style|script)>).*?(</\2>)", r"\1…\3", text, flags=re.S)
    return re.sub(r"^(\s*)\d+\.\d s, latency", r"\1T s, latency", text, flags=re.M)


def hold(name: str, printed: str) -> None:
    path = OUTPUTS / f"{name}.txt"
    if os.environ.get("CAPTURE"):
        path.write_text(printed, encoding="utf-8", errors="backslashreplace", newline="")
    kept = path.read_bytes().decode("utf-8")
    assert printed.encode("utf-8", "backslashreplace").decode("utf-8") == kept


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples, and a history with a run of each recorded system."""
    place = tmp_path_factory.mktemp("captured")
    shutil.copytree(ROOT / "examples" / "demo" / "sources", place / "demo")
    shutil.copytree(ROOT / "examples" / "town", place / "town")
    shutil.copy(ROOT / "examples" / "demo" / "answer.md", place / "demo.md")
    (place / "pincite.toml").write_text("")
    for name, text in SOURCES.items():
        (place / name).write_text(text, encoding="utf-8")
    here = Path.cwd()
    os.chdir(place)
    try:
        for name in ("a", "b"):
            main([*EVAL, "--answers", f"sample:{name}", "--name", name, "--quiet"])
    finally:
        os.chdir(here)
    return place


@pytest.fixture(autouse=True)
def in_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TZ", "UTC")
    for name in ("FORCE_COLOR", "NO_COLOR", "CI", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_prints_what_was_captured(
    name: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = ended(lambda: main(list(COMMANDS[name])))
    printed = capfd.readouterr()
    text = f"exit {code}\n{printed.out}" + (f"\n-- stderr\n{printed.err}" if printed.err else "")
    hold(name, timeless(text.replace(str(folder), "FOLDER")))


def ended(run: Callable[[], int | None]) -> int:
    try:
        return run() or 0
    except SystemExit as stop:
        return int(stop.code or 0)


def test_hostile_answers_get_what_was_captured() -> None:
    reports = [pincite.check(text, {**SOURCES}) for text in HOSTILE]
    found = [
        {
            "answer": text,
            "score": report.summary.score,
            "findings": [
                f"{one.code} {one.severity} {one.start}-{one.end} {one.message}" for one in report.findings
            ],
        }
        for text, report in zip(HOSTILE, reports, strict=True)
    ]
    hold("hostile", json.dumps(found, indent=1))
