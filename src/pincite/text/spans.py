"""Half-open arithmetic on spans."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable

from pincite.records import Span


def offsets(length: int) -> array[int]:
    """An empty array for offsets in a text of that length, no wider than they need."""
    return array("I" if length < 1 << 32 else "Q")


def merge(spans: Iterable[Span]) -> list[Span]:
    """The same code points as sorted spans that neither overlap nor touch; empty spans vanish."""
    merged: list[Span] = []
    for span in sorted(span for span in spans if span.end > span.start):
        if merged and span.start <= merged[-1].end:
            if span.end > merged[-1].end:
                merged[-1] = Span(merged[-1].start, span.end)
        else:
            merged.append(span)
    return merged


def trim(text: str, start: int, end: int) -> Span:
    """`text[start:end]` without the white space round it; empty, at its start, where it is nothing else."""
    words = text[start:end]
    kept = words.strip()
    left = start + len(words) - len(words.lstrip()) if kept else start
    return Span(left, left + len(kept))


def trimmed(spans: Iterable[Span], text: str) -> list[Span]:
    """The spans without the white space round them; what was nothing else vanishes."""
    return [kept for span in spans if (kept := trim(text, span.start, span.end))]


def blanked(text: str, spans: Iterable[Span], blank: str) -> str:
    """The text with a blank for each character of the spans, which are sorted and do not overlap."""
    pieces: list[str] = []
    done = 0
    for span in spans:
        pieces += (text[done : span.start], blank * (span.end - span.start))
        done = span.end
    return "".join((*pieces, text[done:]))


class SpanIndex:
    """Answers in logarithmic time whether any of a set of spans covers part of a place."""

    __slots__ = ("_ends", "_starts", "spans")

    def __init__(self, spans: Iterable[Span]) -> None:
        self.spans = merge(spans)
        self._starts = [span.start for span in self.spans]
        self._ends = [span.end for span in self.spans]

    def __bool__(self) -> bool:
        return bool(self.spans)

    def covers(self, offset: int) -> bool:
        """Whether the code point at `offset` lies in one of the spans."""
        return self.overlaps(offset, offset + 1)

    def overlaps(self, start: int, end: int) -> bool:
        """Whether any code point of `[start, end)` lies in one of the spans."""
        if end <= start:
            return False
        at = bisect_right(self._starts, end - 1) - 1
        return at >= 0 and self._ends[at] > start
