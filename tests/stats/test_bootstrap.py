from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from pincite.stats import auroc, aurocs, bootstrap_interval, by_score, cohen_kappa, counted_interval, kappas

ROWS = np.random.default_rng(5).exponential(2.0, 80)


def mean_of(values: Any) -> Any:
    return lambda chosen: float(np.mean(values[chosen]))


def test_the_interval_agrees_with_scipy() -> None:
    ours = bootstrap_interval(mean_of(ROWS), len(ROWS), resamples=2000)
    theirs = stats.bootstrap(
        (ROWS,), np.mean, n_resamples=2000, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.05)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    first = bootstrap_interval(mean_of(ROWS), len(ROWS), seed=1)
    assert first == bootstrap_interval(mean_of(ROWS), len(ROWS), seed=1)
    assert first != bootstrap_interval(mean_of(ROWS), len(ROWS), seed=2)


def test_resamples_that_all_agree_give_no_interval() -> None:
    assert bootstrap_interval(mean_of(np.ones(10)), 10) is None
    assert bootstrap_interval(mean_of(np.ones(1)), 1) is None
    assert bootstrap_interval(mean_of(np.ones(0)), 0) is None


def test_a_statistic_that_many_resamples_lack_gives_no_interval() -> None:
    rare = np.array([True, *[False] * 9])
    assert bootstrap_interval(lambda chosen: 1.0 if rare[chosen].any() else None, 10) is None


def test_drawing_counts_gives_the_interval_of_drawing_rows() -> None:
    random = np.random.default_rng(6)
    labels = random.random(120) < 0.5
    scores = np.round(np.clip(random.normal(np.where(labels, 0.6, 0.4), 0.2), 0, 1), 1)
    yes, no, distinct = by_score(labels, scores)
    counted = counted_interval(
        lambda drawn: aurocs(drawn[:, : len(distinct)], drawn[:, len(distinct) :]),
        np.concatenate([yes, no]),
        resamples=3000,
    )
    by_rows = bootstrap_interval(lambda chosen: auroc(labels[chosen], scores[chosen]), 120, resamples=800)
    assert counted == pytest.approx(by_rows, abs=0.015)

    said = scores >= 0.5
    kinds = ((True, True), (True, False), (False, True), (False, False))
    table = [int(np.sum((labels == people) & (said == judge))) for people, judge in kinds]
    counted = counted_interval(kappas, table, resamples=3000)
    by_rows = bootstrap_interval(lambda chosen: cohen_kappa(labels[chosen], said[chosen]), 120, resamples=800)
    assert counted == pytest.approx(by_rows, abs=0.03)


def test_counts_that_cannot_vary_give_no_interval() -> None:
    assert counted_interval(kappas, [10, 0, 0, 0]) is None
    assert counted_interval(kappas, [5, 0, 0, 5]) is None
    assert counted_interval(kappas, [1, 0, 0, 0]) is None
