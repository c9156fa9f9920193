"""A text cut into pieces at the edges of what is marked in it, so that a page can show every mark.

Marks may overlap in any way. The pieces, joined, are the text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

M = TypeVar("M")


class TextMark(Struct, Generic[M], frozen=True):
    """What `text[start:end]` is marked with."""

    start: int
    end: int
    value: M


class Piece(Struct, Generic[M], frozen=True):
    """A stretch of the text inside the same marks throughout, the outermost first."""

    start: int
    end: int
    text: str
    marks: tuple[M, ...] = ()
    begins: tuple[M, ...] = ()
    """Those of the marks that begin here, and empty ones that stand here."""
    ends: tuple[M, ...] = ()


class Gap(Struct, frozen=True):
    """A stretch that is not shown."""

    start: int
    end: int

    @property
    def characters(self) -> int:
        return self.end - self.start


def cut(text: str, marks: Iterable[TextMark[M]]) -> list[Piece[M]]:
    """The whole text in pieces. A mark that reaches beyond the text is cut off there."""
    inside = (TextMark(max(0, one.start), min(len(text), one.end), one.value) for one in marks)
    kept = sorted((one for one in inside if one.start <= one.end), key=lambda one: (one.start, -one.end))
    edges = sorted({0, len(text), *(one.start for one in kept), *(one.end for one in kept)})
    pieces: list[Piece[M]] = []
    active: list[TextMark[M]] = []
    place = 0
    for start, end in zip(edges, [*edges[1:], len(text)], strict=True):
        active = [one for one in active if one.end > start]
        begins = []
        while place < len(kept) and kept[place].start == start:
            begins.append(kept[place].value)
            if kept[place].end > start:
                active.append(kept[place])
            place += 1
        if start < end or begins:
            around = tuple(one.value for one in active)
            ends = tuple(one.value for one in active if one.end == end)
            pieces.append(Piece(start, end, text[start:end], around, tuple(begins), ends))
    return pieces


def keep_near(
    pieces: Sequence[Piece[M]], places: Iterable[tuple[int, int]], around: int
) -> list[Piece[M] | Gap]:
    """Only what lies within `around` characters of one of the places; the rest as gaps."""
    windows: list[tuple[int, int]] = []
    for start, end in sorted(places):
        low, high = max(0, start - around), end + around
        if windows and low <= windows[-1][1]:
            windows[-1] = (windows[-1][0], max(high, windows[-1][1]))
        else:
            windows.append((low, high))
    starts = [low for low, _ in windows]
    shown: list[Piece[M] | Gap] = []
    for piece in pieces:
        at = piece.start
        for low, high in windows[max(0, bisect_left(starts, piece.start) - 1) :]:
            if low > piece.end or at > piece.end:
                break
            first, last = max(at, low), min(piece.end, high)
            if first > last or (first == last and piece.start < piece.end):
                continue
            _skip(shown, at, first)
            whole = first == piece.start and last == piece.end
            shown.append(piece if whole else _part(piece, first, last))
            at = last
        _skip(shown, at, piece.end)
    return shown


def _part(piece: Piece[M], first: int, last: int) -> Piece[M]:
    text = piece.text[first - piece.start : last - piece.start]
    begins = piece.begins if first == piece.start else ()
    return Piece(first, last, text, piece.marks, begins, piece.ends if last == piece.end else ())


def _skip(shown: list[Piece[M] | Gap], start: int, end: int) -> None:
    if start >= end:
        return
    if shown and isinstance(shown[-1], Gap):
        shown[-1] = Gap(shown[-1].start, end)
    else:
        shown.append(Gap(start, end))
