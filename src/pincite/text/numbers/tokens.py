"""Words, digit runs and signs of a text with their offsets: what the number reader walks over."""

from __future__ import annotations

import re

from msgspec import Struct

_TOKEN = re.compile(r"(\d++(?:[.,]\d++|['’]\d{3}(?!\d))*+)|([^\W\d_]++(?:['’][^\W\d_]++)*+)|([^\w\s]|_)")

_CELL_COMMA = re.compile(r",(?<=[^\W\d_],)(?=[^\s,])")
"""The comma comes first, so that the search runs from comma to comma."""
_COMMA = re.compile(r",(?! )")

NUMBER, WORD, SIGN, END = 1, 2, 3, 0


def is_cell_line(line: str) -> bool:
    """Whether a line is a row of comma-separated values: `Acme,$10M,50,2020`."""
    return _CELL_COMMA.search(line) is not None and len(_COMMA.findall(line)) > 1


def cells_apart(text: str) -> str:
    """The text, as long as before, with tabs for the commas between cells: 50 and 2020 are two numbers."""
    if not _CELL_COMMA.search(text):
        return text
    lines = text.split("\n")
    return "\n".join(_tabs(line) if is_cell_line(line) else line for line in lines)


def _tabs(line: str) -> str:
    """Commas inside double quotes belong to the cell."""
    parts = line.split('"')
    return '"'.join(part if place % 2 else _COMMA.sub("\t", part) for place, part in enumerate(parts))


class Token(Struct, gc=False):
    """One token; `kind` is NUMBER, WORD, SIGN, or END for what stands outside the text."""

    kind: int
    text: str
    lower: str
    start: int
    end: int


NOTHING = Token(END, "", "", -1, -2)
_PADDING = [NOTHING] * 16
"""Readers look a few tokens ahead and, by negative indices, behind: both land here, unchecked."""


class NumberTokens(list[Token]):
    """The tokens of a text, then some `NOTHING`. `real` is how many come before it.

    `source` is the text that offsets count in; `text` is what was read, as long, with addresses blanked.
    """

    __slots__ = ("real", "source", "text")

    def __init__(self, text: str, source: str | None = None) -> None:
        super().__init__(
            [
                Token(match.lastindex or 0, word, word.lower(), match.start(), match.end())
                for match in _TOKEN.finditer(text)
                for word in (match[0],)
            ]
        )
        self.text = text
        self.source = text if source is None else source
        self.real = len(self)
        self.extend(_PADDING)

    def joined(self, index: int) -> bool:
        """True when nothing stands between this token and the one before it."""
        return self[index - 1].end == self[index].start
