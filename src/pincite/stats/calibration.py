"""Whether a judge's probabilities are true, and how to make them truer.

The headline figure is the expected calibration error over ten bins of equal mass: as many rows in each bin,
so that a judge which says 0.9 most of the time is measured where it speaks. Bins of equal width are the
other habit, and are offered beside it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from pincite.base import np
from pincite.stats.agreement import best_cuts, by_score
from pincite.stats.intervals import wilson

BINS = 10
EDGE = 1e-4
"""Scores are kept this far from 0 and 1, where the log-odds would be infinite."""
PRIOR = 1.0
"""How many rows' worth of belief holds the fit near the judge's own scale, whatever the rows say."""
LEAST_SLOPE = 0.01
"""Calibrating never turns the order of scores round, nor makes them all the same."""

Binning = Literal["mass", "width"]


class Bin(Struct, frozen=True):
    """Rows with neighbouring scores: what the judge said of them, and what people said."""

    low: float
    high: float
    rows: int
    mean_score: float
    rate: float
    """The share that people call supported."""
    interval: tuple[float, float]


class Calibration(Struct, frozen=True):
    """Moves a score on its log-odds: `slope · logit(score) + intercept`."""

    slope: float = 1.0
    intercept: float = 0.0

    def apply(self, score: float) -> float:
        return sigmoid(self.slope * logit(score) + self.intercept)


class Threshold(Struct, frozen=True):
    """At and above `value` a row is called supported; how well that agrees with people."""

    value: float
    balanced_accuracy: float


def logit(score: float) -> float:
    kept = min(max(score, EDGE), 1.0 - EDGE)
    return math.log(kept / (1.0 - kept))


def reliability(
    labels: Sequence[bool], scores: Sequence[float], bins: int = BINS, by: Binning = "mass"
) -> list[Bin]:
    """The calibration curve, lowest scores first; rows with the same score always share a bin."""
    rows = sorted(zip(scores, labels, strict=True))
    groups: list[list[tuple[float, bool]]] = []
    for number, row in enumerate(rows):
        if by == "width":
            starts = not groups or _slot(row[0], bins) != _slot(groups[-1][0][0], bins)
        else:
            full = bool(groups) and number * bins >= len(groups) * len(rows)
            starts = not groups or (full and row[0] != groups[-1][-1][0])
        if starts:
            groups.append([])
        groups[-1].append(row)
    return [_bin(group) for group in groups]


def calibration_error(
    labels: Sequence[bool], scores: Sequence[float], bins: int = BINS, by: Binning = "mass"
) -> float | None:
    """How far, in the mean over rows, a bin's mean score is from the share that is supported (ECE)."""
    if not len(labels):
        return None
    apart = sum(one.rows * abs(one.mean_score - one.rate) for one in reliability(labels, scores, bins, by))
    return apart / len(labels)


def fit_platt(scores: Sequence[float], labels: Sequence[bool], prior: float = PRIOR) -> Calibration:
    """The slope and intercept on the log-odds that make the scores truest (Platt scaling).

    The targets are drawn in a little from 0 and 1, as Platt proposed, and `prior` holds slope and intercept
    near 1 and 0. So few rows change little, and rows that a threshold separates give a finite slope.
    """
    from scipy.optimize import minimize
    from scipy.special import expit

    if len(scores) != len(labels):
        raise ValueError(f"{len(scores)} scores for {len(labels)} labels")
    odds = np.array([logit(score) for score in scores])
    truth = np.asarray(labels, dtype=bool)
    yes, no = int(truth.sum()), int((~truth).sum())
    wanted = np.where(truth, (yes + 1) / (yes + 2), 1 / (no + 2))

    def loss(line: Any) -> tuple[float, tuple[float, float]]:
        """The log loss of a slope and an intercept, and where it falls; convex, so there is one least."""
        z = line[0] * odds + line[1]
        value = np.sum(np.logaddexp(0.0, z) - wanted * z) + prior / 2 * ((line[0] - 1) ** 2 + line[1] ** 2)
        apart = expit(z) - wanted
        return float(value), (apart @ odds + prior * (line[0] - 1), apart.sum() + prior * line[1])

    bounds, fine = ((LEAST_SLOPE, None), (None, None)), {"ftol": 1e-15, "gtol": 1e-9}
    found = minimize(loss, (1.0, 0.0), jac=True, method="L-BFGS-B", bounds=bounds, options=fine).x
    return Calibration(float(found[0]), float(found[1]))


def cross_fitted(
    scores: Sequence[float], labels: Sequence[bool], folds: int = 5, seed: int = 0
) -> list[float]:
    """Each score calibrated by the rows of the other folds, so that the error afterwards is not flattered."""
    truth = np.asarray(labels, dtype=bool)
    random = np.random.default_rng(seed)
    fold = np.zeros(len(truth), dtype=int)
    for one in (True, False):
        (members,) = np.nonzero(truth == one)
        # Every fold gets its share of each class.
        fold[random.permutation(members)] = np.arange(len(members)) % folds
    values = np.asarray(scores, dtype=float)
    fitted = [0.0] * len(truth)
    for number in range(folds):
        others = fold != number
        calibration = fit_platt(values[others].tolist(), truth[others].tolist())
        for row in np.nonzero(~others)[0]:
            fitted[row] = calibration.apply(float(values[row]))
    return fitted


def best_threshold(labels: Sequence[bool], scores: Sequence[float]) -> Threshold | None:
    """The threshold with the highest balanced accuracy, halfway between two scores.

    Of several that are equally good, the one nearest to one half. None when people name one class only, or
    the judge gives one score only: then no threshold is better than another.
    """
    yes, no, distinct = by_score(labels, scores)
    if not np.any(yes) or not np.any(no) or len(distinct) < 2:
        return None
    value, agreement = best_cuts(yes, no, (distinct[:-1] + distinct[1:]) / 2.0)
    return Threshold(float(value), float(agreement))


def _bin(group: list[tuple[float, bool]]) -> Bin:
    count = len(group)
    supported = sum(1 for _, label in group if label)
    interval = wilson(supported, count)
    assert interval is not None
    mean = math.fsum(score for score, _ in group) / count
    return Bin(float(group[0][0]), float(group[-1][0]), count, mean, supported / count, interval)


def _slot(score: float, bins: int) -> int:
    return min(int(score * bins), bins - 1)


def sigmoid(z: float) -> float:
    if z >= 0:
        return 1.0 / (1.0 + math.exp(-z))
    return math.exp(z) / (1.0 + math.exp(z))
