"""Tests of a difference between two systems on the same queries, two-sided.

A is the system that was there, B the one that is to replace it; a difference is B less A. Both are given as
numerators and denominators, n queries × m metrics; a query counts in a metric where both have a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import erfc, isfinite, sqrt
from typing import Any, NamedTuple

from msgspec import Struct

from pincite.base import np
from pincite.stats.figures import (
    Interval,
    Pairs,
    RatioTerm,
    as_columns,
    cluster_codes,
    part_of,
    possible_range,
    product,
    steady,
    summed,
    values_of,
)
from pincite.stats.ratios import MOST_RESAMPLED, RESAMPLES, clustered, figure_intervals, units_there

AT_ONCE = 500_000
"""Swaps held at a time."""
NEAR = 1e-10
"""Differences that are equal but for the order of a sum count as equal."""
FEW = 1_000
"""With more units the shares of a difference are as many as it takes, and this test would say the same."""
FAR = 1e9


def pair_up(
    first: tuple[Any, Any], second: tuple[Any, Any], *, clusters: Sequence[Any] | Any | None = None
) -> Pairs:
    """Two systems' numerators and denominators as pairs of units; NaN on one side leaves a query out."""
    columns = [as_columns(part) for part in (*first, *second)]
    has = ~np.isnan(np.stack(columns)).any(axis=0)
    codes = cluster_codes(clusters, len(has))
    sums = [summed(np.where(has, part, np.nan), codes) for part in columns]
    return Pairs(
        RatioTerm(-1.0, sums[0], sums[1]),
        RatioTerm(1.0, sums[2], sums[3]),
        units_there(has, codes),
        codes is not None,
    )


def differences(pairs: Pairs) -> list[float | None]:
    """B less A in each metric; None where there is nothing to divide by."""
    found = values_of((pairs.second, pairs.first), lambda part: part.sum(axis=0))
    return [float(value) if isfinite(value) else None for value in found]


def difference_intervals(
    pairs: Pairs,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
    most_resampled: int = MOST_RESAMPLED,
) -> list[Interval]:
    """The interval of each difference: units are resampled with what both systems made of them."""
    terms = (pairs.second, pairs.first)
    found = figure_intervals(terms, pairs.there, resamples, seed, level, most_resampled)
    return [clustered(one) for one in found] if pairs.clustered else found


def permutation_tests(
    pairs: Pairs, *, resamples: int = RESAMPLES, seed: int = 0, most_resampled: int = MOST_RESAMPLED
) -> list[float | None]:
    """How often a difference this large comes about when each unit's share of it may as well be turned round.

    For a mean that is swapping what the two systems made of a unit. For a ratio of sums it is not: where one
    system always says more, swapping would also shift how much each says, and call that a difference. With
    few units and rare events the shares are so lopsided that turning them round is too bold; there the units
    are swapped too (`swapped_test`), and the larger p counts.
    Every way of turning is tried where there are no more ways than `resamples`; otherwise that many random
    ones are, and p is (b + 1) / (resamples + 1). Above `most_resampled` units the turned differences are
    taken for normal, which by then they are. None where there is nothing to compare.
    """
    seen = differences(pairs)
    shares = shares_of(pairs)
    moves = shares != 0  # turning the other units round changes nothing
    found: list[float | None] = [None] * len(seen)
    random: list[int] = []
    for column, difference in enumerate(seen):
        count = int(moves[:, column].sum())
        if difference is None:
            continue
        if count == 0:
            found[column] = 1.0
        elif 2**count <= resamples:
            turned = difference - 2 * product(every_swap(count), shares[moves[:, column]][:, [column]])[:, 0]
            found[column] = float(np.mean(as_far(turned, difference)))
        elif count > most_resampled:
            found[column] = _normal_test(shares[:, column])
        else:
            random.append(column)
    if random:
        rows = moves[:, random].any(axis=1)
        chosen = shares[rows][:, random]
        total = np.array([seen[column] for column in random], dtype=float)
        beyond = np.zeros(len(random))
        for swaps in random_swaps(int(rows.sum()), resamples, seed):
            turned = total - 2 * product(swaps, chosen)
            for place in range(len(random)):
                beyond[place] += as_far(turned[:, place], total[place]).sum()
        for place, column in enumerate(random):
            found[column] = float((beyond[place] + 1) / (resamples + 1))
    for column, p in enumerate(found):
        swapped = None if p is None else swapped_test(pairs, column, resamples=resamples, seed=seed)
        if swapped is not None and p is not None:
            found[column] = max(p, swapped)
    return found


