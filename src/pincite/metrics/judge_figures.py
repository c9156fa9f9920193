"""How far a judge can be trusted: agreement with people, calibration, and a rate that labels correct."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from pincite.records import Outcome
from pincite.stats import (
    BINS,
    RESAMPLES,
    Bin,
    Calibration,
    RateEstimate,
    auroc,
    aurocs,
    balanced_accuracy,
    balanced_accuracy_interval,
    best_cuts,
    best_threshold,
    by_score,
    calibration_error,
    cohen_kappa,
    corrected_rate,
    counted_interval,
    cross_fitted,
    fit_platt,
    kappas,
    labels_alone,
    macro_f1,
    macro_f1s,
    reliability,
    wilson,
)

FEW = 30
"""With fewer rows of either class a calibration is rough, and said to be."""
LEAST = 2
"""With fewer rows of either class none is fitted."""
IN_A_BIN = 10
"""Below ten bins of this many rows there are fewer bins: one row is no curve."""
WORK = 5_000_000
"""Rows times resamples of one interval: beyond it the resamples get fewer, never under 200."""


class JudgedRow(Struct, frozen=True):
    """What a judge said of one row, and what people said."""

    outcome: Outcome
    score: float
    label: bool | None = None
    source: str | None = None

    @property
    def said(self) -> bool:
        return self.outcome == "supported"


class Figure(Struct, frozen=True):
    """A figure with its 95% interval, or why there is none."""

    value: float | None
    interval: tuple[float, float] | None = None
    reason: str | None = None


class Agreement(Struct, frozen=True):
    """How well a judge's verdicts, supported or not, agree with people's labels."""

    rows: int
    supported: int
    """How many of them people call supported."""
    accuracy: Figure
    balanced_accuracy: Figure
    macro_f1: Figure
    kappa: Figure
    auroc: Figure


class Calibrated(Struct, frozen=True):
    """How true the scores are as probabilities, before and after calibrating."""

    bins: int
    error_before: float
    error_after: float
    """Each row calibrated by the other rows, so that it is no better than new rows will find it."""
    width_error_before: float
    width_error_after: float
    curve_before: list[Bin]
    curve_after: list[Bin]
    fit: Calibration


class BestThreshold(Struct, frozen=True):
    """Where the line between supported and not agrees best with people."""

    value: Figure
    """On the judge's own score."""
    calibrated: float
    """The same line on the calibrated score."""
    balanced_accuracy: float
    """On these rows, which it was chosen on."""


class Rate(Struct, frozen=True):
    """Which share of all items is supported, estimated in three ways."""

    judge_alone: float
    corrected: RateEstimate
    labels_alone: RateEstimate


class JudgeFigures(Struct, frozen=True):
    """Everything that the rows say about a judge. What they cannot say is None, with the reason."""

    agreement: Agreement
    by_source: dict[str, Agreement]
    calibration: Calibrated | None
    threshold: BestThreshold | None
    reason: str | None
    """Why there is no calibration or no threshold."""
    rate: Rate
    cautions: tuple[str, ...]


def measure_judge(rows: Sequence[JudgedRow], seed: int = 0) -> JudgeFigures:
    """The figures of a judge from judged rows, of which some have a label."""
    labelled = [row for row in rows if row.label is not None]
    sources = sorted({row.source for row in labelled if row.source is not None})
    reason = _why_not(labelled)
    calibration = None if reason else _calibrated(labelled)
    return JudgeFigures(
        _agreement(labelled, seed),
        {name: _agreement([row for row in labelled if row.source == name], seed) for name in sources},
        calibration,
        None if calibration is None else _threshold(labelled, calibration.fit, seed),
        reason,
        _rate(rows, labelled),
        _cautions(labelled, calibration),
    )


