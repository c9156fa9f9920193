"""The permutation test of two ratios of sums by swapping whole units, on the difference over its own error.

Swapped as they are, two systems of which one says more would differ for that alone. Divided by the standard
error that each swap itself has, the differences are comparable again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from pincite.base import np
from pincite.stats.figures import Pairs, product

AT_ONCE = 500_000
"""Swaps held at a time."""
NEAR = 1e-10
"""Differences that are equal but for the order of a sum count as equal."""
FEW = 1_000
"""With more units the shares of a difference are as many as it takes, and this test would say the same."""
FAR = 1e9


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
