"""The units of some sources in arrays, so that a claim is compared with all of them in a few sweeps.

A unit's worth is the BM25 sum over the claim's terms (a rare term counts more, a repeated one a little more,
a long unit a little less), with a bonus for words in the same order, and a little credit for what the unit
does not say itself but its reader knows: the sentence before it, the title and the lead of the source.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from pincite.sources.claim_units import ClaimIndex, ClaimTerms
from pincite.text import inverse_frequency

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

SATURATION = 0.8
LENGTH_WEIGHT = 0.4
ORDER_BONUS = 0.2
BEFORE_CREDIT = 0.1
LEAD_CREDIT = 0.1
FRAGMENT_TERMS = 4
FRAGMENT_WORTH = 0.5
"""A unit of fewer terms than that is a heading or a label: it names a thing and seldom says much about it."""
SCORE_STEPS = 10_000
"""Scores have four decimals; what is nearer than that counts as equal, and the earlier unit wins."""
NUMBER_BONUS = 1.3
_SWEEP = 4_000_000
"""So many occurrences are looked at in one sweep, which bounds the memory that a sweep takes."""


class Lists(Struct, frozen=True, eq=False):
    """Many ordered lists of numbers end to end, by the number of the list."""

    starts: memoryview
    """Where each list begins among the values; one more at the end."""
    values: Ints

    def bounds(self, number: int, within: range | None = None) -> tuple[int, int]:
        """Where a list is among the values, or where its values in a range are."""
        start, end = self.starts[number], self.starts[number + 1]
        if within is None:
            return start, end
        first, last = self.values[start:end].searchsorted((within.start, within.stop))
        return start + int(first), start + int(last)

    def of(self, number: int, within: range | None = None) -> Ints:
        start, end = self.bounds(number, within)
        return self.values[start:end]

    @property
    def nbytes(self) -> int:
        return int(self.starts.nbytes + self.values.nbytes)


class PackedIndex:
    """What the indexes of some sources know, by stem; units are numbered through all sources.

    It takes about three bytes for each character of the sources (`nbytes`) and grows with nothing else.
    """

    def __init__(self, indexes: Sequence[ClaimIndex], only: Collection[str] | None = None) -> None:
        """With `only` these stems, a claim or two are answered sooner than everything is packed."""
        import numpy as np

        self._vocabulary = _vocabulary(indexes, only)
        stems = len(self._vocabulary)
        unit_counts = [len(index.units) for index in indexes]
        self.first_units = np.cumsum(unit_counts) - unit_counts
        """The number of the first unit of each source."""
        sources = np.arange(len(indexes), dtype=np.int32)
        self._source_of: Ints = np.repeat(sources, unit_counts)
        lengths = _joined([np.asarray(index.lengths) for index in indexes])
        self._is_fragment: Bools = lengths < FRAGMENT_TERMS
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
        self._occurrences = _make_lists(by_stem, stems, holder)

        new = np.ones(len(by_stem), np.bool_)
        new[1:] = (by_stem[1:] != by_stem[:-1]) | (holder[1:] != holder[:-1])
        first = np.flatnonzero(new)
        times = np.diff(np.append(first, len(by_stem)))
        stem, unit = by_stem[first], holder[first]
        self._holders = _make_lists(stem, stems, unit)
        means = np.array([index.mean_length for index in indexes])
        relative = np.minimum(3.0, lengths[unit] / means[self._source_of[unit]])
        damping = SATURATION * (1.0 - LENGTH_WEIGHT + LENGTH_WEIGHT * relative)
        self._impacts: Floats = times * (SATURATION + 1.0) / (times + damping)
        """What a holder gets for the stem, to be multiplied by the stem's weight."""

        # A unit hears of a stem from the unit before it, unless it holds the stem itself.
        last_of_source = np.append(_changes(self._source_of)[1:], True)
        hears = ~last_of_source[unit]
        hears[:-1] &= (stem[1:] != stem[:-1]) | (unit[1:] != unit[:-1] + 1)
        self._hearers = _make_lists(stem[hears], stems, unit[hears] + np.int32(1))

        leads = sorted(
            (self._vocabulary[stem], source)
            for source, index in enumerate(indexes)
            for stem in index.lead
            if stem in self._vocabulary
        )
        lead_stems, telling = np.array(leads, np.int32).reshape(-1, 2).T
        self._leads = _make_lists(lead_stems, stems, telling)

    @property
    def nbytes(self) -> int:
        """The size of the arrays; the words themselves are shared with the indexes of the sources."""
        lists = (self._occurrences, self._holders, self._hearers, self._leads)
        arrays = (self._followers, self._impacts, self._is_fragment, self._source_of)
        return sum(each.nbytes for each in lists) + sum(int(each.nbytes) for each in arrays)

    def weights(self, claim: ClaimTerms) -> dict[str, float]:
        """What each term of the claim is worth among all units; one that none holds, the most."""
        weights = {}
        for stem, times in claim.counts.items():
            start, end = self._holders.bounds(self._vocabulary[stem]) if stem in self._vocabulary else (0, 0)
            weight = inverse_frequency(end - start, len(self._source_of)) * times
            weights[stem] = weight * (NUMBER_BONUS if stem in claim.numbers else 1.0)
        return weights

    def rank(
        self, claim: ClaimTerms, weights: dict[str, float], limit: int, allowed: range | None = None
    ) -> list[tuple[int, int, float]]:
        """The best units as source, unit in that source and score, the best first, ties in order."""
        import numpy as np

        count = len(self._source_of)
        allowed = range(count) if allowed is None else allowed
        within = allowed if len(allowed) < count else None
        own, before, lead, in_order = np.zeros((4, len(allowed)))
        told = np.zeros(len(self.first_units))
        for stem, weight in weights.items():
            if stem not in self._vocabulary:
                continue
            number = self._vocabulary[stem]
            start, end = self._holders.bounds(number, within)
            holders = self._holders.values[start:end] - allowed.start
            # The first of the allowed units hears of nothing.
            hearers = self._hearers.of(number, within and within[1:]) - allowed.start
            own[holders] += weight * self._impacts[start:end]
            before[hearers] += weight
            telling = self._leads.of(number)
            if len(telling):
                # What a unit holds or hears, the lead need not say.
                told[telling] += weight
                for units in (holders, hearers):
                    lead[units[_among(self._source_of[units + allowed.start], telling)]] -= weight
        whole = sum(weights.values())
        for left, right in claim.pairs:
            mean = (weights[left] + weights[right]) / 2
            whole += ORDER_BONUS * mean
            if left in self._vocabulary and right in self._vocabulary:
                in_order[self._with_pair(left, right, within) - allowed.start] += mean
        places = own.nonzero()[0]
        found = places + allowed.start
        value = own + BEFORE_CREDIT * before + LEAD_CREDIT * lead + ORDER_BONUS * in_order
        value = value[places] + LEAD_CREDIT * told[self._source_of[found]]
        value *= np.where(self._is_fragment[found], FRAGMENT_WORTH, 1.0)
        scores = np.rint(np.minimum(1.0, value / whole) * SCORE_STEPS) / SCORE_STEPS
        if len(scores) > limit:
            reached = (scores >= np.partition(scores, -limit)[-limit]).nonzero()[0]
            found, scores = found[reached], scores[reached]
        best = (-scores).argsort(kind="stable")[:limit]
        sources = self._source_of[found[best]]
        inside = found[best] - self.first_units[sources]
        return list(zip(sources.tolist(), inside.tolist(), scores[best].tolist(), strict=True))

    def _with_pair(self, left: str, right: str, within: range | None) -> Ints:
        """The units in which one stem follows the other, each once."""
        start, end = self._occurrences.bounds(self._vocabulary[left], within)
        follows = self._followers[start:end] == self._vocabulary[right]
        units: Ints = self._occurrences.values[start:end][follows]
        once: Ints = units[_changes(units)]
        return once


class _Occurrences:
    """Where the stems of one source are: stem, unit of the source, and the stem that follows, or -1."""

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


def _joined(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
    import numpy as np

    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def _make_lists(keys: Ints, count: int, values: Ints) -> Lists:
    """The values by their key; keys are in order, and from 0 up to `count`."""
    import numpy as np

    starts = np.searchsorted(keys, np.arange(count + 1)).astype(np.int64)
    return Lists(starts.data, values)


def _changes(units: Ints) -> Bools:
    """Which of them differ from the one before."""
    import numpy as np

    new = np.ones(len(units), np.bool_)
    new[1:] = units[1:] != units[:-1]
    return new


def _among(values: Ints, ordered: Ints) -> Bools:
    """Which of the values are in an ordered list that is not empty."""
    import numpy as np

    same: Bools = ordered[np.minimum(ordered.searchsorted(values), len(ordered) - 1)] == values
    return same
