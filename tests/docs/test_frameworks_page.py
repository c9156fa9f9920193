"""The examples of docs/frameworks.md print what the page says they print."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import msgspec

from pincite.integrations.outcome import CitationOutcome

PAGE = Path(__file__).parents[2] / "docs" / "frameworks.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_every_example_prints_what_the_page_says() -> None:
    names: dict[str, object] = {}
    blocks = re.findall(r"^```python\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    assert len(blocks) == 3
    for block in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, str(PAGE), "exec"), names)
        expected = [line.removeprefix("# ") for line in block.splitlines() if line.startswith("# ")]
        assert printed.getvalue().splitlines() == expected


def test_the_page_tells_of_every_field_of_a_row() -> None:
    table = TEXT.partition("| field of a row |")[2].partition("\n\n")[0]
    told = set(re.findall(r"`(\w+)`", "\n".join(line.split("|")[1] for line in table.splitlines()[2:])))
    assert told == {*(one.name for one in msgspec.structs.fields(CitationOutcome)), "value"}
