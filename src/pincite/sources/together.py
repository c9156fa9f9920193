"""Which places cover a claim together: not the three best alone, which often say the same thing three times.

The best place comes first. Each further one is worth its score, less where it only repeats what those before
it say, and more where it brings a number of the claim that they lack, as a line with a date does, or names
what a place already chosen only calls `she` or `it`.
"""

from __future__ import annotations

from pincite.records import Span
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
PART = 0.06
"""A share of the claim's weight that counts as a part of it, when every part is to be covered."""


def choose_together(
    index: LibraryIndex,
    claim: ClaimTerms,
    most: int,
    within: Span | None = None,
    *,
    every_part: bool = False,
    candidates: int = CANDIDATES,
) -> list[tuple[int, Scored]]:
    """Up to `most` units with the number of their source, the best first, then what adds most each time.

    With `every_part`, no unit that repeats what is covered comes before one that adds a part of the claim.
    `within` is a stretch of the only source.
    """
    ranked = index.rank(claim, max(candidates, most), within)
    if not ranked:
        return []
    weights = index.weights(claim)
    whole = sum(weights.values())
    terms: list[list[str]] = []
    scores: list[float] = []
    held: list[float] = []
    for number, found in ranked:
        source = index.indexes[number]
        stems = set(source.stems_of(found.unit))
        # In the order of the claim: sums then come out the same in every process.
        terms.append([stem for stem in weights if stem in stems])
        held.append(sum([weights[stem] for stem in terms[-1]]) or 1.0)
        # A label says little alone, but beside a sentence it may give the date or the name.
        is_label = source.lengths[found.unit] < FRAGMENT_TERMS
        scores.append(found.score / FRAGMENT_WORTH if is_label else found.score)
    chosen = [0]
    covered = set(terms[0])
    pointing = _before_pronoun(index, ranked[0])
    left = dict.fromkeys(range(1, len(ranked)))

    def value(place: int) -> float:
        new = [stem for stem in terms[place] if stem not in covered]
        gain = sum([weights[stem] for stem in new])
        worth = scores[place] * (REPEATED + (1.0 - REPEATED) * gain / held[place])
        if new:
            worth += NEW_NUMBERS * sum([weights[stem] for stem in new if stem in claim.numbers]) / whole
            if every_part and gain >= PART * whole:
                worth += _BEFORE_REPEATS + gain / whole
        if pointing and (ranked[place][0], ranked[place][1].unit) in pointing:
            worth += NAMES_BEFORE
        return worth

    while left and len(chosen) < min(most, MOST):
        best = max(left, key=value)  # the first of equals, as they are ranked
        del left[best]
        chosen.append(best)
        covered.update(terms[best])
        pointing |= _before_pronoun(index, ranked[best])
    chosen += left
    return [ranked[place] for place in chosen[:most]]


_BEFORE_REPEATS = 10.0
"""More than any unit is worth otherwise."""


def _before_pronoun(index: LibraryIndex, item: tuple[int, Scored]) -> set[tuple[int, int]]:
    """The unit before one that opens with a word which stands for something named before it."""
    number, found = item
    return {(number, found.unit - 1)} if index.indexes[number].points_back(found.unit) else set()
