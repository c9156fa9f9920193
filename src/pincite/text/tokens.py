"""Words, digit runs and signs of a text with their offsets: what the number reader walks over."""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(r"(\d++(?:[.,]\d++)*+)|([^\W\d_]++(?:['’][^\W\d_]++)*+)|([^\w\s]|_)")

NUMBER, WORD, SIGN, END = 1, 2, 3, 0


class Token(NamedTuple):
    """One token; `kind` is NUMBER, WORD, SIGN, or END for what stands outside the text."""

    kind: int
    text: str
    lower: str
    start: int
    end: int


NOTHING = Token(END, "", "", -1, -1)


class Tokens:
    """The tokens of a text. Reading outside it gives `NOTHING`, so that no reader needs to check bounds."""

    __slots__ = ("items", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.items = [
            Token(match.lastindex or 0, word, word.lower(), match.start(), match.end())
            for match in _TOKEN.finditer(text)
            for word in (match.group(),)
        ]

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> Token:
        return self.items[index] if 0 <= index < len(self.items) else NOTHING

    def joined(self, index: int) -> bool:
        """True when nothing stands between this token and the one before it."""
        return 0 < index < len(self.items) and self.items[index - 1].end == self.items[index].start
