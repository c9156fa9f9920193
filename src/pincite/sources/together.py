"""Which places cover a claim together: not the three best alone, which often say the same thing three times.

The best place comes first. Each further one is worth its score, less where it only repeats what those before
it say, and more where it brings a number of the claim that they lack, as a line with a date does, or names
what a place already chosen only calls `she` or `it`.
"""

from __future__ import annotations

from collections.abc import Set
from math import fsum

from pincite.sources.claim_index import FRAGMENT_TERMS, FRAGMENT_WORTH, ClaimTerms, Scored
from pincite.sources.library_index import LibraryIndex

CANDIDATES = 60
"""Of so many places, the best for the claim, some are chosen."""
MOST = 10
"""More than these are not chosen by what they add, but listed by their score."""
REPEATED = 0.6
"""What is left of the score of a place all of whose terms were covered before."""
NEW_NUMBERS = 0.6
"""What the share of the claim's weight that stands in new numbers adds."""
NAMES_BEFORE = 0.1
"""What it adds to stand right before a chosen place that begins with a pronoun."""


def choose_together(index: LibraryIndex, claim: ClaimTerms, most: int) -> list[tuple[int, Scored]]:
    """Up to `most` units with the number of their source, the best first, then what adds most each time."""
    ranked = index.rank(claim, max(CANDIDATES, most))
    if not ranked:
        return []
    weights = index.weights(claim)
    whole = sum(weights.values())
    terms = [
        claim.counts.keys() & set(index.indexes[number].stems_of(found.unit)) for number, found in ranked
    ]
    chosen = [0]
    covered = set(terms[0])
    pointing = _before_pronoun(index, ranked[0])
    left = dict.fromkeys(range(1, len(ranked)))

    def weight(stems: Set[str]) -> float:
        # A set has another order in each process; an exact sum does not depend on it.
        return fsum(weights[stem] for stem in stems)

    def value(place: int) -> float:
        number, found = ranked[place]
        new = terms[place] - covered
        fresh = weight(new) / (weight(terms[place]) or 1.0)
        score = found.score
        if index.indexes[number].lengths[found.unit] < FRAGMENT_TERMS:
            # A label says little alone, but beside a sentence it may give the date or the name.
            score /= FRAGMENT_WORTH
        worth = score * (REPEATED + (1.0 - REPEATED) * fresh)
        worth += NEW_NUMBERS * weight(new & claim.numbers) / whole
        return worth + (NAMES_BEFORE if (number, found.unit) in pointing else 0.0)

    while left and len(chosen) < min(most, MOST):
        best = max(left, key=value)  # the first of equals, as they are ranked
        del left[best]
        chosen.append(best)
        covered |= terms[best]
        pointing |= _before_pronoun(index, ranked[best])
    chosen += left
    return [ranked[place] for place in chosen[:most]]


def _before_pronoun(index: LibraryIndex, item: tuple[int, Scored]) -> set[tuple[int, int]]:
    """The unit before one that opens with a word which stands for something named before it."""
    number, found = item
    return {(number, found.unit - 1)} if index.indexes[number].points_back(found.unit) else set()
