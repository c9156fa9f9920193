"""Where something is in a text, and how to show it: line, column, a window around it, an underline."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct

from pincite.reports.display import cells, cells_width, fitting

CUT = "…"


class ExcerptLines:
    r"""The lines of one text, counted from 1; only `\n` ends one, and a `\r` before it is not shown."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of an offset, both from 1, in code points."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def start(self, line: int) -> int:
        return self._starts[line - 1]

    def end(self, line: int) -> int:
        """Where the line ends, without what ends it."""
        end = self._starts[line] - 1 if line < len(self._starts) else len(self.text)
        return end - 1 if end > self.start(line) and self.text[end - 1] == "\r" else end


class Mark(Struct, frozen=True):
    """Characters to underline, and with what."""

    start: int
    end: int
    sign: str = "^"


class ShownPassage(Struct, frozen=True):
    """A line as it is printed, and what is printed below it (empty when nothing is marked)."""

    text: str
    underline: str


def show(text: str, marks: Sequence[Mark], columns: int) -> ShownPassage:
    """One line cropped to `columns` around its marks, and what underlines them."""
    return next(iter(wrap(text, marks, columns, 1)), ShownPassage("", ""))


def wrap(text: str, marks: Sequence[Mark], columns: int, most: int = 4) -> list[ShownPassage]:
    """A passage over at most `most` lines of `columns`, beginning near its first mark when it is long.

    An empty mark gets one sign, at its place or just behind the end.
    """
    columns = max(columns, 8)
    if any(mark.start >= len(text) for mark in marks):
        text += " "
    marks = [Mark(mark.start, max(mark.end, mark.start + 1), mark.sign) for mark in marks]
    start = _start(text, marks, columns, most)
    lines: list[ShownPassage] = []
    while start < len(text) and len(lines) < most:
        before = CUT if start and not lines else ""
        window = cells(text[start : start + columns])
        taken = max(len(fitting(window, columns - 1 - len(before))), 1)
        if start + taken < len(text) and most > 1:
            space = text.rfind(" ", start, start + taken + 1)
            if space > start:
                taken = space - start
        last = len(lines) == most - 1 and start + taken < len(text)
        shown = before + "".join(piece for piece, _ in window[:taken]) + (CUT if last else "")
        signs = _signs(marks, start, taken)
        below = " " * len(before) + "".join(
            sign * wide for sign, (_, wide) in zip(signs, window, strict=False)
        )
        lines.append(ShownPassage(shown.rstrip(), below.rstrip()))
        start += taken
        while start < len(text) and text[start] == " ":
            start += 1
    return lines


def _start(text: str, marks: Sequence[Mark], columns: int, most: int) -> int:
    """Where to begin, so that all marks can be seen, or the first where they are too far apart."""
    if not marks:
        return 0
    low, high = min(mark.start for mark in marks), max(mark.end for mark in marks)
    if high - low > columns * 2 // 3:
        low, high = marks[0].start, marks[0].end
    if most == 1:
        lead = min(columns // 4, max(0, columns - 2 - (high - low)))
        return 0 if cells_width(text[:high]) < columns - 1 else max(0, low - lead)
    if low <= columns * (most - 1) * 3 // 4:  # lines end between words, so they are seldom full
        return 0
    start = max(0, low - columns)
    space = text.rfind(" ", max(0, start - columns), start)
    return space + 1 if space >= 0 else start


def find_words(words: str | None, text: str, before: int | None = None) -> Mark | None:
    """Where `words` are in `text` as whole words: the last place before `before`, or the first of all."""
    if not words or not words.strip():
        return None
    words = words.strip()
    limit = len(text) if before is None else before
    at = text.find(words) if before is None else text.rfind(words, 0, limit)
    for _ in range(200):
        if at < 0:
            return None
        end = at + len(words)
        if not _glued(text, at) and not _glued(text, end):
            return Mark(at, end, "~")
        at = text.find(words, at + 1) if before is None else text.rfind(words, 0, end - 1)
    return None


def _glued(text: str, at: int) -> bool:
    """True when the place is in the middle of a word or a number."""
    if not 0 < at < len(text):
        return False
    left, right = text[at - 1], text[at]
    if left.isalnum() and right.isalnum():
        return True
    beyond = text[at + 1 : at + 2] if right in ".," else text[at - 2 : at - 1] if left in ".," else ""
    return beyond.isdigit() and (left.isdigit() or right.isdigit())


def _signs(marks: Sequence[Mark], start: int, count: int) -> list[str]:
    """The sign below each of `count` characters from `start` on; where marks overlap, that of the first."""
    signs = [" "] * count
    for mark in reversed(marks):
        low, high = max(mark.start - start, 0), min(mark.end - start, count)
        if low < high:
            signs[low:high] = [mark.sign] * (high - low)
    return signs
