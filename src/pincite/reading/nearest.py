"""The claim that a citation without a marker is about: the one with which its evidence shares the most words.

A system may hand over its citations beside the answer, as a list. No judge is asked which claim one belongs
to: to pick the claim that a judge likes best would measure the picking, and the same answer must be read
alike whoever judges it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from pincite.records import Citation, Claim, Evidence
from pincite.sources import Library
from pincite.text import find_terms, term_weights

MOST_CHARACTERS = 200_000
"""So much of a long cited stretch is read for its words."""


class NearestClaims:
    """The claims of an answer by their words, rare words counting for more."""

    def __init__(self, claims: Sequence[Claim], library: Library) -> None:
        self._claims = claims
        self._library = library
        self._known: dict[tuple[Any, ...], tuple[int, ...]] = {}

    def find(self, evidence: Evidence, citation: Citation) -> tuple[int, ...]:
        """The claim that shares most with the evidence, the first of equals; none where there is no text.

        Where no word is shared, the first claim is taken, and it is for the judge to say what that is worth.
        """
        if not self._claims:
            return ()
        places = tuple((found.document, found.start, found.end) for found in evidence.passages)
        key = (places, citation.cited_text)
        if key not in self._known:
            text = self._cited_words(evidence, citation)
            self._known[key] = (self._best(text),) if text.strip() else ()
        return self._known[key]

    @cached_property
    def _weights(self) -> dict[str, float]:
        return term_weights(claim.text for claim in self._claims)

    @cached_property
    def _holding(self) -> dict[str, list[int]]:
        holding: dict[str, list[int]] = {}
        for index, claim in enumerate(self._claims):
            for stem in _stems(claim.text):
                holding.setdefault(stem, []).append(index)
        return holding

    def _best(self, text: str) -> int:
        shared = [0.0] * len(self._claims)
        for stem in sorted(_stems(text)):
            for index in self._holding.get(stem, ()):
                shared[index] += self._weights[stem]
        return max(range(len(shared)), key=lambda index: (round(shared[index], 9), -index))

    def _cited_words(self, evidence: Evidence, citation: Citation) -> str:
        shown: list[str] = []
        for found in evidence.passages:
            source = self._library.get(found.document)
            end = min(found.end, found.start + MOST_CHARACTERS)
            shown.append(found.text if source is None else source.text[found.start : end])
        return "\n".join(shown) or citation.cited_text or ""


def _stems(text: str) -> set[str]:
    return {term.stem for term in find_terms(text) if not term.stop}
