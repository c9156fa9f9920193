"""Terminal colours, or none."""

from __future__ import annotations

_CODES = {
    "bold": "1",
    "faint": "2",
    "error": "1;31",
    "warning": "1;33",
    "note": "1;36",
    "safe": "32",
    "old": "31",
    "new": "32",
}


class Paint:
    """`paint(text, "error")` colours a text when colours are on, and leaves it alone when they are not."""

    def __init__(self, on: bool) -> None:
        self._on = on

    def __call__(self, text: str, style: str) -> str:
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self._on and text else text
