"""The units of many sources in arrays, so that a claim is compared with all of them in a few sweeps.

Every figure is summed in the same order and rounded at the same steps as in `claim_index`, so both give the
same units and the same scores to the last bit. That is tested; whoever changes one changes the other.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from pincite.sources.locate import claims as weighing
from pincite.sources.locate.arrays import among, as_many_reach, changes, make_lists, summed
from pincite.sources.locate.claims import ClaimIndex, ClaimTerms, pair_weight

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pincite.sources.locate.arrays import Bools, Floats, Ints

_DENSE = 10_000
"""Up to so many units it is quicker to keep a figure for every unit than to sum up for those that matter."""
_MOST_PAIRS = 20_000
_SWEEP = 4_000_000
"""So many occurrences are looked at in one sweep, so that what a sweep takes has a bound."""
_SLACK = 1e-9
"""More than sums of a claim's weights can differ by when they are taken in another order."""


class PackedIndex:
    """What the indexes of some sources know, by stem; units are numbered through all sources.

    It takes about three bytes for each character of the sources (`nbytes`) and grows with nothing else.
    """

    def __init__(self, indexes: Sequence[ClaimIndex], only: Collection[str] | None = None) -> None:
        """`only` these stems are asked for: a claim or two are sooner answered than everything is packed."""
        import numpy as np

        self.dense = _DENSE
        self._rows: dict[int, _Row] = {}
        self._pairs: dict[tuple[str, str], Ints | None] = {}
        self._vocabulary = _vocabulary(indexes, only)
        stems = len(self._vocabulary)
        unit_counts = [len(index.units) for index in indexes]
        self.first_units = np.cumsum(unit_counts) - unit_counts
        """The number of the first unit of each source."""
        sources = np.arange(len(indexes), dtype=np.int32)
        self._source_of: Ints = np.repeat(sources, unit_counts)
        lengths = _joined([np.asarray(index.lengths) for index in indexes])
        self._is_fragment: Bools = lengths < weighing.FRAGMENT_TERMS
        of_sources = [_Occurrences(index, self._vocabulary, only is not None) for index in indexes]
        ids: Ints = _joined([of_source.stems for of_source in of_sources])
        unit_of: Ints = _joined(
            [of.units + np.int32(first) for of, first in zip(of_sources, self.first_units, strict=True)]
        )
        followers: Ints = _joined([of_source.followers for of_source in of_sources])
        del of_sources
        order = np.argsort(ids, kind="stable")
        by_stem, holder = ids[order], unit_of[order]
        self._followers: Ints = followers[order]
        """The stem that follows each occurrence in its unit, or -1."""
        del ids, unit_of, followers, order
        self._occurrences = make_lists(by_stem, stems, holder)

        new = np.ones(len(by_stem), np.bool_)
        new[1:] = (by_stem[1:] != by_stem[:-1]) | (holder[1:] != holder[:-1])
        first = np.flatnonzero(new)
        times = np.diff(np.append(first, len(by_stem)))
        stem, unit = by_stem[first], holder[first]
        self._holders = make_lists(stem, stems, unit)
        means = np.array([index.mean_length for index in indexes])
        relative = lengths[unit] / means[self._source_of[unit]]
        self._impacts: Floats = times * (weighing.SATURATION + 1.0) / (times + _damping(relative))
        """What a holder gets for the stem, to be multiplied by the stem's weight."""

        # A unit hears of a stem from the unit before it, unless it holds the stem itself.
        last_of_source = np.append(changes(self._source_of)[1:], True)
        hears = ~last_of_source[unit]
        hears[:-1] &= (stem[1:] != stem[:-1]) | (unit[1:] != unit[:-1] + 1)
        self._hearers = make_lists(stem[hears], stems, unit[hears] + np.int32(1))

        leads = sorted(
            (self._vocabulary[stem], source)
            for source, index in enumerate(indexes)
            for stem in index.lead
            if stem in self._vocabulary
        )
        lead_stems, telling = np.array(leads, np.int32).reshape(-1, 2).T
        self._leads = make_lists(lead_stems, stems, telling)

    @property
    def unit_count(self) -> int:
        return len(self._source_of)

    @property
    def nbytes(self) -> int:
        """The size of the arrays; the words themselves are shared with the indexes of the sources."""
        lists = (self._occurrences, self._holders, self._hearers, self._leads)
        arrays = (self._followers, self._impacts, self._is_fragment, self._source_of)
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
        if self.unit_count <= self.dense and len(allowed) == self.unit_count:
            return self._rank_dense(claim, weights, known, limit)
        bonus = weighing.ORDER_BONUS * pair_weight(claim.pairs, weights)
        whole = sum(weights.values()) + bonus
        own, before, in_order = self._sums(claim, weights, known, allowed)
        units = np.flatnonzero(own)
        own, before, in_order = own[units], before[units], in_order[units]
        units += allowed.start
        fragment_worth, sources = self._worth_of(units), self._source_of[units]

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

    def _rank_dense(
        self, claim: ClaimTerms, weights: dict[str, float], known: list[tuple[int, float]], limit: int
    ) -> list[tuple[int, int, float]]:
        """The same over all units, when these are few: a figure for each, and what a stem adds is kept."""
        import numpy as np

        whole = sum(weights.values()) + weighing.ORDER_BONUS * pair_weight(claim.pairs, weights)
        own, before, lead, in_order = np.zeros((4, self.unit_count))
        for number, weight in known:
            row = self._rows.get(number)
            if row is None:
                row = self._rows[number] = self._row(number)
            own[row.holders] += weight * row.impacts
            if row.hearers is not None:
                before[row.hearers] += weight
            if row.told is not None:
                lead[row.told] += weight
        for pair in claim.pairs:
            units = self._pairs[pair] if pair in self._pairs else self._keep_pair(pair)
            if units is not None:
                in_order[units] += (weights[pair[0]] + weights[pair[1]]) / 2
        places = own.nonzero()[0]
        value = own + weighing.BEFORE_CREDIT * before
        value += weighing.LEAD_CREDIT * lead
        value += weighing.ORDER_BONUS * in_order
        value = value[places] * self._worth_of(places)
        scores = np.rint(np.minimum(1.0, value / whole) * weighing.SCORE_STEPS) / weighing.SCORE_STEPS
        if len(scores) > limit:
            reached = (scores >= np.partition(scores, -limit)[-limit]).nonzero()[0]
            places, scores = places[reached], scores[reached]
        best = (-scores).argsort(kind="stable")[:limit]
        sources = self._source_of[places[best]].tolist()
        first = self.first_units
        return [
            (source, unit - int(first[source]), score)
            for source, unit, score in zip(sources, places[best].tolist(), scores[best].tolist(), strict=True)
        ]

    def _row(self, number: int) -> _Row:
        """What a stem adds to each unit."""
        import numpy as np

        start, end = self._holders.bounds(number)
        holders, hearers = self._holders.values[start:end], self._hearers.of(number)
        told = None
        telling = self._leads.of(number)
        if len(telling):
            hear = among(self._source_of, telling)
            hear[holders] = hear[hearers] = False
            told = hear.nonzero()[0].astype(np.int32)
        return _Row(holders, self._impacts[start:end], hearers if len(hearers) else None, told)

    def _keep_pair(self, pair: tuple[str, str]) -> Ints | None:
        """The units that have the two stems side by side; None where there are none."""
        if len(self._pairs) >= _MOST_PAIRS:
            self._pairs.clear()
        left, right = (self._vocabulary.get(stem) for stem in pair)
        units = None
        if left is not None and right is not None:
            units = self._with_pair(left, right, range(self.unit_count))
        self._pairs[pair] = units = units if units is not None and len(units) else None
        return units

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

    def _worth_of(self, units: Any) -> Floats:
        """What is left of the worth of these units: a heading or a label says little."""
        import numpy as np

        return np.where(self._is_fragment[units], weighing.FRAGMENT_WORTH, 1.0)

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


