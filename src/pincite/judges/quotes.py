"""Where the words that somebody quotes stand in a passage."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pincite.records import Passage, Span
from pincite.text import Normalised, normalise

_EDGES = " '….,;:"
"""What a model adds round a quotation, as normalised text has it."""

_MOST_PLACES = 100
"""How many places inside other words are passed over."""


def find_quote(quote: str, passages: Sequence[Passage], first: int | None = None) -> tuple[int, Span] | None:
    """A passage by its index, and where in it a quotation is; the one at `first` is read first.

    It is looked up exactly, and then in normalised text.
    """
    order = sorted(range(len(passages)), key=lambda index: index != first)
    exact = quote.strip()
    cleaned = normalise(exact, fold_case=True).text.strip(_EDGES)
    if not any(character.isalnum() for character in cleaned):
        return None
    for index in order:
        found = _find_words(passages[index].text, exact)
        if found is not None:
            return index, found
    for index in order:
        normal = _normalised(passages[index].text)
        found = _find_words(normal.text, cleaned)
        if found is not None:
            return index, normal.to_original(found.start, found.end)
    return None


@lru_cache(maxsize=64)
def _normalised(text: str) -> Normalised:
    return normalise(text, fold_case=True)


def _find_words(text: str, words: str) -> Span | None:
    """Where the words first are words of their own: `art` is not in `part`."""
    start = -1
    for _ in range(_MOST_PLACES):
        start = text.find(words, start + 1)
        if start == -1:
            return None
        end = start + len(words)
        opens = start == 0 or not (text[start - 1].isalnum() and text[start].isalnum())
        closes = end == len(text) or not (text[end].isalnum() and text[end - 1].isalnum())
        if opens and closes:
            return Span(start, end)
    return None
