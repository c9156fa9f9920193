"""The words of an answer that belong to a path citation: where its value should be.

A value mostly stands before its marker (`the premium is $1,200 [quote.premium]`), sometimes after it (`the
premium [quote.premium] is $1,200`). Words between two markers belong to one of them, so that swapped values
are seen; markers side by side share theirs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from pincite.records import Citation

_SIDE_BY_SIDE = re.compile(r"[\s,;/&]*(?:and\s+)?\Z")
_SENTENCE_END = re.compile(r"[.!?](?=\s|\Z)|\n")
_CLOSED = re.compile(r"[.!?][ ]{0,8}\Z")


class MarkerPlace(Struct, frozen=True):
    """The text before and after a marker, as far as it belongs to that marker."""

    before: str
    after: str
    alone: bool
    """No other marker is in the sentence, so that the words after it can only be its own."""
    clause: str
    """The part of `before` in the marker's own sentence, and `after` with it."""
    sentence: int
    """Markers with the same number are in one sentence."""


def find_places(text: str, citations: Sequence[Citation], window: int) -> list[MarkerPlace]:
    """A place for each citation, in order. No place reaches further than `window` characters."""
    groups = _groups(text, citations)
    starts = [group[0].start for group in groups] + [len(text)]
    ends = [0] + [group[-1].end for group in groups]
    closed = [_CLOSED.search(text, max(0, start - 9), start) is not None for start in starts]
    # Whether a sentence ends between a group and the one before it: a full stop right before a marker
    # closes the marker's own sentence.
    anew = [
        number == 0 or _ends_between(text, ends[number], starts[number], closed[number])
        for number in range(len(groups))
    ]
    places: list[MarkerPlace] = []
    sentence = 0
    for number, group in enumerate(groups):
        sentence += anew[number]
        followed = number + 1 < len(groups) and not anew[number + 1]
        begin = ends[number]
        if number and anew[number] and not closed[number - 1]:
            begin = _rest_of_sentence(text, begin, starts[number])
        before = _before(text, begin, starts[number], window)
        # After a full stop a marker belongs to the sentence before it, and what follows is another one.
        after = "" if closed[number] else _after(text, ends[number + 1], starts[number + 1], window)
        clause = f"{_last_sentence(before)} {after}"
        place = MarkerPlace(before, after, anew[number] and not followed, clause, sentence)
        places += [place] * len(group)
    return places


def _ends_between(text: str, begin: int, end: int, closed: bool) -> bool:
    found = _SENTENCE_END.search(text, begin, end)
    if found is None or not closed:
        return found is not None
    return found.end() < begin + len(text[begin:end].rstrip())


def _rest_of_sentence(text: str, begin: int, end: int) -> int:
    """Where the sentence of the marker before has ended: what follows that marker in it is that one's own."""
    found = _SENTENCE_END.search(text, begin, end)
    return found.end() if found else begin


def _before(text: str, begin: int, end: int, window: int) -> str:
    return text[_whole_word_from(text, max(begin, end - window), end) : end]


def _after(text: str, begin: int, end: int, window: int) -> str:
    stop = _SENTENCE_END.search(text, begin, min(end, begin + window + 1))
    last = stop.start() if stop else min(end, begin + window)
    return text[begin : _whole_word_to(text, begin, last)]


def _last_sentence(before: str) -> str:
    """The words since the last sentence ended; where it ended with the text, that sentence itself."""
    ends = [found.end() for found in _SENTENCE_END.finditer(before.rstrip(" ")[:-1])]
    return before[ends[-1] :] if ends else before


def _groups(text: str, citations: Sequence[Citation]) -> list[list[Citation]]:
    groups: list[list[Citation]] = []
    for citation in citations:
        if groups:
            gap = text[groups[-1][-1].end : citation.start]
            if len(gap) < 8 and _SIDE_BY_SIDE.match(gap):
                groups[-1].append(citation)
                continue
        groups.append([citation])
    return groups


def _whole_word_from(text: str, begin: int, end: int) -> int:
    """Where the first whole word begins: `$1,200` must not be read as 200."""
    if begin == 0 or text[begin - 1].isspace() or text[begin - 1] == "]":
        return begin
    while begin < end and not text[begin].isspace():
        begin += 1
    return begin


def _whole_word_to(text: str, begin: int, end: int) -> int:
    if end >= len(text) or text[end].isspace() or text[end] in "[.!?":
        return end
    while end > begin and not text[end - 1].isspace():
        end -= 1
    return end
