"""The examples of docs/sources.md print what the page says they print."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "sources.md"


def test_every_example_prints_what_the_page_says() -> None:
    names: dict[str, object] = {}
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 4
    for block in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, str(PAGE), "exec"), names)
        expected = [line.removeprefix("# ") for line in block.splitlines() if line.startswith("# ")]
        assert printed.getvalue().splitlines() == expected
