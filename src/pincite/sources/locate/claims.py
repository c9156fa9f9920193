"""Where a source speaks of what a claim says: its sentences and table rows, ranked by the terms they share.

A unit's worth is the BM25 sum over the claim's terms (a rare term counts more, a repeated one a little more,
a long unit a little less), with a bonus for words in the same order, and a little credit for what the unit
does not say itself but its reader knows: the sentence before it, the title and the lead of the source.

`packed_index` ranks the units of many sources at once by the same arithmetic, step for step.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from heapq import heappush, heapreplace
from itertools import pairwise
from typing import Protocol, overload

from msgspec import Struct

from pincite.records import Passage, Source, Span
from pincite.sources.locate.units import ClaimTerms, claim_terms, content_stems, find_units
from pincite.text.spans import offsets
from pincite.text.terms import first_word, inverse_frequency

__all__ = ["ClaimIndex", "ClaimTerms", "Scored", "claim_terms", "claim_weights", "pair_weight"]

SATURATION = 0.8
LENGTH_WEIGHT = 0.4
ORDER_BONUS = 0.2
BEFORE_CREDIT = 0.1
LEAD_CREDIT = 0.1
FRAGMENT_TERMS = 4
FRAGMENT_WORTH = 0.5
"""A unit of fewer terms than that is a heading or a label: it names a thing and seldom says much about it."""
SCORE_STEPS = 10_000
"""Scores are told to four decimals; what is nearer than that counts as equal, and the earlier unit wins."""
_NUMBER_BONUS = 1.3
_LEAD_UNITS = 2

_PRONOUNS = frozenset(
    ("he", "her", "his", "it", "its", "she", "such", "that", "their", "these", "they", "this", "those")
)


class Scored(Struct, frozen=True):
    """One unit and its worth for a claim, from 0 to 1."""

    unit: int
    span: Span
    score: float


class Counts(Protocol):
    """Knows how many units there are, and how many of them hold a stem."""

    @property
    def unit_count(self) -> int: ...

    def holding(self, stem: str) -> int: ...


class Spans(Sequence[Span]):
    """The spans of a text's units: two numbers each and no object, as a large source has millions."""

    def __init__(self, length: int) -> None:
        self.starts = offsets(length)
        self.ends = offsets(length)

    def append(self, span: Span) -> None:
        self.starts.append(span.start)
        self.ends.append(span.end)

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> Span: ...

    @overload
    def __getitem__(self, index: slice) -> list[Span]: ...

    def __getitem__(self, index: int | slice) -> Span | list[Span]:
        if isinstance(index, slice):
            return [Span(*ends) for ends in zip(self.starts[index], self.ends[index], strict=True)]
        return Span(self.starts[index], self.ends[index])


