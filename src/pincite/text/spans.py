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


def trimmed(spans: Iterable[Span], text: str) -> list[Span]:
    """The spans without the white space round them; what was nothing else vanishes."""
    found = []
    for span in spans:
        words = span.of(text)
        start = span.start + len(words) - len(words.lstrip())
        if words.strip():
            found.append(Span(start, start + len(words.strip())))
    return found


def overlap(first: Span, second: Span) -> int:
    """How many code points two spans share."""
    return max(0, min(first.end, second.end) - max(first.start, second.start))


class SpanIndex:
    """Answers in logarithmic time whether a set of spans covers or touches a place."""

    __slots__ = ("_ends", "_starts", "spans")

    def __init__(self, spans: Iterable[Span]) -> None:
        self.spans = merge(spans)
        self._starts = [span.start for span in self.spans]
        self._ends = [span.end for span in self.spans]

    def __bool__(self) -> bool:
        return bool(self.spans)

    def covers(self, offset: int) -> bool:
        """Whether the code point at `offset` lies in one of the spans."""
        at = bisect_right(self._starts, offset) - 1
        return at >= 0 and offset < self._ends[at]

    def overlaps(self, start: int, end: int) -> bool:
        """Whether any code point of `[start, end)` lies in one of the spans."""
        if end <= start:
            return False
        at = bisect_right(self._starts, end - 1) - 1
        return at >= 0 and self._ends[at] > start

    def at(self, offset: int) -> Span | None:
        """The merged span that covers `offset`, if there is one."""
        place = bisect_right(self._starts, offset) - 1
        if place >= 0 and offset < self._ends[place]:
            return self.spans[place]
        return None
