"""Intervals by resampling: seeded, so that the same data give the same interval.

A statistic is a function of row numbers: it is handed a numpy array of indices and gives a number, or None
where those rows have none (a resample without a single unsupported row has no AUROC).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

RESAMPLES = 1000
DEFINED = 0.95
"""When a smaller share of the resamples has the statistic, the sample is too small for an interval."""

AT_ONCE = 2_000_000
"""Numbers held at a time, so that many rows need no more memory than few."""

FEW_KINDS = 16

Statistic = Callable[[Any], float | None]


class Difference(Struct, frozen=True):
    """How much the second figure is above the first on the same rows."""

    value: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low > 0.0 or self.high < 0.0


def bootstrap_interval(
    statistic: Statistic,
    rows: int,
    *,
    resamples: int = RESAMPLES,
    level: float = 0.95,
    method: Literal["percentile", "bca"] = "percentile",
    seed: int = 0,
    of_many: Callable[[Any], Any] | None = None,
) -> tuple[float, float] | None:
    """The interval of a statistic over `rows` rows.

    `of_many` is the same statistic for a resample a line, NaN where there is none: many times
    faster, from the same draws.

    None when it cannot be had honestly: no rows, a statistic that too many resamples lack, or resamples that
    all give the same value, which says that the sample is too small and not that the figure is certain.
    """
    import numpy as np

    if rows < 2:
        return None
    drawn = _resampled(statistic, rows, resamples, seed, of_many)
    if len(drawn) < DEFINED * resamples or float(np.ptp(drawn)) == 0.0:
        return None
    tail = (1.0 - level) / 2.0
    shares = (tail, 1.0 - tail)
    if method == "bca":
        accelerated = _accelerated(statistic, rows, drawn, shares)
        if accelerated is None:
            return None
        shares = accelerated
    low, high = np.quantile(drawn, shares)
    return float(low), float(high)


def counted_interval(
    statistic: Callable[[Any], Any],
    counts: Any,
    *,
    resamples: int = RESAMPLES,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[float, float] | None:
    """The percentile interval of a statistic that only depends on how often each kind of row is there.

    Drawing the counts is the same as drawing the rows, and many times faster. The statistic is handed a
    resample a line and gives a number a line, NaN where there is none.
    """
    import numpy as np

    counts = np.asarray(counts)
    rows = int(counts.sum())
    if rows < 2:
        return None
    random = np.random.default_rng(seed)
    at_once = max(1, AT_ONCE // max(rows, len(counts)))
    drawn = np.concatenate(
        [
            statistic(_drawn_counts(random, counts, min(at_once, resamples - done)))
            for done in range(0, resamples, at_once)
        ]
    )
    drawn = drawn[~np.isnan(drawn)]
    if len(drawn) < DEFINED * resamples or float(np.ptp(drawn)) == 0.0:
        return None
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(drawn, (tail, 1.0 - tail))
    return float(low), float(high)


def _drawn_counts(random: Any, counts: Any, resamples: int) -> Any:
    import numpy as np

    rows, kinds = int(counts.sum()), len(counts)
    if kinds < FEW_KINDS:
        return random.multinomial(rows, counts / rows, size=resamples)
    # With many kinds of rows it is faster to draw the rows and to count them.
    kind = np.repeat(np.arange(kinds), counts)[random.integers(0, rows, (resamples, rows))]
    kind += kinds * np.arange(resamples)[:, None]
    return np.bincount(kind.reshape(-1), minlength=kinds * resamples).reshape(resamples, kinds)


def paired_difference(
    first: Statistic,
    second: Statistic,
    rows: int,
    *,
    resamples: int = RESAMPLES,
    level: float = 0.95,
    seed: int = 0,
) -> Difference | None:
    """The second statistic less the first, both on the same resampled rows; None when it cannot be had."""
    import numpy as np

    def apart(chosen: Any) -> float | None:
        one, other = first(chosen), second(chosen)
        return None if one is None or other is None else other - one

    value = apart(np.arange(rows))
    if rows < 2 or value is None:
        return None
    drawn = _resampled(apart, rows, resamples, seed)
    if len(drawn) < DEFINED * resamples:
        return None
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(drawn, (tail, 1.0 - tail))
    return Difference(value, float(low), float(high))


def _resampled(
    statistic: Statistic, rows: int, resamples: int, seed: int, of_many: Callable[[Any], Any] | None = None
) -> Any:
    import numpy as np

    random = np.random.default_rng(seed)
    if of_many is not None:
        at_once = max(1, AT_ONCE // rows)
        drawn = np.concatenate(
            [
                of_many(random.integers(0, rows, (min(at_once, resamples - done), rows)))
                for done in range(0, resamples, at_once)
            ]
        )
        return drawn[~np.isnan(drawn)]
    values = (statistic(random.integers(0, rows, rows)) for _ in range(resamples))
    return np.array([value for value in values if value is not None], dtype=float)


def _accelerated(
    statistic: Statistic, rows: int, drawn: Any, shares: tuple[float, float]
) -> tuple[float, float] | None:
    """Which shares of the resamples bound the interval, corrected for bias and for skew (BCa)."""
    from statistics import NormalDist

    import numpy as np

    normal = NormalDist()
    everything = np.arange(rows)
    value = statistic(everything)
    if value is None:
        return None
    below = float(np.mean(drawn < value) + np.mean(drawn == value) / 2.0)
    if not 0.0 < below < 1.0:
        return None
    bias = normal.inv_cdf(below)
    left_out = [statistic(np.delete(everything, row)) for row in range(rows)]
    if any(one is None for one in left_out):
        return None
    apart = np.mean(np.array(left_out, dtype=float)) - np.array(left_out, dtype=float)
    spread = float(np.sum(apart**2)) ** 1.5
    skew = float(np.sum(apart**3)) / (6.0 * spread) if spread else 0.0

    def corrected(share: float) -> float:
        shifted = bias + normal.inv_cdf(share)
        return normal.cdf(bias + shifted / (1.0 - skew * shifted))

    return corrected(shares[0]), corrected(shares[1])