class ClaimIndex:
    """The sentences and table rows of one source, and which terms each of them holds.

    It takes about half as much memory as an ASCII text itself, and grows with nothing else but its words.
    """

    def __init__(self, source: Source) -> None:
        self._text = source.text
        self.units = Spans(len(source.text))
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__
        self.stems = array("i")
        """Of all units in a row, by their number; a table row's own are followed by those of its header."""
        self.lengths = array("I")
        """How many stems each unit has, its header's among them."""
        self.own_lengths = self.lengths
        self.starts = offsets(len(source.text))
        """Where the stems of each unit begin."""
        lead = set(content_stems(source.title or ""))
        for unit, (span, header) in enumerate(find_units(source)):
            stems = content_stems(self._text[span.start : span.end])
            if header and self.own_lengths is self.lengths:
                self.own_lengths = self.lengths[:]
            if self.own_lengths is not self.lengths:
                self.own_lengths.append(len(stems))
            if header:
                stems += content_stems(header)
            self.units.append(span)
            self.starts.append(len(self.stems))
            self.lengths.append(len(stems))
            self.stems.extend(map(numbers.__getitem__, stems))
            if unit < _LEAD_UNITS:
                lead.update(stems)
        numbers.default_factory = None
        self.numbers: dict[str, int] = numbers
        """Each stem of the source and its number."""
        self.words = list(numbers)
        """The stems by their number."""
        self.lead = frozenset(lead)
        """What a reader of any unit has been told by the title and the first units."""
        self.mean_length = max(1.0, len(self.stems) / max(1, len(self.units)))
        self._holders: dict[str, array[int]] | None = None
        self.passages: dict[tuple[int, int], Passage] = {}
        """What was shown of the source lately: thousands of claims may be compared with the same sentence."""

    @property
    def unit_count(self) -> int:
        return len(self.units)

    @property
    def nbytes(self) -> int:
        """The size of the arrays, which is all that grows with the source; its words are few beside them."""
        held = (self.units.starts, self.units.ends, self.stems, self.lengths, self.starts)
        return sum(len(numbers) * numbers.itemsize for numbers in held)

    def holding(self, stem: str) -> int:
        """How many units hold a stem."""
        return len(set(self._holders_by_stem().get(stem, ())))

    def rank(
        self, claim: ClaimTerms, weights: dict[str, float], limit: int, within: Span | None = None
    ) -> list[Scored]:
        """The best units for a claim, the best first; units that share nothing with it are left out."""
        held = self._held(claim, within)
        lead = [stem for stem in claim.counts if stem in self.lead]
        worth = {unit: self._worth(unit, held, weights, lead) for unit in held}
        bonus = ORDER_BONUS * pair_weight(claim.pairs, weights)
        whole = sum(weights.values()) + bonus
        found: list[Scored] = []
        best: list[float] = []
        for unit in sorted(worth, key=lambda unit: -worth[unit]):
            # Words in order are looked at only where they could still lift a unit among the best.
            if len(best) == limit and score_of(worth[unit] + bonus, whole) < best[0]:
                break
            value = worth[unit] + ORDER_BONUS * pair_weight(self._in_order(unit, claim, held[unit]), weights)
            if self.lengths[unit] < FRAGMENT_TERMS:
                value *= FRAGMENT_WORTH
            score = score_of(value, whole)
            found.append(Scored(unit, self.units[unit], score))
            if len(best) < limit:
                heappush(best, score)
            elif score > best[0]:
                heapreplace(best, score)
        found.sort(key=lambda scored: (-scored.score, scored.unit))
        return found[:limit]

    def units_in(self, within: Span) -> range:
        """The units that lie in a span, wholly or in part."""
        first = bisect_left(self.units.ends, within.start + 1)
        last = bisect_left(self.units.starts, within.end)
        return range(first, max(first, last))

    def stems_of(self, unit: int) -> Sequence[str]:
        """The stems of a unit, those of its header among them."""
        start = self.starts[unit]
        return [self.words[number] for number in self.stems[start : start + self.lengths[unit]]]

    def points_back(self, unit: int) -> bool:
        """Whether a unit opens with a word that stands for something named before it."""
        start, end = self.units[unit].start, self.units[unit].end
        return first_word(self._text[start : min(end, start + 40)]).lower() in _PRONOUNS

    def _held(self, claim: ClaimTerms, within: Span | None) -> dict[int, dict[str, int]]:
        """Each unit that shares a term with the claim, and how often it holds which."""
        held: dict[int, dict[str, int]] = {}
        allowed = self.units_in(within) if within is not None else range(len(self.units))
        by_stem = self._holders_by_stem()
        for stem in claim.counts:
            holders = by_stem.get(stem)
            if holders is None:
                continue
            first, last = bisect_left(holders, allowed.start), bisect_left(holders, allowed.stop)
            for unit, times in Counter(holders[first:last]).items():
                held.setdefault(unit, {})[stem] = times
        return held

    def _holders_by_stem(self) -> dict[str, array[int]]:
        """Stem → the units that hold it, in order, one entry an occurrence; made when it is first needed."""
        if self._holders is None:
            holders = [array("I") for _ in self.words]
            for unit, (start, length) in enumerate(zip(self.starts, self.lengths, strict=True)):
                for number in self.stems[start : start + length]:
                    holders[number].append(unit)
            self._holders = dict(zip(self.words, holders, strict=True))
        return self._holders

    def _worth(
        self, unit: int, held: dict[int, dict[str, int]], weights: dict[str, float], lead: Sequence[str]
    ) -> float:
        own = held[unit]
        damping = damping_of(self.lengths[unit] / self.mean_length)
        value = sum(
            weights[stem] * (times * (SATURATION + 1.0) / (times + damping)) for stem, times in own.items()
        )
        before = held.get(unit - 1, {})
        value += BEFORE_CREDIT * sum(weights[stem] for stem in before if stem not in own)
        value += LEAD_CREDIT * sum(weights[stem] for stem in lead if stem not in own and stem not in before)
        return value

    def _in_order(self, unit: int, claim: ClaimTerms, own: dict[str, int]) -> list[tuple[str, str]]:
        """The claim's pairs of neighbours that are neighbours in the unit too."""
        wanted = [pair for pair in claim.pairs if pair[0] in own and pair[1] in own]
        if not wanted:
            return wanted
        start = self.starts[unit]
        there = set(pairwise(self.stems[start : start + self.own_lengths[unit]]))
        return [pair for pair in wanted if (self.numbers[pair[0]], self.numbers[pair[1]]) in there]


def claim_weights(claim: ClaimTerms, indexes: Sequence[Counts]) -> dict[str, float]:
    """What each term of the claim is worth among all units of the sources; one that none holds, the most."""
    count = sum(index.unit_count for index in indexes)
    weights = {}
    for stem, times in claim.counts.items():
        weight = inverse_frequency(sum(index.holding(stem) for index in indexes), count) * times
        weights[stem] = weight * (_NUMBER_BONUS if stem in claim.numbers else 1.0)
    return weights


def pair_weight(pairs: Iterable[tuple[str, str]], weights: dict[str, float]) -> float:
    """What it is worth that a unit has these pairs of words side by side."""
    return sum(((weights[left] + weights[right]) / 2 for left, right in pairs), 0.0)


def score_of(value: float, whole: float) -> float:
    """A unit's value as a share of what a claim is worth in all."""
    return round(min(1.0, value / whole) * SCORE_STEPS) / SCORE_STEPS


def damping_of(relative_length: float) -> float:
    """How much the length of a unit, as a multiple of the mean, takes from a repeated term."""
    return SATURATION * (1.0 - LENGTH_WEIGHT + LENGTH_WEIGHT * min(3.0, relative_length))
