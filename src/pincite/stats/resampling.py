"""Bias-corrected and accelerated bootstrap intervals (BCa) of many figures from the same resamples.

A resample is how often it drew each unit, so a block of resamples is a matrix of counts, and one product of
matrices gives every figure's sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pincite.stats.figures import Interval, RatioTerm, product, steady, values_of

DEFINED = 0.95
"""When a smaller share of the resamples has the figure, the sample is too small for an interval."""
MANY = 2000
AT_ONCE = 500_000
"""Counts held at a time."""


def bca_intervals(terms: Sequence[RatioTerm], resamples: int, seed: int, level: float) -> list[Interval]:
    """Bias-corrected and accelerated intervals of all columns from the same resamples."""
    from statistics import NormalDist

    import numpy as np

    normal = NormalDist()
    units, metrics = terms[0].numerators.shape
    packed = [
        RatioTerm(t.sign, _distinct_columns(t.numerators), _distinct_columns(t.denominators)) for t in terms
    ]
    drawn = np.concatenate(
        [
            # A lambda of its own block: the counts are overwritten by the next.
            values_of(packed, lambda part, counts=counts: product(counts, part[0])[:, part[1]])
            for counts in resampled_counts(units, resamples, seed)
        ]
    )
    value = values_of(terms, lambda part: part.sum(axis=0))
    left_out = values_of(terms, lambda part: part.sum(axis=0) - part)
    tail = (1.0 - level) / 2.0
    found = []
    for column in range(metrics):
        figures = drawn[:, column]
        figures = figures[~np.isnan(figures)]
        if len(figures) < DEFINED * resamples:
            found.append(Interval(None, "none: too few queries have something to score"))
            continue
        near = 1e-12 * max(1.0, abs(value[column]))  # equal sums in another order may differ by rounding
        below = float(np.mean(figures < value[column] - near) + np.mean(figures <= value[column] + near)) / 2
        if not 0.0 < below < 1.0:
            found.append(Interval(None, "none: too few queries differ"))
            continue
        skew = _acceleration(left_out[:, column])
        bias = normal.inv_cdf(below)
        shares = []
        for share in (tail, 1.0 - tail):
            shifted = bias + normal.inv_cdf(share)
            scale = 1.0 - skew * shifted
            shares.append(normal.cdf(bias + shifted / scale) if scale > 0 else float(share > 0.5))
        low, high = np.quantile(figures, sorted(shares))
        found.append(Interval((steady(low), steady(high)), "bca"))
    return found


def resampled_counts(units: int, resamples: int, seed: int) -> Iterator[Any]:
    """How often each unit was drawn, one resample per line, in blocks that stay in the processor's cache."""
    import numpy as np

    bits = np.random.SFC64(seed)
    at_once = max(1, min(resamples, AT_ONCE // units))
    counts = np.empty((at_once, units))
    for done in range(0, resamples, at_once):
        lines = min(at_once, resamples - done)
        # 32 random bits, scaled to the number of units: no unit is likelier than another by more than
        # units / 2**32, and it takes half the time of drawing whole numbers without that trace of a bias.
        drawn = bits.random_raw((lines * units + 1) // 2).view(np.uint32)[: lines * units].astype(np.uint64)
        drawn *= np.uint64(units)
        drawn >>= np.uint64(32)
        chosen = drawn.view(np.int64).reshape(lines, units)
        if units < MANY:  # many short lines are faster counted as one long one
            chosen += units * np.arange(lines)[:, None]
            counts[:lines] = np.bincount(chosen.ravel(), minlength=lines * units).reshape(lines, units)
        else:
            for line in range(lines):
                counts[line] = np.bincount(chosen[line], minlength=units)
        yield counts[:lines]


def _distinct_columns(columns: Any) -> tuple[Any, list[int]]:
    """Each column once, and where each stands: metrics of the same queries often share their denominators."""
    seen: dict[bytes, int] = {}
    place = [seen.setdefault(column.tobytes(), len(seen)) for column in columns.T]
    first = [place.index(number) for number in range(len(seen))]
    return columns[:, first], place


def _acceleration(left_out: Any) -> float:
    """The skew of the figure, from leaving each unit out once; what has no value without a unit is left."""
    import numpy as np

    left_out = left_out[~np.isnan(left_out)]
    if not len(left_out):
        return 0.0
    apart = left_out.mean() - left_out
    spread = float(np.sum(apart**2)) ** 1.5
    return float(np.sum(apart**3)) / (6.0 * spread) if spread else 0.0
