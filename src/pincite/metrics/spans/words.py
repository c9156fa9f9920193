"""Counts the words that a span touches."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping

from pincite.errors import InputError
from pincite.metrics.spans.records import Key, NotScorable, Place, Side, Sizes
from pincite.text import UNSPACED

# Where no spaces are written, each character counts as a word.
_WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]++")


class WordIndex:
    """The words of one text: runs of letters, digits and underscores."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for found in _WORD.finditer(text):
            self._starts.append(found.start())
            self._ends.append(found.end())

    def touched(self, start: int, end: int) -> tuple[int, int]:
        """The half-open range of words with at least one character in `text[start:end]`."""
        first = bisect_right(self._ends, start)
        return first, max(first, bisect_left(self._starts, end))


class TokenCounter:
    """Counts the words of spans, and notes in `notes` the spans for which it cannot."""

    def __init__(self, texts: Mapping[str, str], keys: Mapping[str, Key], notes: list[NotScorable]) -> None:
        self._names = {keys[name]: name for name in texts}
        self._texts = texts
        self._keys = keys
        self._notes = notes
        self._indexes: dict[str, WordIndex] = {}
        self.found_text = False

    def alone(self, span: Place, side: Side, position: int) -> int:
        """How many words an unmatched span touches."""
        index = self._index(span, side, position)
        if index is None:
            return 0
        first, last = index.touched(*_ends(span))
        if first == last:
            self._note(side, position, "no words in the span")
        return last - first

    def pair(self, true: Place, predicted: Place, position: int, tolerance: int) -> Sizes | None:
        """What a pair shares in words. `position` is that of the true span."""
        index = self._index(true, "true", position)
        if index is None:
            return None
        start, end = _ends(true)
        other_start, other_end = _ends(predicted)
        first, last = index.touched(start, end)
        other_first, other_last = index.touched(other_start, other_end)
        if first == last and other_first == other_last:
            self._note("true", position, "no words in either span of the pair")
            return None
        near_first, near_last = index.touched(
            start if abs(other_start - start) <= tolerance else other_start,
            end if abs(other_end - end) <= tolerance else other_end,
        )
        if near_first == near_last:
            # Between words nothing is left to forgive, and no tolerant figure may be below its exact one.
            near_first, near_last = other_first, other_last
        return Sizes(
            shared=max(0, min(last, other_last) - max(first, other_first)),
            true=last - first,
            predicted=other_last - other_first,
            tolerant_shared=max(0, min(last, near_last) - max(first, near_first)),
            tolerant_predicted=near_last - near_first,
        )

    def _index(self, span: Place, side: Side, position: int) -> WordIndex | None:
        name = span.document if span.document in self._texts else self._names.get(self._keys[span.document])
        if name is None:
            self._note(side, position, f"no text for document {span.document!r}")
            return None
        if name not in self._indexes:
            if not isinstance(self._texts[name], str):
                given = type(self._texts[name]).__name__
                raise InputError(f"the text of {name!r} is of type {given}: give the document's text")
            self._indexes[name] = WordIndex(self._texts[name])
        self.found_text = True
        return self._indexes[name]

    def _note(self, side: Side, position: int, reason: str) -> None:
        self._notes.append(NotScorable("tokens", side, position, reason))


def _ends(span: Place) -> tuple[int, int]:
    return span.start or 0, span.end or 0
