"""The units of all sources of a library, ranked for a claim, and the few that cover it together."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pincite.records import Span
from pincite.sources.claim_units import ClaimIndex, ClaimTerms
from pincite.sources.packed_units import FRAGMENT_TERMS, FRAGMENT_WORTH, PackedIndex

LARGE = 20_000
"""Units of a library of which not everything is packed at the first question."""

SWEEPS = 8
"""So many claims are looked for in a large library one by one before it pays to pack all of it.

Packing takes more memory than the sources themselves, and a sweep over all words a few milliseconds for a
megabyte.
"""


class Scored(Struct, frozen=True):
    """One unit and its worth for a claim, from 0 to 1."""

    unit: int
    span: Span
    score: float


class LibraryIndex:
    """Ranks the units of some sources for a claim."""

    def __init__(self, indexes: Sequence[ClaimIndex]) -> None:
        self.indexes = tuple(indexes)
        self._sweeps_left = SWEEPS if sum(len(index.units) for index in self.indexes) > LARGE else 0
        self._packed: PackedIndex | None = None
        self._asked: tuple[ClaimTerms, PackedIndex, dict[str, float]] | None = None
        """The claim that was asked about last, what it was looked for in, and what its terms are worth."""

    def rank(self, claim: ClaimTerms, limit: int, within: Span | None = None) -> list[tuple[int, Scored]]:
        """The best units with the number of their source, the best first, ties in the order of the sources.

        A term is worth the more the fewer units of all sources hold it. `within` is a stretch of the only
        source.
        """
        if not self.indexes or not claim.counts or limit < 1:
            return []
        packed, weights = self._pack_for(claim)
        allowed = self.indexes[0].units_in(within) if within is not None else None
        return [
            (source, Scored(unit, self.indexes[source].units[unit], score))
            for source, unit, score in packed.rank(claim, weights, limit, allowed)
        ]

    def weights(self, claim: ClaimTerms) -> dict[str, float]:
        """What each term of the claim is worth among all units."""
        return self._pack_for(claim)[1]

    def _pack_for(self, claim: ClaimTerms) -> tuple[PackedIndex, dict[str, float]]:
        """All units packed, or at first those of a large library that concern the claim."""
        if self._asked is None or self._asked[0] is not claim:
            packed = self._packed
            if packed is None and self._sweeps_left:
                self._sweeps_left -= 1
                packed = PackedIndex(self.indexes, claim.counts)
            elif packed is None:
                packed = self._packed = PackedIndex(self.indexes)
            self._asked = claim, packed, packed.weights(claim)
        return self._asked[1:]

    @property
    def nbytes(self) -> int:
        """What packing added to the indexes of the sources; 0 while nothing is packed."""
        return self._packed.nbytes if self._packed is not None else 0


CANDIDATES = 60
"""Of so many places, the best for the claim, some are chosen."""
MOST = 10
"""More than these are not chosen by what they add, but listed by their score."""
REPEATED = 0.6
"""What is left of the score of a place all of whose terms were covered before."""
NEW_NUMBERS = 0.6
"""What the share of the claim's weight in new numbers adds."""
NAMES_BEFORE = 0.1
"""What it adds to come right before a chosen place that begins with a pronoun."""
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

    left = {place: value(place) for place in range(1, len(ranked))}
    while left and len(chosen) < min(most, MOST):
        best = max(left, key=left.__getitem__)  # the first of equals, as they are ranked
        del left[best]
        chosen.append(best)
        new = set(terms[best]) - covered
        pointed = _before_pronoun(index, ranked[best])
        covered |= new
        pointing |= pointed
        # A place is worth what it was unless it loses a term to this one or precedes its pronoun.
        for place in left if new or pointed else ():
            if pointed or not new.isdisjoint(terms[place]):
                left[place] = value(place)
    chosen += left
    return [ranked[place] for place in chosen[:most]]


_BEFORE_REPEATS = 10.0
"""More than any unit is worth otherwise."""


def _before_pronoun(index: LibraryIndex, item: tuple[int, Scored]) -> set[tuple[int, int]]:
    """The unit before one that opens with a word which stands for something named before it."""
    number, found = item
    return {(number, found.unit - 1)} if index.indexes[number].points_back(found.unit) else set()
