"""A difference between two systems whose queries hang together in few groups: Student's t over the groups.

Queries about one document succeed and fail together, so that with few documents their number says little, and
turning whole groups round has too few ways to say anything. Student's t asks how far the groups agree. Groups
that all differ alike would leave it no spread, and six of them would then prove anything; so the spread is
reckoned as if one more group had shown no difference.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from msgspec import Struct

from pincite.stats.figures import Interval, Pairs, part_of, possible_range, steady
from pincite.stats.tests import differences, shares_of

NEAR = 1e-12
"""Shares that are smaller than this are what rounding left of none."""


class OverGroups(Struct, frozen=True):
    """A difference in one metric as its groups show it."""

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
        found.append(OverGroups(Interval(bounds, named(groups)), p_value))
    return found


def spread_with_none(shares: Any) -> float | None:
    """The standard deviation of what groups add and of one more that adds nothing; None where none adds."""
    import numpy as np

    largest = float(np.abs(shares).max(initial=0.0))
    return float(np.std(np.append(shares, 0.0), ddof=1)) if largest > NEAR else None


def named(groups: int) -> str:
    return f"t over {groups} groups"