def _agreement(rows: Sequence[JudgedRow], seed: int) -> Agreement:
    import numpy as np

    labels, said = [bool(row.label) for row in rows], [row.said for row in rows]
    pairs = list(zip(labels, said, strict=True))
    # Both supported, only people, only the judge, neither.
    table = np.array(
        [pairs.count(kind) for kind in ((True, True), (True, False), (False, True), (False, False))]
    )
    given = [row.score for row in rows]
    yes, no, scores = by_score(labels, given)
    total, right = len(rows), int(table[0] + table[3])
    one_class = _one_class(rows)

    def resampled(
        value: float | None, why: str | None, statistic: Callable[[Any], Any], counts: Any
    ) -> Figure:
        if value is None:
            return Figure(None, reason=why)
        interval = counted_interval(statistic, counts, resamples=_resamples(total), seed=seed)
        return Figure(value, interval, None if interval else "too few rows, or none wrong, for an interval")

    share = right / total if total else None
    balanced = balanced_accuracy(labels, said), balanced_accuracy_interval(labels, said)
    same = "judge and people name one and the same class only"

    def split(drawn: Any) -> Any:
        return aurocs(drawn[:, : len(scores)], drawn[:, len(scores) :])

    return Agreement(
        total,
        sum(labels),
        Figure(share, wilson(right, total), None if total else one_class),
        Figure(*balanced, one_class),
        resampled(macro_f1(labels, said), one_class, macro_f1s, table),
        resampled(cohen_kappa(labels, said), same, kappas, table),
        resampled(auroc(labels, given), one_class, split, np.concatenate([yes, no])),
    )


def _calibrated(rows: Sequence[JudgedRow]) -> Calibrated:
    labels, scores = [bool(row.label) for row in rows], [row.score for row in rows]
    moved = cross_fitted(scores, labels)
    bins = max(2, min(BINS, len(rows) // IN_A_BIN))
    return Calibrated(
        bins,
        calibration_error(labels, scores, bins) or 0.0,
        calibration_error(labels, moved, bins) or 0.0,
        calibration_error(labels, scores, bins, by="width") or 0.0,
        calibration_error(labels, moved, bins, by="width") or 0.0,
        reliability(labels, scores, bins),
        reliability(labels, moved, bins),
        fit_platt(scores, labels),
    )


def _threshold(rows: Sequence[JudgedRow], fit: Calibration, seed: int) -> BestThreshold | None:
    import numpy as np

    labels = [bool(row.label) for row in rows]
    # What is contradicted stays so at any threshold, as if nothing were lower.
    scores = [0.0 if row.outcome == "contradicted" else row.score for row in rows]
    best = best_threshold(labels, scores)
    if best is None:
        return None
    yes, no, distinct = by_score(labels, scores)
    between = (distinct[:-1] + distinct[1:]) / 2.0
    interval = counted_interval(
        lambda drawn: best_cuts(drawn[:, : len(distinct)], drawn[:, len(distinct) :], between)[0],
        np.concatenate([yes, no]),
        resamples=_resamples(len(rows)),
        seed=seed,
    )
    why = None if interval else "too few rows for an interval"
    return BestThreshold(Figure(best.value, interval, why), fit.apply(best.value), best.balanced_accuracy)


def _rate(rows: Sequence[JudgedRow], labelled: Sequence[JudgedRow]) -> Rate:
    labels, predicted = [float(bool(row.label)) for row in labelled], [float(row.said) for row in labelled]
    others = [float(row.said) for row in rows if row.label is None]
    alone = (sum(predicted) + sum(others)) / len(rows)
    return Rate(alone, corrected_rate(labels, predicted, others), labels_alone(labels))


def _why_not(rows: Sequence[JudgedRow]) -> str | None:
    supported = sum(1 for row in rows if row.label)
    if _one_class(rows):
        return _one_class(rows)
    if min(supported, len(rows) - supported) < LEAST:
        return f"fewer than {LEAST} rows of one class"
    if len({row.score for row in rows}) < 2:
        return "the judge gives every row the same score"
    return None


def _one_class(rows: Sequence[JudgedRow]) -> str | None:
    if not rows:
        return "there are no rows"
    labels = {bool(row.label) for row in rows}
    if len(labels) > 1:
        return None
    return f"people call every row {'supported' if True in labels else 'not supported'}"


def _cautions(rows: Sequence[JudgedRow], calibration: Calibrated | None) -> tuple[str, ...]:
    said = []
    supported = sum(1 for row in rows if row.label)
    if calibration is not None and min(supported, len(rows) - supported) < FEW:
        said.append(
            f"{supported} supported and {len(rows) - supported} other rows are few: "
            f"a calibration is worth more with at least {FEW} of each"
        )
    if calibration is not None and calibration.fit.slope < 0.1:
        said.append(
            "the judge's scores hardly rise with people's labels: this judge does not suit these rows"
        )
    return tuple(said)


def _resamples(rows: int) -> int:
    return max(200, min(RESAMPLES, WORK // max(1, rows)))
