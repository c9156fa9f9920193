"""The units of all sources of a library, asked together: the sources one by one, or all of them packed."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.records import Span
from pincite.sources.locate.claims import (
    FRAGMENT_TERMS,
    FRAGMENT_WORTH,
    ClaimIndex,
    ClaimTerms,
    Counts,
    Scored,
    claim_weights,
)
from pincite.sources.locate.packed import PackedIndex

PACKED_AFTER = 20_000
"""Once so many units have been looked at, one by one, it pays to load numpy and to pack them all.

A page or two checked against a few documents never gets there; the answers are the same either way.
"""

SWEEPS = 8
"""So many claims are looked for in a large library one by one before it pays to pack all of it.

Packing takes more memory than the sources themselves, and a sweep over all words a few milliseconds for a
megabyte.
"""


class LibraryIndex:
    """Ranks the units of some sources for a claim. One that is asked only once need not `pack`."""

    def __init__(self, indexes: Sequence[ClaimIndex], pack: bool = True) -> None:
        self.indexes = tuple(indexes)
        self._units = sum(index.unit_count for index in self.indexes)
        self._looked_at = 0
        self._may_pack = pack
        self._swept = 0
        self._for_one: tuple[ClaimTerms, PackedIndex] | None = None
        """The claim that was asked about last, and what was packed for it alone."""
        self._packed: PackedIndex | None = None
        self._weighed: tuple[ClaimTerms, dict[str, float]] | None = None

    def rank(self, claim: ClaimTerms, limit: int, within: Span | None = None) -> list[tuple[int, Scored]]:
        """The best units with the number of their source, the best first, ties in the order of the sources.

        A term is worth the more the fewer units of all sources hold it. `within` is a stretch of the only
        source.
        """
        if not claim.counts or limit < 1:
            return []
        packed = self._pack_for(claim)
        if packed is not None:
            return self._rank_packed(packed, claim, limit, within)
        weights = self.weights(claim)
        found = [
            (number, scored)
            for number, index in enumerate(self.indexes)
            for scored in index.rank(claim, weights, limit, within)
        ]
        found.sort(key=lambda item: -item[1].score)
        return found[:limit]

    def _pack_for(self, claim: ClaimTerms) -> PackedIndex | None:
        """All units packed, those that concern the claim, or None while they are few and seldom asked for."""
        if self._packed is not None or not self._may_pack:
            return self._packed
        self._looked_at += self._units
        if self._looked_at <= PACKED_AFTER:
            return None
        self._swept += self._units > PACKED_AFTER
        if self._swept and self._swept <= SWEEPS:
            self._for_one = claim, PackedIndex(self.indexes, claim.counts)
            return self._for_one[1]
        self._for_one = None
        self._packed = PackedIndex(self.indexes)
        return self._packed

    def weights(self, claim: ClaimTerms) -> dict[str, float]:
        """What each term of the claim is worth among all units; kept for the claim that was asked last."""
        weighed = self._weighed
        if weighed is None or weighed[0] is not claim:
            counts: Sequence[Counts] = self.indexes
            if self._packed is not None:
                counts = (self._packed,)
            elif self._for_one is not None and self._for_one[0] is claim:
                counts = (self._for_one[1],)
            weighed = self._weighed = claim, claim_weights(claim, counts)
        return weighed[1]

    @property
    def nbytes(self) -> int:
        """What packing added to the indexes of the sources; 0 while nothing is packed."""
        return self._packed.nbytes if self._packed is not None else 0

    def _rank_packed(
        self, packed: PackedIndex, claim: ClaimTerms, limit: int, within: Span | None
    ) -> list[tuple[int, Scored]]:
        allowed = self.indexes[0].units_in(within) if within is not None else None
        ranked = packed.rank(claim, self.weights(claim), limit, allowed)
        return [
            (source, Scored(unit, self.indexes[source].units[unit], score)) for source, unit, score in ranked
        ]


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
