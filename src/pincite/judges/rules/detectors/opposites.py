"""A word of the claim whose opposite is among the same words of the source."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.judges.rules.detectors.negation import SAME_NEGATION, polarity
from pincite.judges.rules.observation import Observation, against
from pincite.judges.rules.reading import ReadText, Sentence, kept
from pincite.judges.rules.view import View
from pincite.judges.rules.vocabulary import OPPOSITE, is_held, kin
from pincite.text.terms import Term

WEIGHT = 1.6
"""Opposites stand in the wrong place more often than negations, quantifiers and names do."""
COVERED = 0.45
"""In a sentence that holds less of the claim, an opposite speaks of something else."""


def find_opposite(view: View, sentence: Sentence) -> list[Observation]:
    """`rose` against `fell`, unless a negation on one side makes up for it."""
    found: list[Observation] = []
    if sentence.covered < COVERED:
        return found
    claim, terms, stems = view.claim, sentence.read.terms, sentence.read.stems
    for index, opposites in _with_opposites(claim):
        term = claim.terms[index]
        if opposites.isdisjoint(stems) or is_held(term.stem, stems):
            continue
        for place, other in enumerate(terms):
            if other.stem not in opposites or other.stem in claim.stems or other.stop:
                continue
            if _is_age(terms, place) or not _share_neighbour(claim.terms, index, terms, place):
                continue
            if (term.stem in polarity(claim).negated) != (other.stem in polarity(sentence.read).negated):
                found = [SAME_NEGATION]
                continue
            return [*found, against("antonym", term.text, other.text, sentence, weight=WEIGHT)]
    return found


@kept
def _with_opposites(claim: ReadText) -> list[tuple[int, frozenset[str]]]:
    """The places of the claim's words that have an opposite, with the stems of it."""
    return [
        (index, OPPOSITE[term.stem])
        for index, term in enumerate(claim.terms)
        if term.stem in OPPOSITE and not term.stop
    ]


def _is_age(terms: Sequence[Term], place: int) -> bool:
    """The `old` of `43-year-old`."""
    return place > 0 and terms[place - 1].stem in {"year", "month", "week", "day"}


def _share_neighbour(one: Sequence[Term], index: int, two: Sequence[Term], place: int) -> bool:
    """Whether the words next to the two places have something in common."""
    near = {key for term in _near(one, index, 4) for key in kin(term.stem)}
    return any(term.stem in near for term in _near(two, place, 6))


def _near(terms: Sequence[Term], index: int, reach: int) -> list[Term]:
    around = [*terms[max(0, index - reach) : index], *terms[index + 1 : index + 1 + reach]]
    return [term for term in around if not term.stop]
