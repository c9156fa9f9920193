"""The example of docs/local-models.md prints what the page says it prints."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "local-models.md"


def test_the_example_prints_what_the_page_says() -> None:
    (block,) = re.findall(
        r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block, str(PAGE), "exec"), {})
    expected = [line.removeprefix("# ") for line in block.splitlines() if line.startswith("# ")]
    assert printed.getvalue().splitlines() == expected
