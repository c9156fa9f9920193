"""Intervals of many ratios of sums at once: BCa, Wilson, or the delta method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pincite.base import np
from pincite.stats.figures import (
    Interval,
    RatioTerm,
    as_columns,
    cluster_codes,
    influences,
    part_of,
    possible_range,
    product,
    steady,
    summed,
    values_of,
)
from pincite.stats.intervals import wilson

RESAMPLES = 10_000
MOST_RESAMPLED = 20_000
"""With more units the distribution is so nearly normal that the delta method gives the same, at once."""
FEW = 200
"""With fewer units a metric is only resampled with others on the same units: how many of them a resample
holds must not vary."""
FEWEST_RESAMPLED = 10
"""Resampling fewer units than this gives intervals that are far too narrow; Student's t knows of it."""


def ratio_intervals(
    numerators: Any,
    denominators: Any,
    *,
    clusters: Any = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
    most_resampled: int = MOST_RESAMPLED,
) -> list[Interval]:
    """The interval of each column's ratio of sums, over n queries × m metrics; NaN: not in that metric.

    A plain rate (every query 0 or 1, over a denominator of 1, or a share that is 0 or 1 in all queries) gets
    Wilson's interval, the others BCa, or the delta method above `most_resampled` units and below
    `FEWEST_RESAMPLED`.
    """
    top, bottom = as_columns(numerators), as_columns(denominators)
    there = ~(np.isnan(top) | np.isnan(bottom))
    codes = cluster_codes(clusters, len(top))
    term = RatioTerm(
        1.0, summed(np.where(there, top, np.nan), codes), summed(np.where(there, bottom, np.nan), codes)
    )
    found = figure_intervals((term,), units_there(there, codes), resamples, seed, level, most_resampled)
    for column in range(top.shape[1]):
        has = there[:, column]
        rate = _plain_rate(top[has, column], bottom[has, column])
        # Wilson takes queries for independent, so with clusters it is only used where BCa gives nothing.
        if rate is not None and (codes is None or found[column].bounds is None):
            units = rate[1] if codes is None else len(np.unique(codes[has]))
            found[column] = Interval(_wilson(rate, units, level), "wilson")
    return found if codes is None else [clustered(interval) for interval in found]


def figure_intervals(
    terms: Sequence[RatioTerm], there: Any, resamples: int, seed: int, level: float, most_resampled: int
) -> list[Interval]:
    """The interval of Σ sign × ratio in each column. `there` (n × m) says which units a column has."""
    found: dict[int, Interval] = {}
    counts = there.sum(axis=0)
    shared: dict[bytes, list[int]] = {}
    for column in range(there.shape[1]):
        own = part_of(terms, [column], there[:, column])
        reason = _no_interval(own)
        if reason is not None:
            found[column] = Interval(None, f"none: {reason}")
        elif not FEWEST_RESAMPLED <= counts[column] <= most_resampled:
            found[column] = Interval(_delta(own, level), "delta")
        else:
            units = there[:, column].tobytes() if counts[column] < FEW else b""
            shared.setdefault(units, []).append(column)
    for columns in shared.values():
        together = part_of(terms, columns, there[:, columns].any(axis=1))
        found.update(zip(columns, bca_intervals(together, resamples, seed, level), strict=True))
    return [found[column] for column in sorted(found)]


def units_there(there: Any, codes: Any | None) -> Any:
    """Which units have a value in each column."""
    return there if codes is None else summed(there.astype(float), codes) > 0


def _delta(terms: Sequence[RatioTerm], level: float) -> tuple[float, float]:
    """Student's interval of the figure's linear part, with the variance between units."""
    from math import sqrt

    from scipy.special import stdtrit

    pull = influences(terms)[:, 0]
    units = len(pull)
    value = float(values_of(terms, lambda part: part.sum(axis=0))[0])
    error = sqrt(float(pull @ pull) / (units * (units - 1)))
    reach = float(stdtrit(units - 1, (1.0 + level) / 2.0)) * error
    least, most = possible_range(terms)
    return steady(max(value - reach, least)), steady(min(value + reach, most))


def _no_interval(terms: Sequence[RatioTerm]) -> str | None:
    """Why one column has no interval, or None when it has one."""
    units = len(terms[0].numerators)
    if units == 0:
        return "nothing to score"
    if units < 2:
        return "fewer than two queries"
    if any(not float(term.denominators.sum()) for term in terms):
        return "nothing to divide by"
    pull = influences(terms)
    scale = max(float(np.abs(t.numerators).max() / t.denominators.mean()) for t in terms)
    if float(np.abs(pull).max()) <= 1e-12 * scale:
        return "every query, or group of queries, has the same value"
    return None


def _plain_rate(top: Any, bottom: Any) -> tuple[int, int] | None:
    """Hits and queries where every query is simply right or wrong; else None.

    So are queries whose claims are all right, or all wrong, in every one of them: resampling such a sample
    would say that the figure is certain.
    """
    if not len(top):
        return None
    if np.all(bottom == 1.0) and np.all((top == 0.0) | (top == 1.0)):
        return int(top.sum()), len(top)
    if np.all(bottom > 0) and (np.all(top == 0.0) or np.all(top == bottom)):
        return (len(top) if top[0] else 0), len(top)
    return None


def _wilson(rate: tuple[int, int], units: int, level: float) -> tuple[float, float] | None:
    """Wilson's interval; with clusters each counts once, as if its queries all said the same."""
    from statistics import NormalDist

    hits, total = rate
    if units < total:
        hits, total = round(hits * units / total), units
    return wilson(hits, total, NormalDist().inv_cdf((1.0 + level) / 2.0))


def clustered(interval: Interval) -> Interval:
    """The interval, if there is one, with the mark that its units were clusters."""
    if interval.bounds is None:
        return interval
    return Interval(interval.bounds, f"{interval.method}, clustered")


# --- BCa: a resample is how often it drew each unit, so one product of matrices gives every figure's sums ---

DEFINED = 0.95
"""When a smaller share of the resamples has the figure, the sample is too small for an interval."""
MANY = 2000
AT_ONCE = 500_000
"""Counts held at a time."""


def bca_intervals(terms: Sequence[RatioTerm], resamples: int, seed: int, level: float) -> list[Interval]:
    """Bias-corrected and accelerated intervals of all columns from the same resamples."""
    from statistics import NormalDist

    normal = NormalDist()
    units, metrics = terms[0].numerators.shape
    packed = [
        RatioTerm(t.sign, _distinct_columns(t.numerators), _distinct_columns(t.denominators)) for t in terms
    ]

    def resampled(counts: Any) -> Any:
        return values_of(packed, lambda part: product(counts, part[0])[:, part[1]])

    drawn = np.concatenate([resampled(counts) for counts in resampled_counts(units, resamples, seed)])
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
    left_out = left_out[~np.isnan(left_out)]
    if not len(left_out):
        return 0.0
    apart = left_out.mean() - left_out
    spread = float(np.sum(apart**2)) ** 1.5
    return float(np.sum(apart**3)) / (6.0 * spread) if spread else 0.0
