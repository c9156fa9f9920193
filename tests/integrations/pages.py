"""The examples of docs/integrations/, executed where their framework is installed."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

PAGES = Path(__file__).parents[2] / "docs" / "integrations"
_EXAMPLE = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.M | re.S)
_PYTHON = re.compile(r"^```python$", re.M)


def run_page(name: str, framework_prints: bool = False) -> dict[str, Any]:
    """Run a page's Python from top to bottom and compare what it prints; returns the names that it defined.

    Each block is followed by what it prints. A block that prints nothing would test nothing. Where the
    framework prints something of its own before that, such as a link, the page does not show it.
    """
    page = PAGES / f"{name}.md"
    text = page.read_text(encoding="utf-8")
    examples = _EXAMPLE.findall(text)
    assert examples
    assert len(examples) == len(_PYTHON.findall(text)), "every example says what it prints"
    names: dict[str, Any] = {"__name__": "__main__"}
    for code, expected in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(page), "exec"), names)
        said = printed.getvalue()
        same = said.endswith(f"\n{expected}") if framework_prints else said == expected
        assert same or said == expected, f"it prints\n{said}"
    return names