class _Row(Struct, frozen=True):
    """One stem: who holds it and what that is worth, who hears of it, and who is told by title and lead."""

    holders: Ints
    impacts: Floats
    hearers: Ints | None
    told: Ints | None


class _Occurrences:
    """Where the stems of one source stand: stem, unit of the source, and the stem that follows, or -1."""

    def __init__(self, index: ClaimIndex, vocabulary: dict[str, int], some: bool) -> None:
        import numpy as np

        known = np.array([vocabulary.get(word, -1) for word in index.words], np.int32)
        numbers = np.asarray(index.stems)
        if not some:
            places = np.arange(len(numbers), dtype=np.int32 if len(numbers) < 1 << 31 else np.int64)
        else:
            wanted = known >= 0
            blocks = [
                start + wanted[numbers[start : start + _SWEEP]].nonzero()[0]
                for start in range(0, len(numbers), _SWEEP)
            ]
            places = np.concatenate(blocks) if blocks else np.zeros(0, np.int64)
        starts = np.asarray(index.starts)
        self.stems: Ints = known[numbers[places]]
        lengths = np.asarray(index.lengths)
        if some:
            # Units without stems begin where the next one does: the last of those that begin here holds it.
            begun = starts.searchsorted(places.astype(starts.dtype), "right")
            self.units: Ints = (begun - 1).astype(np.int32)
        else:
            self.units = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
        own = np.asarray(index.own_lengths)
        self.followers: Ints = np.empty(len(places), np.int32)
        """After the last of a unit's own words, and in a header, there is none."""
        for start in range(0, len(places), _SWEEP):
            here, units = places[start : start + _SWEEP], self.units[start : start + _SWEEP]
            last = here >= (starts[units] + own[units]).astype(np.int64) - 1
            following = known[numbers[np.minimum(here + 1, len(numbers) - 1)]]
            self.followers[start : start + _SWEEP] = np.where(last, np.int32(-1), following)


def _vocabulary(indexes: Sequence[ClaimIndex], only: Collection[str] | None) -> dict[str, int]:
    if only is not None:
        return {stem: number for number, stem in enumerate(only)}
    words = chain.from_iterable(chain(index.words, sorted(index.lead)) for index in indexes)
    return {stem: number for number, stem in enumerate(dict.fromkeys(words))}


def _damping(relative_length: Floats) -> Floats:
    """As `claim_index.damping_of`, for many."""
    import numpy as np

    share = weighing.LENGTH_WEIGHT * np.minimum(3.0, relative_length)
    return weighing.SATURATION * (1.0 - weighing.LENGTH_WEIGHT + share)


def _joined(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
    import numpy as np

    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