def mcnemar(only_first: int, only_second: int) -> float:
    """McNemar's exact test from the queries that only A and only B got right."""
    from scipy.special import bdtr

    total = only_first + only_second
    return min(1.0, 2.0 * float(bdtr(min(only_first, only_second), total, 0.5))) if total else 1.0


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p-values: the chance of any false alarm among all tests stays below the level.

    What could not be tested (None) is no test and does not count.
    """
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, place) in enumerate(known):
        largest = max(largest, min(1.0, (len(known) - rank) * p))
        adjusted[place] = largest
    return adjusted


def cohen_dz(pulls: Any) -> float | None:
    """The mean difference in standard deviations of the differences; None where they do not vary."""
    if len(pulls) < 2:
        return None
    spread = float(np.std(pulls, ddof=1))
    mean = float(np.mean(pulls))
    return mean / spread if spread > NEAR * max(abs(mean), 1e-300) and spread > 0 else None


def cohen_g(only_first: int, only_second: int) -> float | None:
    """For right-or-wrong outcomes: the share of changed queries that B got right, less a half."""
    total = only_first + only_second
    return only_second / total - 0.5 if total else None


def paired_differences(pairs: Pairs, column: int) -> Any:
    """Each unit's share of the difference in a metric, times their number: for a mean, B's score less A's."""
    chosen = pairs.there[:, column]
    return shares_of(pairs)[chosen, column] * int(chosen.sum())


def shares_of(pairs: Pairs) -> Any:
    """What each unit adds to each difference; a column's sum is the difference itself.

    A unit's share is how far its numerators are from what the rate of both systems together would have given
    it, each system's over that system's own denominator. So a unit of which both make what the common rate
    says has no share, however much more one of them says about it.
    """
    a, b = pairs.first, pairs.second
    with np.errstate(divide="ignore", invalid="ignore"):
        a_whole, b_whole = a.denominators.sum(axis=0), b.denominators.sum(axis=0)
        rate = (a.numerators.sum(axis=0) + b.numerators.sum(axis=0)) / (a_whole + b_whole)
        a_part = (a.numerators - rate * a.denominators) / a_whole
        shares = (b.numerators - rate * b.denominators) / b_whole - a_part
    shares = np.nan_to_num(shares, nan=0.0, posinf=0.0, neginf=0.0)
    # What is left of shares that cancel is rounding.
    shares[np.abs(shares) <= NEAR * np.abs(shares).max(axis=0, initial=0.0)] = 0.0
    return shares


def _normal_test(shares: Any) -> float:
    spread = sqrt(float(shares @ shares))
    return erfc(abs(float(shares.sum())) / spread / sqrt(2.0)) if spread else 1.0


# --- few groups ---


class OverGroups(NamedTuple):
    """A difference in one metric as its groups show it: Student's t over the groups.

    Queries about one document succeed and fail together, so with few documents their number says little, and
    turning whole groups round has too few ways to say anything. Groups that all differ alike would leave no
    spread, and six of them would then prove anything; so the spread is that of the groups and one more that
    shows no difference.
    """

    interval: Interval
    p_value: float | None
    """None where there is nothing to compare."""


def group_tests(pairs: Pairs, *, level: float = 0.95) -> list[OverGroups]:
    """Interval and p-value of each difference, from the groups that have a value in that metric.

    What a group adds to the difference is its share as under no difference, and not how far it is from the
    difference that was seen: where one group is much larger than the others, that would find too much.
    """
    from scipy.special import stdtr, stdtrit

    every_share, found = shares_of(pairs), []
    for column, difference in enumerate(differences(pairs)):
        if difference is None:
            found.append(OverGroups(Interval(None, "none: nothing to score"), None))
            continue
        there = pairs.there[:, column]
        groups = int(there.sum())
        spread = spread_with_none(every_share[there, column] * groups)
        if groups < 2 or spread is None:
            why = "fewer than two groups" if groups < 2 else "no group of queries differs"
            found.append(OverGroups(Interval(None, f"none: {why}"), 1.0))
            continue
        error = spread / sqrt(groups)
        reach = float(stdtrit(groups - 1, (1.0 + level) / 2.0)) * error
        least, most = possible_range(part_of((pairs.second, pairs.first), [column], there))
        bounds = steady(max(difference - reach, least)), steady(min(difference + reach, most))
        p_value = 2.0 * float(stdtr(groups - 1, -abs(difference) / error))
        found.append(OverGroups(Interval(bounds, name_of_group_test(groups)), p_value))
    return found


def spread_with_none(shares: Any) -> float | None:
    """The standard deviation of what groups add and of one more that adds nothing; None where none adds."""
    largest = float(np.abs(shares).max(initial=0.0))
    return float(np.std(np.append(shares, 0.0), ddof=1)) if largest > 1e-12 else None


