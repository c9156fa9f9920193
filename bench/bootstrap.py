"""Intervals of ten metrics by 10,000 resamples of 10,000 queries, against scipy.stats.bootstrap."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.figures import Figure, best_seconds

QUERIES, METRICS, RESAMPLES = 10_000, 10, 10_000


def run(data: Path | None) -> Iterator[Figure]:
    import numpy as np

    from pincite.stats import ratio_intervals

    values = np.random.default_rng(1).beta(2.0, 1.0, (QUERIES, METRICS))
    ones = np.ones_like(values)
    ours = best_seconds(lambda: ratio_intervals(values, ones, resamples=RESAMPLES), repeats=3)
    seconds, batch, bounds = by_scipy(values)
    found = ratio_intervals(values, ones, resamples=RESAMPLES)
    apart = max(
        abs(mine - theirs) / (pair[1] - pair[0])
        for interval, pair in zip(found, bounds, strict=True)
        for mine, theirs in zip(interval.bounds or (0.0, 0.0), pair, strict=True)
    )
    note = f"{seconds:.1f} s a metric at a time, batches of {batch}, against {ours:.2f} s for all at once"
    yield Figure("BCa intervals, times faster than scipy", seconds / ours, "×", 10, note=note)
    yield Figure("largest distance of a bound, in widths of the interval", apart, "", 0.05, at_most=True)
    clusters = np.arange(QUERIES) // 5
    clustered = best_seconds(
        lambda: ratio_intervals(values, ones, clusters=clusters, resamples=RESAMPLES), repeats=2
    )
    yield Figure("the same in 2,000 clusters of 5", clustered, " s")


def by_scipy(values: Any) -> tuple[float, int, list[tuple[float, float]]]:
    """Seconds for all metrics, with the size of batch that is fastest here, and the intervals.

    Metrics one after the other are several times faster than all in one call, whose resamples of all metrics
    leave the processor's cache.
    """
    batch = min((20, 50, 100, 200), key=lambda size: _one(values[:, 0], size, RESAMPLES // 10)[0])
    timed = [_one(values[:, metric], batch, RESAMPLES) for metric in range(METRICS)]
    return sum(seconds for seconds, _ in timed), batch, [bounds for _, bounds in timed]


def _one(column: Any, batch: int, resamples: int) -> tuple[float, tuple[float, float]]:
    import numpy as np
    from scipy import stats

    column = np.ascontiguousarray(column)
    start = time.perf_counter()
    found = stats.bootstrap(
        (column,),
        np.mean,
        n_resamples=resamples,
        batch=batch,
        method="BCa",
        vectorized=True,
        rng=np.random.default_rng(1),
    ).confidence_interval
    return time.perf_counter() - start, (float(found.low), float(found.high))
