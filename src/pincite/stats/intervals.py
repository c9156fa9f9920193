"""Intervals round one figure: Wilson's round a share, and seeded percentiles of resamples."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

from pincite.base import np

Z95 = 1.959963984540054
"""The normal quantile that leaves 2.5% on each side."""

RESAMPLES = 1000
DEFINED = 0.95
"""When a smaller share of the resamples has the statistic, the sample is too small for an interval."""
AT_ONCE = 2_000_000
"""Numbers held at a time, so that many rows need no more memory than few."""
FEW_KINDS = 16

Statistic = Callable[[Any], float | None]
"""A number from an array of row numbers; None where those rows have none."""


def wilson(hits: int, total: int, z: float = Z95) -> tuple[float, float] | None:
    """Wilson's score interval of `hits` in `total`; None when there is nothing to measure."""
    if total <= 0:
        return None
    share = hits / total
    spread = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    middle, scale = share + z * z / (2 * total), 1 + z * z / total
    # At the ends the bound is exact; arithmetic alone would miss it by a rounding error.
    low = 0.0 if hits == 0 else max(0.0, (middle - spread) / scale)
    high = 1.0 if hits == total else min(1.0, (middle + spread) / scale)
    return low, high


def bootstrap_interval(
    statistic: Statistic,
    rows: int,
    *,
    resamples: int = RESAMPLES,
    level: float = 0.95,
    seed: int = 0,
    of_many: Callable[[Any], Any] | None = None,
) -> tuple[float, float] | None:
    """The interval of a statistic over `rows` rows.

    `of_many` is the same statistic for one resample per line, NaN where there is none: many times faster,
    from the same draws.

    None if there is no honest one: no rows, a statistic that too many resamples lack, or resamples that
    all give the same value, which says that the sample is too small and not that the figure is certain.
    """
    if rows < 2:
        return None
    random = np.random.default_rng(seed)
    if of_many is None:
        values = (statistic(random.integers(0, rows, rows)) for _ in range(resamples))
        drawn = np.array([np.nan if value is None else value for value in values], dtype=float)
    else:
        at_once = max(1, AT_ONCE // rows)
        draws = (min(at_once, resamples - done) for done in range(0, resamples, at_once))
        drawn = np.concatenate([of_many(random.integers(0, rows, (lines, rows))) for lines in draws])
    return _middle(drawn, resamples, level)


def counted_interval(
    statistic: Callable[[Any], Any],
    counts: Any,
    *,
    resamples: int = RESAMPLES,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[float, float] | None:
    """The interval of a statistic that only depends on how often each kind of row is there.

    Drawing the counts is the same as drawing the rows, and many times faster. The statistic takes one
    resample per line and returns one number per line, NaN where there is none.
    """
    counts = np.asarray(counts)
    rows = int(counts.sum())
    if rows < 2:
        return None
    random = np.random.default_rng(seed)
    at_once = max(1, AT_ONCE // max(rows, len(counts)))
    draws = (min(at_once, resamples - done) for done in range(0, resamples, at_once))
    drawn = np.concatenate([statistic(_drawn_counts(random, counts, lines)) for lines in draws])
    return _middle(drawn, resamples, level)


def _drawn_counts(random: Any, counts: Any, resamples: int) -> Any:
    rows, kinds = int(counts.sum()), len(counts)
    if kinds < FEW_KINDS:
        return random.multinomial(rows, counts / rows, size=resamples)
    # With many kinds of rows it is faster to draw the rows and to count them.
    kind = np.repeat(np.arange(kinds), counts)[random.integers(0, rows, (resamples, rows))]
    kind += kinds * np.arange(resamples)[:, None]
    return np.bincount(kind.reshape(-1), minlength=kinds * resamples).reshape(resamples, kinds)


def _middle(drawn: Any, resamples: int, level: float) -> tuple[float, float] | None:
    drawn = drawn[~np.isnan(drawn)]
    if len(drawn) < DEFINED * resamples or float(np.ptp(drawn)) == 0.0:
        return None
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(drawn, (tail, 1.0 - tail))
    return float(low), float(high)
