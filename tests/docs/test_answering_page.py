"""The commands of docs/answering.md print what the page says they print."""

from __future__ import annotations

from pathlib import Path

import pytest
from console_examples import read_page, run_examples, write_files

PAGE = Path(__file__).parents[2] / "docs" / "answering.md"


@pytest.mark.thorough
@pytest.mark.timeout(600)  # nine processes, each of which loads the judge
def test_every_command_prints_what_the_page_says(tmp_path: Path) -> None:
    page = read_page(PAGE.read_text(encoding="utf-8"))
    write_files(page, tmp_path)
    assert len(page.examples) == 9
    for expected, real in zip(page.examples, run_examples(page, tmp_path), strict=True):
        assert real == expected, expected.command
