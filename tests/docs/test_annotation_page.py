"""The page about annotation: its commands and its Python, in the order in which a reader runs them."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from console_examples import Page, read_page, run_examples

PAGE = Path(__file__).parents[2] / "docs" / "annotation.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_sample_is_annotated_decided_and_merged_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = read_page(TEXT)
    (code,) = re.findall(r"^```python\n(.*?)^```$", TEXT, re.M | re.S)
    before = [one.command for one in page.examples].index("echo $?") + 1
    printed = run_examples(Page(page.files, page.examples[:before]), tmp_path)
    monkeypatch.chdir(tmp_path)
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(code, str(PAGE), "exec"), {})
    assert told.getvalue() == "8 decided\n"
    printed += run_examples(Page(page.files, page.examples[before:]), tmp_path)
    for shown, real in zip(page.examples, printed, strict=True):
        assert real.printed.strip() == shown.printed.strip(), shown.command


def test_every_option_is_tabled() -> None:
    from pincite.cli.app import load_command

    parser = load_command("annotate").parser()
    named = [name for action in parser._actions for name in action.option_strings if len(name) > 2]
    inherited = ("--help", "--seed", "--config", "--trust-config")
    assert [name for name in named if name not in inherited and f"`{name}" not in TEXT] == []


def test_every_picture_is_there() -> None:
    for name in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", TEXT):
        assert (PAGE.parent / name).is_file()
