"""Student's t over few groups of queries, against SciPy and by simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from pincite.stats import Pairs, group_tests, pair_up, permutation_tests

RUNS = 4000


def paired(first: Any, second: Any, groups: Any) -> Pairs:
    ones = np.ones_like(first)
    return pair_up((first, ones), (second, ones), clusters=np.asarray(groups))


@given(st.lists(st.lists(st.integers(-99, 99), min_size=3, max_size=3), min_size=2, max_size=11))
def test_equal_groups_are_scipys_t_test_with_a_group_of_zero_in_the_spread(given: list[list[int]]) -> None:
    values = np.array(given) / 100
    count, means = len(values), values.mean(axis=1)
    assume(np.ptp(means) > 1e-9 and abs(means.mean()) > 1e-9)
    before = np.full(values.size, 5.0)  # above 1, so that no bound is cut
    (found,) = group_tests(paired(before, before + values.ravel(), np.repeat(np.arange(count), 3)))
    # From SciPy's statistic the groups' own squares; a further group of 0 adds G ÷ (G + 1) times the mean's.
    squares = (means.mean() / stats.ttest_1samp(means, 0.0).statistic) ** 2 * count * (count - 1)
    error = np.sqrt((squares + means.mean() ** 2 * count / (count + 1)) / count / count)
    assert error == pytest.approx(np.std(np.append(means, 0.0), ddof=1) / np.sqrt(count))
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(means.mean()) / error, count - 1))
    reach = stats.t.ppf(0.975, count - 1) * error
    assert found.interval.bounds == pytest.approx((means.mean() - reach, means.mean() + reach))


def test_groups_that_all_differ_alike_prove_more_the_more_there_are() -> None:
    chances = []
    for count in range(2, 12):
        zeros = np.zeros(2 * count)
        (found,) = group_tests(paired(zeros, zeros + 0.5, np.repeat(np.arange(count), 2)))
        expected = 2 * stats.t.sf(np.sqrt(count * (count + 1)), count - 1)
        assert found.p_value == pytest.approx(expected)
        chances.append(found.p_value or 0.0)
    assert chances == sorted(chances, reverse=True)
    assert chances[1] > 0.05 > chances[2]  # three groups decide nothing, four can


@pytest.mark.thorough
@pytest.mark.parametrize(
    "sizes", [[8, 8, 8], [8] * 6, [6] * 8, [4] * 11, [1, 2, 3, 4, 6, 10], [1] * 6 + [20]]
)
@pytest.mark.parametrize("effect", [0.0, 0.05, 0.3])
@pytest.mark.parametrize("kind", ["scores", "right or wrong", "pooled"])
def test_equal_systems_differ_in_about_one_of_twenty_comparisons_at_most(
    sizes: list[int], effect: float, kind: str
) -> None:
    """However much the documents favour one system or the other, and however unlike their sizes are."""
    random = np.random.default_rng(7)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    shape = (len(groups), RUNS)
    favour = random.normal(0.0, effect, (len(sizes), RUNS))[groups]
    if kind == "scores":
        ones = np.ones(shape)
        sides = [(random.normal(0.5 + sign * favour / 2, 0.1, shape), ones) for sign in (-1, 1)]
    else:
        most = (1, 1) if kind == "right or wrong" else (3, 6)
        amounts = [random.integers(1, top + 1, shape) for top in most]
        rates = [np.clip(0.6 + sign * favour / 2, 0, 1) for sign in (-1, 1)]
        sides = [
            (random.binomial(amount, rate).astype(float), amount.astype(float))
            for amount, rate in zip(amounts, rates, strict=True)
        ]
    found = group_tests(pair_up(sides[0], sides[1], clusters=groups))
    assert np.mean([(one.p_value if one.p_value is not None else 1.0) <= 0.05 for one in found]) <= 0.067


def test_an_interval_stays_within_what_is_possible() -> None:
    zeros, ones = np.zeros(6), np.ones(6)
    (found,) = group_tests(paired(zeros, ones, [0, 0, 1, 1, 2, 2]))
    assert found.interval.bounds is not None
    assert found.interval.bounds[1] == 1.0


def test_what_cannot_be_compared_has_a_reason_and_no_number() -> None:
    nothing = np.full(4, np.nan)
    pairs = pair_up((nothing, nothing), (nothing, nothing), clusters=np.array([0, 0, 1, 1]))
    assert permutation_tests(pairs) == [None]
    (found,) = group_tests(pairs)
    assert (found.interval.bounds, found.p_value) == (None, None)
    (one,) = group_tests(paired(np.array([1.0, 1, np.nan, np.nan]), np.zeros(4), [0, 0, 1, 1]))
    assert (one.interval.method, one.p_value) == ("none: fewer than two groups", 1.0)
