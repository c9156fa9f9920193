"""What the pages on statistics say is true."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from console_examples import read_page, run_examples, write_files

DOCS = Path(__file__).parents[2] / "docs"
TEXT = "\n".join((DOCS / name).read_text("utf-8") for name in ("statistics.md", "comparing-runs.md"))


def test_the_python_examples_print_what_the_page_says() -> None:
    examples = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", TEXT, re.S)
    assert len(examples) == 2
    for code, expected in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "statistics", "exec"), {})
        assert printed.getvalue() == expected


@pytest.mark.thorough
def test_the_commands_print_what_the_page_says(tmp_path: Path) -> None:
    page = read_page(TEXT)
    write_files(page, tmp_path)
    assert len(page.examples) >= 3
    for expected, real in zip(page.examples, run_examples(page, tmp_path), strict=True):
        assert real.printed.strip("\n") == expected.printed.strip("\n"), expected.command
