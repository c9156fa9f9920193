"""The examples of docs/imports.md print what the page says they print."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from console_examples import read_page, run_examples, timeless, write_files

from pincite.datasets import IMPORTS, import_answers
from pincite.errors import InputError

PAGE = Path(__file__).parents[2] / "docs" / "imports.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_examples_print_what_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    examples = re.findall(r"```python\n(.+?)```\n\n```text\n(.*?)```", TEXT, re.DOTALL)
    assert len(examples) == 5
    for code, expected in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(PAGE), "exec"), names)
        assert printed.getvalue() == expected


@pytest.mark.thorough
def test_the_commands_print_what_the_page_says(tmp_path: Path) -> None:
    page = read_page(TEXT)
    write_files(page, tmp_path)
    assert len(page.examples) >= 7
    for expected, real in zip(page.examples, run_examples(page, tmp_path), strict=True):
        assert timeless(real.printed) == timeless(expected.printed), expected.command


def test_the_page_names_every_kind_and_every_field_of_a_mapping(tmp_path):
    (tmp_path / "rows.jsonl").write_text("{}\n")
    with pytest.raises(InputError, match="it may have") as refused:
        list(import_answers("jsonl", tmp_path / "rows.jsonl", mapping={"no such field": "x"}))
    fields = str(refused.value).partition("it may have ")[2].split(", ")
    assert len(fields) == 17
    for name in (*IMPORTS, *fields):
        assert f"`{name}`" in TEXT, name
