"""Prediction-powered inference: a rate from a few labels and many predictions, right even if they are biased.

A judge has said something (`predicted`, 0 to 1) about many items; people have labelled a few of them, drawn
at random. With n labelled and N other items the corrected rate is

    rate = λ · mean(predicted of the N) + mean(label − λ · predicted of the n)

The second part measures on the labelled items what the judge gets wrong, and takes it away. Whatever λ is,
the judge's bias cancels; λ only sets how narrow the interval is, whose variance is

    variance(label − λ · predicted) / n + λ² · variance(predicted) / N

λ = 1 is the classical estimate. The power-tuned one (PPI++) takes the λ with the least variance,

    λ = covariance(label, predicted) / ((1 + n / N) · variance(predicted)), kept between 0 and 1,

so an uninformative judge gets λ = 0 and only the labels count. Each labelled item gets the λ that the
other items give: a λ tuned on the very items that it corrects would bring a small bias back.

A rate near 0 or 1, or a judge that is right on every labelled item, would give the normal interval no width.
So the interval, not the rate, is computed with four more labelled items, two for each way in which a judge
can be wholly wrong: as Agresti and Coull do for a plain share, to which it comes down at λ = 0.

Related items, such as claims about one document, are not independent. Where clusters are given,
what each item adds to the estimate is summed by cluster, and the interval is Student's over the clusters that
have labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, Literal

from msgspec import Struct

from pincite.base import np
from pincite.stats.figures import cluster_codes
from pincite.stats.intervals import Z95, wilson

FEW = 30
"""Below this many labels, or with fewer than `RARE` of either class, the interval is only roughly right."""
RARE = 5
EXTRA = 2
"""Extra labelled items for each way of being wholly wrong, in the interval of a rate."""

Numbers = Sequence[float] | Any
"""A list of numbers, or an array."""

Method = Literal["power-tuned", "classical", "wilson", "none"]


class RateEstimate(Struct, frozen=True):
    """A rate with its 95% interval, how it was estimated, and a caution."""

    rate: float | None
    interval: tuple[float, float] | None
    method: Method
    labelled: int
    predicted: int
    """Items with a prediction and no label."""
    weight: float = 0.0
    """λ: how far the predictions were relied on."""
    caution: str | None = None


def corrected_rate(
    labels: Numbers,
    predicted: Numbers,
    others: Numbers,
    *,
    weight: float | None = None,
    clusters: Any = None,
    z: float = Z95,
) -> RateEstimate:
    """The share of items that are supported, from labels, what was predicted of them, and of the others.

    `weight` is λ: None tunes it, 1 is the classical estimate. All values lie between 0 and 1. Without others
    there is nothing to correct, and the labels alone give the rate. `clusters` names the one of each labelled
    item, and then of each other one.
    """
    if len(labels) != len(predicted):
        raise ValueError(f"{len(labels)} labels for {len(predicted)} predictions")
    n, many = len(labels), len(others)
    if n < 2 or not many:
        return labels_alone(labels, many)
    y, f, rest = (np.asarray(column, dtype=float) for column in (labels, predicted, others))
    weights = _weights(y, f, rest, weight)
    rate = _rate(y, f, rest, weights)
    codes = cluster_codes(clusters, n + many)
    bounds = _normal(y, f, rest, weights, z) if codes is None else _clustered(y, f, rest, weights, z, codes)
    # Taking away a bias may lead just past the ends; a rate cannot.
    low, high = max(0.0, bounds[0]), min(1.0, bounds[1])
    kept = min(1.0, max(0.0, rate))
    return RateEstimate(
        kept,
        (min(low, kept), max(high, kept)),
        "power-tuned" if weight is None else "classical",
        n,
        many,
        float(weights.mean()),
        _caution(labels),
    )


def labels_alone(labels: Numbers, predicted: int = 0) -> RateEstimate:
    """The share that the labels alone give, with Wilson's interval."""
    n = len(labels)
    if not n:
        return RateEstimate(None, None, "none", 0, predicted, caution="there are no labels")
    hits = round(sum(labels))
    return RateEstimate(sum(labels) / n, wilson(hits, n), "wilson", n, predicted, caution=_caution(labels))


def _rate(y: Any, f: Any, rest: Any, weights: Any) -> float:
    return float(weights.mean() * rest.mean() + (y - weights * f).mean())


def _weights(y: Any, f: Any, rest: Any, given: float | None) -> Any:
    """λ for each labelled item, tuned on all other items; sums less one item keep it linear."""
    n, everything = len(y), len(y) + len(rest)
    if given is not None:
        return np.full(n, float(given))
    if n < 3:
        return np.zeros(n)
    labels, said = y.sum() - y, f.sum() - f
    together = ((y * f).sum() - y * f - labels * said / (n - 1)) / (n - 2)
    total = f.sum() + rest.sum() - f
    squares = (f * f).sum() + (rest * rest).sum() - f * f
    spread = (squares - total * total / (everything - 1)) / (everything - 2)
    known = spread > 1e-12
    tuned = together / ((1.0 + n / len(rest)) * np.where(known, spread, 1.0))
    return np.where(known, np.clip(tuned, 0.0, 1.0), 0.0)


def _normal(y: Any, f: Any, rest: Any, weights: Any, z: float) -> tuple[float, float]:
    weight = float(weights.mean())
    apart = np.concatenate([y - weights * f, np.repeat([1.0, -weight], EXTRA)])
    middle = weight * float(rest.mean()) + float(apart.mean())
    variance = float(apart.var()) / len(apart) + weight**2 * float(rest.var()) / len(rest)
    return middle - z * sqrt(variance), middle + z * sqrt(variance)


def _clustered(y: Any, f: Any, rest: Any, weights: Any, z: float, codes: Any) -> tuple[float, float]:
    """The same with what items add summed by cluster; each extra item is a cluster of its own."""
    from statistics import NormalDist

    from scipy.special import stdtrit

    weight, labelled = float(weights.mean()), len(np.unique(codes[: len(y)]))
    if labelled < 2:
        return 0.0, 1.0  # labels of one document say nothing about another
    apart = np.concatenate([y - weights * f, np.repeat([1.0, -weight], EXTRA)])
    middle = weight * float(rest.mean()) + float(apart.mean())
    added = (apart - apart.mean()) / len(apart)
    items = np.concatenate([added[: len(y)], weight * (rest - rest.mean()) / len(rest)])
    sums = np.bincount(codes, weights=items)
    extra = added[len(y) :]
    error = sqrt(float(sums @ sums) * labelled / (labelled - 1) + float(extra @ extra))
    reach = float(stdtrit(labelled - 1, NormalDist().cdf(z))) * error
    return middle - reach, middle + reach


def _caution(labels: Numbers) -> str | None:
    n, hits = len(labels), round(sum(labels))
    if n < FEW:
        return f"{n} labels are few: take the interval as a rough guide, and label at least {FEW}"
    if min(hits, n - hits) < RARE:
        rare = "supported" if hits < n - hits else "not supported"
        return f"only {min(hits, n - hits)} of {n} labels say {rare}: take the interval as a rough guide"
    return None
