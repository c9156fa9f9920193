from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "span-metrics.md"


def test_the_example_on_the_page_prints_what_the_page_says():
    text = PAGE.read_text(encoding="utf-8")
    found = re.search(r"```python\n([^`]+)```\n\n```text\n([^`]+)```", text)
    assert found is not None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(found[1], str(PAGE), "exec"), {})
    assert printed.getvalue() == found[2]
