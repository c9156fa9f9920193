from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as their_mcnemar
from statsmodels.stats.multitest import multipletests

from pincite.stats import (
    Pairs,
    cohen_dz,
    cohen_g,
    difference_intervals,
    holm,
    mcnemar,
    pair_up,
    paired_differences,
    permutation_tests,
)

RANDOM = np.random.default_rng(4)


def means(first: np.ndarray, second: np.ndarray, **options: object):
    return pair_up(
        (first, np.ones_like(first)), (second, np.ones_like(second)), clusters=options.get("clusters")
    )


def difference_in(pairs: Pairs) -> float:
    return float(paired_differences(pairs, 0).mean())


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=2, max_size=9))
@settings(max_examples=40, deadline=None)
def test_a_small_permutation_test_is_exactly_scipys(rows: list[tuple[int, int]]) -> None:
    # Whole numbers and their sums, so that no rounding decides which sums are as far out as ours.
    first, second = np.array(rows, dtype=float).T
    (ours,) = permutation_tests(means(first, second))
    theirs = stats.permutation_test(
        (second, first),
        lambda b, a, axis=-1: b.sum(axis=axis) - a.sum(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=10_000,
    ).pvalue
    assert ours == pytest.approx(theirs)


def test_a_large_permutation_test_agrees_with_scipy_and_with_the_t_test() -> None:
    first = RANDOM.random(120)
    second = first + RANDOM.normal(0.03, 0.2, 120)
    (ours,) = permutation_tests(means(first, second))
    theirs = stats.permutation_test(
        (second - first,),
        lambda d, axis=-1: d.mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=10_000,
        rng=np.random.default_rng(1),
    ).pvalue
    assert ours == pytest.approx(theirs, abs=0.02)
    assert ours == pytest.approx(stats.ttest_rel(second, first).pvalue, abs=0.02)


def test_a_ratio_of_sums_swaps_whole_queries() -> None:
    bottom_a, bottom_b = RANDOM.integers(1, 6, (2, 8)).astype(float)
    top_a, top_b = RANDOM.binomial(bottom_a.astype(int), 0.4), RANDOM.binomial(bottom_b.astype(int), 0.7)
    (ours,) = permutation_tests(pair_up((top_a, bottom_a), (top_b, bottom_b)))
    seen = top_b.sum() / bottom_b.sum() - top_a.sum() / bottom_a.sum()
    beyond = 0
    for way in range(2**8):
        swap = np.array([way >> query & 1 for query in range(8)], dtype=bool)
        a_top, b_top = np.where(swap, top_b, top_a), np.where(swap, top_a, top_b)
        a_bottom, b_bottom = np.where(swap, bottom_b, bottom_a), np.where(swap, bottom_a, bottom_b)
        beyond += abs(b_top.sum() / b_bottom.sum() - a_top.sum() / a_bottom.sum()) >= abs(seen) - 1e-12
    assert ours == pytest.approx(beyond / 2**8)


def test_random_swaps_never_give_a_p_of_zero_and_are_seeded() -> None:
    first = RANDOM.random(50)
    pairs = means(first, first + 0.5)
    assert permutation_tests(pairs, resamples=999) == [1 / 1000]
    close = means(first, first + RANDOM.normal(0.02, 0.2, 50))
    assert permutation_tests(close, seed=1) == permutation_tests(close, seed=1)
    assert permutation_tests(close, seed=1) != permutation_tests(close, seed=2)


def test_very_many_queries_are_tested_by_the_normal_distribution_of_their_swaps() -> None:
    first = RANDOM.random(3000)
    second = first + RANDOM.normal(0.008, 0.2, 3000)
    (slow,) = permutation_tests(means(first, second))
    (fast,) = permutation_tests(means(first, second), most_resampled=1000)
    assert slow == pytest.approx(fast, abs=0.02)


def test_systems_that_agree_everywhere_have_p_one_and_no_interval() -> None:
    same = RANDOM.random(30)
    pairs = means(same, same)
    assert permutation_tests(pairs) == [1.0]
    assert difference_in(pairs) == 0.0
    (interval,) = difference_intervals(pairs)
    assert interval.bounds is None
    assert interval.method == "none: every query, or group of queries, has the same value"


def test_a_query_without_a_value_on_one_side_counts_on_neither() -> None:
    first, second = np.array([0.1, 0.5, np.nan, 0.9]), np.array([0.2, np.nan, 0.4, 0.7])
    pairs = means(first, second)
    assert pairs.there[:, 0].tolist() == [True, False, False, True]
    assert difference_in(pairs) == pytest.approx(-0.05)


def test_nothing_in_common_gives_nothing() -> None:
    pairs = means(np.array([np.nan, 0.5]), np.array([0.5, np.nan]))
    assert permutation_tests(pairs) == [None]


def test_the_interval_of_a_difference_agrees_with_scipy_on_the_differences() -> None:
    first = RANDOM.random(80)
    second = first + RANDOM.exponential(0.2, 80) - 0.1
    (ours,) = difference_intervals(means(first, second))
    theirs = stats.bootstrap(
        (second - first,), np.mean, n_resamples=10_000, method="BCa", rng=np.random.default_rng(1)
    ).confidence_interval
    assert ours.bounds == pytest.approx((theirs.low, theirs.high), abs=0.04 * (theirs.high - theirs.low))


def test_clusters_are_swapped_and_resampled_whole() -> None:
    first = RANDOM.random(60)
    shift = np.repeat(RANDOM.normal(0.05, 0.2, 12), 5)
    clusters = np.repeat(np.arange(12), 5)
    alone, together = means(first, first + shift), means(first, first + shift, clusters=clusters)
    (p_alone,), (p_together,) = permutation_tests(alone), permutation_tests(together)
    assert p_alone is not None and p_together is not None and p_together > p_alone
    (narrow,), (wide,) = difference_intervals(alone), difference_intervals(together)
    assert narrow.bounds and wide.bounds and wide.method == "bca, clustered"
    assert wide.bounds[1] - wide.bounds[0] > narrow.bounds[1] - narrow.bounds[0]
    sums = shift.reshape(12, 5).sum(axis=1)
    theirs = stats.permutation_test(
        (sums,),
        lambda d, axis=-1: d.mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=10_000,
    ).pvalue
    assert p_together == pytest.approx(theirs)


@given(st.integers(0, 60), st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_mcnemar_is_that_of_statsmodels(only_first: int, only_second: int) -> None:
    table = [[7, only_first], [only_second, 11]]
    if only_first + only_second:
        theirs = their_mcnemar(table, exact=True).pvalue
        assert mcnemar(only_first, only_second) == pytest.approx(theirs)


def test_mcnemar_without_a_change_says_nothing() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(5, 5) == 1.0


@pytest.mark.thorough
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
@settings(max_examples=20, deadline=None)  # theirs takes a twentieth of a second
def test_holm_is_that_of_statsmodels(values: list[float]) -> None:
    assert holm(values) == pytest.approx(list(multipletests(values, method="holm")[1]))


def test_holm_leaves_out_what_could_not_be_tested() -> None:
    assert holm([0.01, None, 0.04]) == [0.02, None, 0.04]


def test_effect_sizes() -> None:
    pulls = RANDOM.normal(0.3, 1.0, 50)
    assert cohen_dz(pulls) == pytest.approx(stats.ttest_1samp(pulls, 0).statistic / np.sqrt(50))
    assert cohen_dz(np.full(5, 0.2)) is None
    assert cohen_dz(np.array([0.2])) is None
    assert cohen_g(2, 6) == 0.25
    assert cohen_g(0, 0) is None


def test_the_paired_differences_of_a_mean_are_the_differences_of_the_scores() -> None:
    first, second = RANDOM.random((2, 20))
    pairs = means(first, second)
    assert paired_differences(pairs, 0) == pytest.approx(second - first)


def test_the_mean_of_the_paired_differences_of_a_ratio_is_its_difference() -> None:
    bottom_a, bottom_b = RANDOM.integers(1, 6, (2, 400)).astype(float)
    top_a, top_b = RANDOM.binomial(bottom_a.astype(int), 0.5), RANDOM.binomial(bottom_b.astype(int), 0.6)
    pairs = pair_up((top_a, bottom_a), (top_b, bottom_b))
    difference = top_b.sum() / bottom_b.sum() - top_a.sum() / bottom_a.sum()
    assert float(paired_differences(pairs, 0).mean()) == pytest.approx(difference)


@pytest.mark.parametrize("events", [1, 2, 3, 6])
def test_a_ratio_is_tested_by_its_events_and_not_by_how_much_each_system_says(events: int) -> None:
    wrong = np.array([1.0] * events + [0.0] * (40 - events))
    pairs = pair_up((wrong, np.ones(40)), (np.zeros(40), np.full(40, 2.0)))
    assert permutation_tests(pairs) == [pytest.approx(mcnemar(events, 0))]


@pytest.mark.slow
@pytest.mark.parametrize(("said", "rate"), [((1, 3), 0.03), ((1, 3), 0.2), ((2, 5), 0.1), ((1, 4), 0.5)])
def test_systems_that_are_as_often_wrong_seldom_differ_however_much_each_says(
    said: tuple[int, int], rate: float
) -> None:
    random, shape = np.random.default_rng(5), (60, 600)
    first, second = ((random.binomial(count, rate, shape), np.full(shape, count)) for count in said)
    chances = np.array(permutation_tests(pair_up(first, second), resamples=2000))
    assert (chances <= 0.05).mean() < 0.1
    assert (chances <= 0.05 / 31).mean() < 0.006


@pytest.mark.slow
def test_one_in_twenty_comparisons_of_equal_systems_is_called_different() -> None:
    random = np.random.default_rng(8)
    called = 0
    for trial in range(800):
        first, second = random.beta(2, 1, (2, 40))
        (p,) = permutation_tests(means(first, second), resamples=400, seed=trial)
        called += p is not None and p <= 0.05
    assert 0.03 <= called / 800 <= 0.07
