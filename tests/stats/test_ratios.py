from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from pincite.stats import ratio_intervals, wilson

RANDOM = np.random.default_rng(11)
SKEWED = RANDOM.exponential(1.0, (80, 3))


def bounds(found: Any) -> tuple[float, float]:
    assert found.bounds is not None, found.method
    return found.bounds


def scipy_bca(data: Any, statistic: Any, seed: int = 1, **options: Any) -> tuple[float, float]:
    found = stats.bootstrap(
        data, statistic, n_resamples=10_000, method="BCa", rng=np.random.default_rng(seed), **options
    ).confidence_interval
    return float(found.low), float(found.high)


def test_means_agree_with_scipy_within_the_noise_of_resampling() -> None:
    ours = ratio_intervals(SKEWED, np.ones_like(SKEWED))
    for column in range(3):
        theirs = [scipy_bca((SKEWED[:, column],), np.mean, seed) for seed in range(3)]
        width = theirs[0][1] - theirs[0][0]
        assert ours[column].method == "bca"
        assert bounds(ours[column]) == pytest.approx(np.mean(theirs, axis=0), abs=0.03 * width)


def test_ratios_of_sums_agree_with_scipy_on_paired_data() -> None:
    bottom = RANDOM.integers(1, 9, 60).astype(float)
    top = RANDOM.binomial(bottom.astype(int), 0.3).astype(float)
    (ours,) = ratio_intervals(top, bottom)
    theirs = scipy_bca(
        (top, bottom), lambda t, b, axis=-1: t.sum(axis=axis) / b.sum(axis=axis), paired=True, vectorized=True
    )
    assert bounds(ours) == pytest.approx(theirs, abs=0.03 * (theirs[1] - theirs[0]))


def test_clusters_are_resampled_whole_as_scipy_does_with_their_sums() -> None:
    clusters = [f"doc{row // 4}" for row in range(80)]
    sums = SKEWED[:, 0].reshape(20, 4).sum(axis=1)
    (ours,) = ratio_intervals(SKEWED[:, 0], np.ones(80), clusters=clusters)
    theirs = scipy_bca((sums,), lambda part, axis=-1: part.mean(axis=axis) / 4, vectorized=True)
    assert ours.method == "bca, clustered"
    assert bounds(ours) == pytest.approx(theirs, abs=0.03 * (theirs[1] - theirs[0]))


def test_clusters_of_one_query_each_are_no_clusters() -> None:
    plain = ratio_intervals(SKEWED, np.ones_like(SKEWED))
    assert ratio_intervals(SKEWED, np.ones_like(SKEWED), clusters=list(range(80))) == plain
    assert ratio_intervals(SKEWED, np.ones_like(SKEWED), clusters=[None] * 80) == plain


def test_rows_that_are_all_of_one_cluster_stand_alone() -> None:
    plain = ratio_intervals(SKEWED, np.ones_like(SKEWED))
    assert ratio_intervals(SKEWED, np.ones_like(SKEWED), clusters=["the only one"] * 80) == plain


def test_very_few_clusters_get_students_interval_of_their_sums() -> None:
    clusters = np.repeat(np.arange(4), 20)
    (ours,) = ratio_intervals(SKEWED[:, 0], np.ones(80), clusters=clusters)
    means = SKEWED[:, 0].reshape(4, 20).mean(axis=1)
    theirs = stats.t.interval(0.95, 3, means.mean(), stats.sem(means))
    assert ours.method == "delta, clustered"
    assert bounds(ours) == pytest.approx(theirs)
    (share,) = ratio_intervals(np.clip(SKEWED[:, 0], 0, 1), np.ones(80), clusters=clusters)
    assert 0 <= bounds(share)[0] < bounds(share)[1] <= 1


@pytest.mark.parametrize("queries", [2, 3, 5, 9])
def test_very_few_queries_get_students_interval_that_holds_the_mean_about_as_often_as_it_says(
    queries: int,
) -> None:
    random, rounds = np.random.default_rng(6), 2000
    scores = random.normal(0.5, 0.1, (queries, rounds))
    found = ratio_intervals(scores, np.ones_like(scores))
    assert {one.method for one in found} == {"delta"}
    low, high = stats.t.interval(0.95, queries - 1, scores[:, 0].mean(), stats.sem(scores[:, 0]))
    assert found[0].bounds == pytest.approx((max(low, 0.0), min(high, 1.0)))
    holds = np.mean([one.bounds is not None and one.bounds[0] <= 0.5 <= one.bounds[1] for one in found])
    assert 0.935 <= holds <= 0.965


def test_clusters_that_agree_within_make_the_interval_wider() -> None:
    same = np.repeat(RANDOM.random(30), 5)
    (alone,) = ratio_intervals(same, np.ones(150))
    (together,) = ratio_intervals(same, np.ones(150), clusters=np.repeat(np.arange(30), 5))
    low, high = bounds(together)
    assert high - low > 1.8 * (bounds(alone)[1] - bounds(alone)[0])


