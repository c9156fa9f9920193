"""What was found out about a judge, for people and for machines."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from pincite.metrics import Agreement, Figure, JudgeFigures
from pincite.records import SCHEMA_VERSION
from pincite.reports.display import dump, safe
from pincite.reports.reliability import reliability_lines
from pincite.stats import RateEstimate

FIGURES = (
    ("accuracy", "accuracy"),
    ("balanced_accuracy", "balanced accuracy"),
    ("macro_f1", "macro-F1"),
    ("kappa", "kappa"),
    ("auroc", "AUROC"),
)


class JudgeCounts(Struct, frozen=True):
    """What became of the rows."""

    labelled: int
    unlabelled: int
    unjudged_labelled: int
    unjudged_unlabelled: int
    unusable: int


def judge_json(judge: str, counts: JudgeCounts, figures: JudgeFigures, saved: str | None) -> str:
    shape: dict[str, Any] = {"schema_version": SCHEMA_VERSION, "judge": judge}
    shape["rows"] = msgspec.to_builtins(counts)
    shape.update(msgspec.to_builtins(figures))
    return dump({**shape, "saved": saved})


def judge_text(judge: str, counts: JudgeCounts, figures: JudgeFigures) -> str:
    return "".join(f"{line}\n" for line in _lines(judge, counts, figures))


def _lines(judge: str, counts: JudgeCounts, figures: JudgeFigures) -> list[str]:
    lines = [f"{safe(judge)}: {_rows(counts)}", ""]
    lines += [f"Agreement with people on {_of(figures.agreement)}", *_agreement(figures.agreement, "  ")]
    if figures.by_source:
        lines += ["", "By source"]
    for name, agreement in figures.by_source.items():
        lines += [f"  {safe(name)} ({_of(agreement)})", *_agreement(agreement, "    ")]
    lines.append("")
    if figures.calibration is None:
        lines.append(f"No calibration and no threshold: {figures.reason}")
    else:
        fit = figures.calibration
        lines.append(
            f"Calibration error {fit.error_before:.3f}, after calibrating {fit.error_after:.3f} "
            f"({fit.bins} bins of equal mass; of equal width {fit.width_error_before:.3f} and "
            f"{fit.width_error_after:.3f})"
        )
        lines += [f"  {line}" for line in reliability_lines(fit.curve_before)]
        lines.append(f"  calibrated log-odds = {fit.fit.slope:.3f} × log-odds {fit.fit.intercept:+.3f}")
        lines += ["", _threshold(figures)]
    cautions = [*figures.cautions, figures.rate.corrected.caution]
    return [*lines, "", *_rate(figures), *(f"Note: {caution}" for caution in cautions if caution is not None)]


def _rows(counts: JudgeCounts) -> str:
    parts = [f"{counts.labelled:,} labelled rows"]
    if counts.unlabelled:
        parts.append(f"{counts.unlabelled:,} without a label")
    unjudged = counts.unjudged_labelled + counts.unjudged_unlabelled
    if unjudged:
        parts.append(f"{unjudged:,} unjudged ({counts.unjudged_labelled:,} of them labelled)")
    if counts.unusable:
        parts.append(f"{counts.unusable:,} that could not be read")
    return ", ".join(parts)


def _of(agreement: Agreement) -> str:
    return f"{agreement.rows:,} rows, {agreement.supported:,} of them supported"


def _agreement(agreement: Agreement, indent: str) -> list[str]:
    return [f"{indent}{label:<18} {_figure(getattr(agreement, name))}" for name, label in FIGURES]


def _figure(figure: Figure) -> str:
    if figure.value is None:
        return f"none: {figure.reason}"
    return f"{figure.value:.3f}  {_interval(figure.interval)}"


def _interval(interval: tuple[float, float] | None) -> str:
    return "(no interval)" if interval is None else f"[{interval[0]:.3f}, {interval[1]:.3f}]"


def _threshold(figures: JudgeFigures) -> str:
    best = figures.threshold
    if best is None:
        return "No threshold agrees better than another: the judge does not separate the rows"
    return (
        f"The threshold that agrees best is {_figure(best.value)}, calibrated {best.calibrated:.3f}: "
        f"balanced accuracy {best.balanced_accuracy:.3f} on these rows"
    )


def _rate(figures: JudgeFigures) -> list[str]:
    rate = figures.rate
    lines = [f"Rate of supported: judge alone {rate.judge_alone:.3f}"]
    if rate.corrected.method != "wilson":
        lines[0] += f", corrected {_estimate(rate.corrected)}"
    lines[0] += f", labels alone {_estimate(rate.labels_alone)}"
    if rate.corrected.method == "wilson":
        lines.append("  (without judged rows that have no label there is nothing to correct)")
    return lines


def _estimate(estimate: RateEstimate) -> str:
    if estimate.rate is None:
        return "none"
    return f"{estimate.rate:.3f} {_interval(estimate.interval)}"