def name_of_group_test(groups: int) -> str:
    return f"t over {groups} groups"


# --- whole units swapped --------------------------------------------------------------------------------
#
# Swapped as they are, two systems of which one says more would differ for that alone. Divided by the standard
# error that each swap itself has, the differences are comparable again.


def swapped_test(pairs: Pairs, column: int, *, resamples: int, seed: int) -> float | None:
    """The p-value; None where it would be that of the shares' test.

    That is so with many units, and where both systems say as much about each unit: then swapping is the test.
    """
    there = pairs.there[:, column]
    a_top, a_bottom, b_top, b_bottom = (
        part[there, column]
        for part in (
            pairs.first.numerators,
            pairs.first.denominators,
            pairs.second.numerators,
            pairs.second.denominators,
        )
    )
    if len(a_top) > FEW or (a_bottom == b_bottom).all():
        return None
    moves = (a_top != b_top) | (a_bottom != b_bottom)
    first = np.stack(_parts(a_top, a_bottom, b_top), axis=1)
    second = np.stack(_parts(b_top, b_bottom, a_top), axis=1)
    changes = (second - first)[moves]
    sums = Sums(
        first.sum(axis=0), (first + second).sum(axis=0), float(a_top @ b_top), float(a_bottom @ b_bottom)
    )
    seen = float(_studentised(sums, np.zeros((1, len(sums.first))))[0])
    count = int(moves.sum())
    if 2**count <= resamples:
        return float(np.mean(as_far(_studentised(sums, product(every_swap(count), changes)), seen)))
    beyond = 0
    for swaps in random_swaps(count, resamples, seed):
        beyond += int(as_far(_studentised(sums, product(swaps, changes)), seen).sum())
    return (beyond + 1) / (resamples + 1)


class Sums(Struct, frozen=True):
    """What the difference and its error are made of, before anything is swapped."""

    first: Any
    """A's `_parts`, over all units."""
    whole: Any
    """Those of both systems: swapping moves parts from one to the other."""
    tops: float
    """Of the products of both numerators, which no swap changes."""
    bottoms: float


def _parts(top: Any, bottom: Any, other_top: Any) -> tuple[Any, ...]:
    """What a unit adds on one side."""
    return top, bottom, top * top, top * bottom, bottom * bottom, bottom * other_top


def _studentised(sums: Sums, moved: Any) -> Any:
    """B's ratio less A's over its standard error, one value per line of what was moved to A."""
    a, b = (sums.first + moved).T, (sums.whole - sums.first - moved).T
    with np.errstate(divide="ignore", invalid="ignore"):
        a_rate, b_rate = a[0] / a[1], b[0] / b[1]
        a_square = (a[2] - 2 * a_rate * a[3] + a_rate**2 * a[4]) / a[1] ** 2
        b_square = (b[2] - 2 * b_rate * b[3] + b_rate**2 * b[4]) / b[1] ** 2
        both = (sums.tops - a_rate * a[5] - b_rate * b[5] + a_rate * b_rate * sums.bottoms) / (a[1] * b[1])
        error = a_square + b_square - 2 * both
        apart = b_rate - a_rate
        spreads = error > NEAR * (a[2] / a[1] ** 2 + b[2] / b[1] ** 2)
        found = apart / np.sqrt(np.where(spreads, error, 1.0))
    # A difference without any spread is beyond all others, and so is one with nothing to divide by.
    return np.where(spreads, found, np.where(np.abs(apart) <= NEAR, 0.0, FAR))


# --- ways of swapping two systems, unit by unit ---


def every_swap(units: int) -> Any:
    """Every way of swapping so many units, one per line."""
    ways = np.arange(2**units, dtype=np.int64)
    return (ways[:, None] >> np.arange(units) & 1).astype(float)


def random_swaps(units: int, resamples: int, seed: int) -> Iterator[Any]:
    """Random ways of swapping, one per line, in blocks."""
    random = np.random.default_rng(seed)
    at_once = max(1, AT_ONCE // units)
    for done in range(0, resamples, at_once):
        lines = min(at_once, resamples - done)
        bits = np.frombuffer(random.bytes((lines * units + 7) // 8), dtype=np.uint8)
        yield np.unpackbits(bits)[: lines * units].reshape(lines, units).astype(float)


def as_far(swapped: Any, seen: float) -> Any:
    """Which values are as far from 0 as the one that was seen."""
    return np.abs(swapped) >= abs(seen) - NEAR * max(1.0, abs(seen))
