"""Every command of the page about scale prints what the page says, but for the day and the seconds."""

from __future__ import annotations

from pathlib import Path

import pytest
from console_examples import read_page, run_examples, timeless, write_files

PAGE = Path(__file__).parents[2] / "docs" / "scale.md"


@pytest.mark.thorough
def test_the_commands_print_what_the_page_says(tmp_path: Path) -> None:
    page = read_page(PAGE.read_text(encoding="utf-8"))
    write_files(page, tmp_path)
    for shown, real in zip(page.examples, run_examples(page, tmp_path), strict=True):
        assert timeless(real.printed) == timeless(shown.printed), shown.command


def test_a_merged_run_says_on_the_page_what_the_whole_run_says() -> None:
    examples = read_page(PAGE.read_text(encoding="utf-8")).examples
    merged, whole = (one.printed.splitlines() for one in examples[2:4])
    table = [line for line in whole if line.startswith(("citation_correctness", "40 queries"))]
    assert len(table) == 2
    assert set(table) <= set(merged)
