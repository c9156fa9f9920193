"""The units of many sources in arrays, so that a claim is compared with all of them in a few sweeps.

Every figure is summed in the same order and rounded at the same steps as in `claim_index`, so both give the
same units and the same scores to the last bit. That is tested; whoever changes one changes the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from pincite.sources import claim_index as weighing
from pincite.sources.arrays import among, as_many_reach, changes, make_lists, summed
from pincite.sources.claim_index import ClaimIndex, ClaimTerms, pair_weight

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pincite.sources.arrays import Floats, Ints

_FEW = 400
"""So many places of the claim's terms are sooner gone through one by one than swept in arrays."""
_SLACK = 1e-9
"""More than sums of a claim's weights can differ by when they are taken in another order."""


class PackedIndex:
    """What the indexes of some sources know, by stem; units are numbered through all sources.

    It takes about three bytes for each character of the sources (`nbytes`) and grows with nothing else.
    """

    def __init__(self, indexes: Sequence[ClaimIndex]) -> None:
        import numpy as np

        vocabulary: defaultdict[str, int] = defaultdict()
        vocabulary.default_factory = vocabulary.__len__
        ids = _numbers(vocabulary.__getitem__, chain.from_iterable(index.stems for index in indexes))
        lead_ids = _numbers(vocabulary.__getitem__, chain.from_iterable(sorted(i.lead) for i in indexes))
        self._vocabulary = dict(vocabulary)
        stems = len(vocabulary)
        self._unit_counts = np.array([len(index.units) for index in indexes], np.int64)
        self.first_units = np.cumsum(self._unit_counts) - self._unit_counts
        """The number of the first unit of each source."""
        sources = np.arange(len(indexes), dtype=np.int32)
        self._source_of: Ints = np.repeat(sources, self._unit_counts)
        lengths = _joined(indexes, lambda index: index.lengths).astype(np.int64)
        own_lengths = _joined(indexes, lambda index: index.own_lengths).astype(np.int64)
        damping: Floats = _joined(indexes, lambda index: index.damping)
        self._fragment_worth: Floats = np.where(
            lengths < weighing.FRAGMENT_TERMS, weighing.FRAGMENT_WORTH, 1.0
        )

        unit_of: Ints = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
        order = np.argsort(ids, kind="stable")
        by_stem, holder = ids[order], unit_of[order]
        self._occurrences = make_lists(by_stem, stems, holder)
        self._followers: Ints = _next_stems(ids, unit_of, lengths, own_lengths)[order]
        """The stem that follows each occurrence in its unit, or -1."""

        new = np.ones(len(ids), np.bool_)
        new[1:] = (by_stem[1:] != by_stem[:-1]) | (holder[1:] != holder[:-1])
        first = np.flatnonzero(new)
        times = np.diff(np.append(first, len(ids)))
        stem, unit = by_stem[first], holder[first]
        self._holders = make_lists(stem, stems, unit)
        self._impacts: Floats = times * (weighing.SATURATION + 1.0) / (times + damping[unit])
        """What a holder gets for the stem, to be multiplied by the stem's weight."""

        # A unit hears of a stem from the unit before it, unless it holds the stem itself.
        last_of_source = np.append(changes(self._source_of)[1:], True)
        hears = ~last_of_source[unit]
        hears[:-1] &= (stem[1:] != stem[:-1]) | (unit[1:] != unit[:-1] + 1)
        self._hearers = make_lists(stem[hears], stems, unit[hears] + np.int32(1))

        leads = np.repeat(sources, [len(index.lead) for index in indexes])
        by_lead = np.argsort(lead_ids, kind="stable")
        self._leads = make_lists(lead_ids[by_lead], stems, leads[by_lead])

    @property
    def unit_count(self) -> int:
        return len(self._source_of)

    @property
    def nbytes(self) -> int:
        """The size of the arrays; the words themselves are shared with the indexes of the sources."""
        lists = (self._occurrences, self._holders, self._hearers, self._leads)
        arrays = (self._followers, self._impacts, self._fragment_worth, self._source_of)
        return sum(each.nbytes for each in lists) + sum(int(each.nbytes) for each in arrays)

    def holding(self, stem: str) -> int:
        """How many units hold a stem."""
        number = self._vocabulary.get(stem)
        if number is None:
            return 0
        start, end = self._holders.bounds(number)
        return end - start

    def rank(
        self, claim: ClaimTerms, weights: dict[str, float], limit: int, allowed: range | None = None
    ) -> list[tuple[int, int, float]]:
        """The best units as source, unit in that source and score, the best first, ties in order."""
        import numpy as np

        allowed = allowed if allowed is not None else range(self.unit_count)
        known = [
            (self._vocabulary[stem], weight) for stem, weight in weights.items() if stem in self._vocabulary
        ]
        if not known or not allowed or limit < 1:
            return []
        bonus = weighing.ORDER_BONUS * pair_weight(claim.pairs, weights)
        whole = sum(weights.values()) + bonus
        part = self._part(allowed)
        bounds = [self._holders.bounds(number, part) for number, _ in known]
        if sum([end - start for start, end in bounds]) <= _FEW:
            return self._rank_few(claim, weights, known, allowed, whole)[:limit]
        own, before, in_order = self._sums(claim, weights, known, allowed)
        units = np.flatnonzero(own)
        own, before, in_order = own[units], before[units], in_order[units]
        units += allowed.start
        fragment_worth, sources = self._fragment_worth[units], self._source_of[units]

        # The lead is left for later: it is too small to lift a unit that is far behind the best.
        least = (own + weighing.BEFORE_CREDIT * before + weighing.ORDER_BONUS * in_order) * fragment_worth
        lead = np.zeros(len(self.first_units))
        for number, weight in known:
            lead[self._leads.of(number)] += weight
        near = min(as_many_reach(least, limit), whole) - whole * (1.0 / weighing.SCORE_STEPS + _SLACK)
        kept = np.flatnonzero(least + weighing.LEAD_CREDIT * lead[sources] >= near)

        units, sources = units[kept], sources[kept]
        value = own[kept] + weighing.BEFORE_CREDIT * before[kept]
        value += weighing.LEAD_CREDIT * self._lead(units, sources, known, allowed)
        value += weighing.ORDER_BONUS * in_order[kept]
        value *= fragment_worth[kept]
        scores = np.rint(np.minimum(1.0, value / whole) * weighing.SCORE_STEPS) / weighing.SCORE_STEPS
        found = []
        for place in np.argsort(-scores, kind="stable")[:limit].tolist():
            source = int(sources[place])
            found.append((source, int(units[place] - self.first_units[source]), float(scores[place])))
        return found

    def _rank_few(
        self,
        claim: ClaimTerms,
        weights: dict[str, float],
        known: list[tuple[int, float]],
        allowed: range,
        whole: float,
    ) -> list[tuple[int, int, float]]:
        """The same ranking of all units that share a term with the claim, one by one: for few of them."""
        part = self._part(allowed)
        own: dict[int, float] = {}
        before: dict[int, float] = {}
        in_order: dict[int, float] = {}
        leads = []
        for number, weight in known:
            start, end = self._holders.bounds(number, part)
            holders = self._holders.values[start:end].tolist()
            for unit, impact in zip(holders, self._impacts[start:end].tolist(), strict=True):
                own[unit] = own.get(unit, 0.0) + weight * impact
            hearers = self._heard(number, allowed).tolist()
            for unit in hearers:
                before[unit] = before.get(unit, 0.0) + weight
            start, end = self._leads.bounds(number)
            if end > start:
                leads.append((weight, set(self._leads.values[start:end].tolist()), {*holders, *hearers}))
        for left, right in claim.pairs:
            if left in self._vocabulary and right in self._vocabulary:
                worth = (weights[left] + weights[right]) / 2
                start, end = self._occurrences.bounds(self._vocabulary[left], part)
                follower = self._vocabulary[right]
                following = self._followers[start:end].tolist()
                if follower in following:
                    units = self._occurrences.values[start:end].tolist()
                    for unit in {unit for unit, word in zip(units, following, strict=True) if word == follower}:
                        in_order[unit] = in_order.get(unit, 0.0) + worth
        found = []
        units = sorted(own)
        sources, fragment_worth = self._source_of[units].tolist(), self._fragment_worth[units].tolist()
        for unit, source, worth in zip(units, sources, fragment_worth, strict=True):
            told = 0.0
            for weight, telling, nearer in leads:
                if source in telling and unit not in nearer:
                    told += weight
            value = own[unit] + weighing.BEFORE_CREDIT * before.get(unit, 0.0)
            value += weighing.LEAD_CREDIT * told
            value += weighing.ORDER_BONUS * in_order.get(unit, 0.0)
            value *= worth
            found.append((weighing.score_of(value, whole), unit, source))
        found.sort(key=lambda scored: -scored[0])
        return [(source, unit - int(self.first_units[source]), score) for score, unit, source in found]

    def _sums(
        self, claim: ClaimTerms, weights: dict[str, float], known: list[tuple[int, float]], allowed: range
    ) -> tuple[Floats, Floats, Floats]:
        """For each allowed unit: what it holds, what it hears from the one before, what it has in order."""
        import numpy as np

        own: list[tuple[Ints, Floats]] = []
        before: list[tuple[Ints, Floats]] = []
        in_order: list[tuple[Ints, Floats]] = []
        for number, weight in known:
            start, end = self._holders.bounds(number, self._part(allowed))
            own.append((self._holders.values[start:end], weight * self._impacts[start:end]))
            hearers = self._heard(number, allowed)
            before.append((hearers, np.full(len(hearers), weight)))
        for left, right in claim.pairs:
            if left in self._vocabulary and right in self._vocabulary:
                units = self._with_pair(self._vocabulary[left], self._vocabulary[right], allowed)
                in_order.append((units, np.full(len(units), (weights[left] + weights[right]) / 2)))
        return summed(own, allowed), summed(before, allowed), summed(in_order, allowed)

    def _lead(
        self, units: NDArray[np.int64], sources: Ints, known: list[tuple[int, float]], allowed: range
    ) -> Floats:
        """What the title and the lead of its source say for each of these units, and nothing nearer does."""
        import numpy as np

        lead = np.zeros(len(units))
        for number, weight in known:
            telling = self._leads.of(number)
            if not len(telling):
                continue
            told = among(sources, telling)
            start, end = self._holders.bounds(number, self._part(allowed))
            told &= ~among(units, self._holders.values[start:end])
            told &= ~among(units, self._heard(number, allowed))
            lead[told] += weight
        return lead

    def _heard(self, number: int, allowed: range) -> Ints:
        """The allowed units that hear of a stem from another allowed unit."""
        part = self._part(allowed)
        start, end = self._hearers.bounds(number, part and part[1:])
        return self._hearers.values[start:end]

    def _part(self, allowed: range) -> range | None:
        """None where every unit is allowed: then no list need be searched for its part."""
        return allowed if len(allowed) < self.unit_count else None

    def _with_pair(self, left: int, right: int, allowed: range) -> Ints:
        """The allowed units in which one stem follows the other, each once."""
        start, end = self._occurrences.bounds(left, self._part(allowed))
        units: Ints = self._occurrences.values[start:end][self._followers[start:end] == right]
        once: Ints = units[changes(units)]
        return once


def _numbers(number_of: Callable[[str], int], stems: chain[str]) -> Ints:
    import numpy as np

    return np.fromiter(map(number_of, stems), np.int32)


def _joined(indexes: Sequence[ClaimIndex], part: Callable[[ClaimIndex], Any]) -> NDArray[Any]:
    import numpy as np

    return np.concatenate([np.array(part(index)) for index in indexes])


def _next_stems(ids: Ints, unit_of: Ints, lengths: NDArray[np.int64], own_lengths: NDArray[np.int64]) -> Ints:
    """The stem after each occurrence in the unit's own words; -1 after the last of them, and in headers."""
    import numpy as np

    starts = np.cumsum(lengths) - lengths
    following = np.full(len(ids), -1, np.int32)
    following[:-1] = ids[1:]
    following[np.arange(len(ids)) - starts[unit_of] >= own_lengths[unit_of] - 1] = -1
    return following