def test_a_query_that_is_not_in_a_metric_changes_nothing_there() -> None:
    few = SKEWED[:60]
    padded = np.vstack([few, np.full((40, 3), np.nan)])
    assert ratio_intervals(padded, np.ones_like(padded)) == ratio_intervals(few, np.ones_like(few))


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    ones = np.ones_like(SKEWED)
    assert ratio_intervals(SKEWED, ones, seed=3) == ratio_intervals(SKEWED, ones, seed=3)
    assert ratio_intervals(SKEWED, ones, seed=3) != ratio_intervals(SKEWED, ones, seed=4)


def test_a_metric_among_many_has_the_interval_it_has_alone() -> None:
    wide = RANDOM.exponential(1.0, (400, 3))
    together = ratio_intervals(wide, np.ones_like(wide))
    alone = [ratio_intervals(wide[:, column], np.ones(400))[0] for column in range(3)]
    for one, other in zip(together, alone, strict=True):
        assert bounds(one) == pytest.approx(bounds(other), rel=1e-9)


def test_a_plain_rate_gets_wilsons_interval() -> None:
    (found,) = ratio_intervals(np.array([1.0] * 7 + [0.0] * 3), np.ones(10))
    assert found.method == "wilson"
    assert bounds(found) == pytest.approx(wilson(7, 10))
    (all_right,) = ratio_intervals(np.ones(10), np.ones(10))
    assert bounds(all_right) == pytest.approx(wilson(10, 10))


@pytest.mark.parametrize(("share", "hits"), [(0.0, 0), (1.0, 3)])
def test_claims_that_are_all_wrong_or_all_right_count_once_a_query(share: float, hits: int) -> None:
    claims = np.array([3.0, 5.0, 2.0])
    (found,) = ratio_intervals(share * claims, claims)
    assert found.method == "wilson"
    assert bounds(found) == pytest.approx(wilson(hits, 3))


def test_a_rate_of_clusters_that_all_agree_counts_each_cluster_once() -> None:
    (found,) = ratio_intervals(np.ones(40), np.ones(40), clusters=np.repeat(np.arange(8), 5))
    assert found.method == "wilson, clustered"
    assert bounds(found) == pytest.approx(wilson(8, 8))
    some = np.repeat([1.0, 0.0], [30, 10])
    (part,) = ratio_intervals(some, np.ones(40), clusters=np.repeat(np.arange(20), 2))
    assert part.method == "bca, clustered"


@pytest.mark.parametrize(
    ("top", "bottom", "reason"),
    [
        ([], [], "none: nothing to score"),
        ([np.nan, np.nan], [1.0, 1.0], "none: nothing to score"),
        ([0.4], [1.0], "none: fewer than two queries"),
        ([0.4, 0.4, 0.4], [1.0, 1.0, 1.0], "none: every query, or group of queries, has the same value"),
        ([1.5, 2.5, 1.0], [3.0, 5.0, 2.0], "none: every query, or group of queries, has the same value"),
        ([0.0, 1.0], [0.0, 0.0], "none: nothing to divide by"),
    ],
)
def test_what_has_no_interval_says_why(top: list[float], bottom: list[float], reason: str) -> None:
    (found,) = ratio_intervals(np.array(top), np.array(bottom))
    assert found.bounds is None
    assert found.method == reason


def test_above_the_most_that_is_resampled_the_delta_method_gives_nearly_the_same() -> None:
    bottom = RANDOM.integers(1, 6, 4000).astype(float)
    top = RANDOM.binomial(bottom.astype(int), 0.2).astype(float)
    clusters = np.repeat(np.arange(1000), 4)
    for given_clusters in (None, clusters):
        (slow,) = ratio_intervals(top, bottom, clusters=given_clusters)
        (fast,) = ratio_intervals(top, bottom, clusters=given_clusters, most_resampled=500)
        assert fast.method == ("delta" if given_clusters is None else "delta, clustered")
        width = bounds(slow)[1] - bounds(slow)[0]
        assert bounds(fast) == pytest.approx(bounds(slow), abs=0.05 * width)


def test_a_rare_event_among_very_many_has_no_negative_bound() -> None:
    top = np.zeros(30_000)
    top[:2] = 1.0
    (found,) = ratio_intervals(top, np.full(30_000, 2.0))
    assert found.method == "delta"
    assert bounds(found)[0] == 0.0


@pytest.mark.slow
def test_nineteen_in_twenty_intervals_hold_the_true_value() -> None:
    """Ratios of sums over 60 clusters of 1 to 4 queries, whose queries share their cluster's rate."""
    random = np.random.default_rng(2)
    inside, trials = 0, 600
    for trial in range(trials):
        clusters = np.repeat(np.arange(60), random.integers(1, 5, 60))
        rate = random.beta(2, 3, 60)[clusters]
        bottom = random.integers(1, 6, len(clusters))
        top = random.binomial(bottom, rate)
        (found,) = ratio_intervals(top, bottom, clusters=clusters, resamples=1000, seed=trial)
        low, high = bounds(found)
        inside += low <= 0.4 <= high
    assert 0.92 <= inside / trials <= 0.975
