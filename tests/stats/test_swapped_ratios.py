"""Swapping whole units of two ratios, each difference over its own error: as SciPy does, and at its level."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pincite.stats import pair_up, permutation_tests

FAR = 1e9
"""A difference without any spread is beyond all others."""

UNIT = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)).map(
    lambda four: (min(four[:2]), max(*four[:2], 1), min(four[2:]), max(*four[2:], 1))
)


def studentised(first: Any, second: Any) -> float:
    """B's ratio less A's over the root of its summed squared pulls, as the definition has it."""
    (a_top, a_bottom), (b_top, b_bottom) = first, second
    a_rate, b_rate = a_top.sum() / a_bottom.sum(), b_top.sum() / b_bottom.sum()
    pulls = (b_top - b_rate * b_bottom) / b_bottom.sum() - (a_top - a_rate * a_bottom) / a_bottom.sum()
    error = float(np.sqrt(np.sum(pulls**2)))
    if error > 1e-6:
        return float((b_rate - a_rate) / error)
    return 0.0 if abs(b_rate - a_rate) <= 1e-10 else float(np.copysign(FAR, b_rate - a_rate))


@settings(max_examples=60, deadline=None)
@given(st.lists(UNIT, min_size=2, max_size=7))
def test_every_way_of_swapping_is_scipys_permutation_test(units: list[tuple[int, int, int, int]]) -> None:
    rows = np.array(units, dtype=float).T
    sides = np.concatenate([rows[:2], rows[2:]], axis=1)  # A's units, then B's, to be swapped by their number

    def statistic(first: Any, second: Any) -> float:
        return studentised(sides[:, first.astype(int)], sides[:, second.astype(int)])

    count = len(units)
    expected = stats.permutation_test(
        (np.arange(count), np.arange(count, 2 * count)),
        statistic,
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=False,
    )
    (found,) = permutation_tests(pair_up((rows[0], rows[1]), (rows[2], rows[3])))
    chance = chance_of_shares(rows)
    if (rows[1] == rows[3]).all():
        assert found == pytest.approx(chance)
        return
    ways = np.abs(expected.null_distribution)
    seen = abs(float(expected.statistic))
    assert found == pytest.approx(max(chance, float(np.mean(ways >= seen - 1e-6 * max(1.0, seen)))))


def chance_of_shares(rows: Any) -> float:
    """How often a difference as large comes of turning each unit's share of it round, in every way."""
    a_top, a_bottom, b_top, b_bottom = rows
    rate = (a_top.sum() + b_top.sum()) / (a_bottom.sum() + b_bottom.sum())
    shares = (b_top - rate * b_bottom) / b_bottom.sum() - (a_top - rate * a_bottom) / a_bottom.sum()
    turned = np.array([ways @ shares for ways in product([1, -1], repeat=len(shares))])
    return float(np.mean(np.abs(turned) >= abs(shares.sum()) - 1e-10))


def test_random_ways_come_near_to_all_of_them() -> None:
    random = np.random.default_rng(4)
    bottom_a, bottom_b = random.integers(1, 4, (2, 12)).astype(float)
    top_a, top_b = random.binomial(bottom_a.astype(int), 0.3), random.binomial(bottom_b.astype(int), 0.7)
    pairs = pair_up((top_a, bottom_a), (top_b, bottom_b))
    (every,) = permutation_tests(pairs, resamples=2**12)
    (some,) = permutation_tests(pairs, resamples=2**12 - 1)
    assert every is not None
    assert some == pytest.approx(every, abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.03, 0.1])
def test_equal_systems_with_rare_events_seldom_differ_where_some_answers_say_much_more(rate: float) -> None:
    random, shape = np.random.default_rng(5), (30, 1000)
    said_a, said_b = np.ones(shape, dtype=int), random.choice([1, 9], shape, p=[0.75, 0.25])
    pairs = pair_up((random.binomial(said_a, rate), said_a), (random.binomial(said_b, rate), said_b))
    chances = np.array(permutation_tests(pairs, resamples=999))
    assert (chances <= 0.05).mean() < 0.07
