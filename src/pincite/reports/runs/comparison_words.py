"""Figures of a comparison as they are written for people, in any format."""

from __future__ import annotations

from pincite.reports.display import folded
from pincite.reports.findings.totals import plural
from pincite.runs.compare.comparing import Comparison, MetricComparison

TEXT_SHOWN = 300
"""Characters of an answer that are shown; the JSON has all of it."""
SAME, NOT_COMPARED = "without a difference", "not compared"
STANDINGS = ("better", "worse", "different", "not decisive", SAME, NOT_COMPARED)


def standing(row: MetricComparison) -> str:
    """What is to be said about a metric: its outcome, or that there is nothing to be decided."""
    if row.difference is None:
        return NOT_COMPARED
    return SAME if row.difference == 0 else row.outcome


def in_short(comparison: Comparison) -> str:
    """The whole in one sentence."""
    if not comparison.metrics:
        return "Nothing to compare: the runs share no metric."
    counts = dict.fromkeys(STANDINGS, 0)
    for row in comparison.metrics:
        counts[standing(row)] += 1
    compared = len(comparison.metrics) - counts[NOT_COMPARED]
    if not compared:
        return (
            f"Nothing was compared: no query has a value in both runs, in {_metrics(counts[NOT_COMPARED])}."
        )
    if counts[SAME] == compared:
        left = f"; {counts[NOT_COMPARED]} not compared" if counts[NOT_COMPARED] else ""
        return f"B beside A: no difference over all queries in {_metrics(compared)}{left}."
    told = [f"{count} {word}" for word, count in counts.items() if count]
    return f"B beside A, of {_metrics(len(comparison.metrics))}: {', '.join(told)}."


def _metrics(count: int) -> str:
    return plural(count, "metric")


def shown_answer(answer: str | None, failure: str | None) -> str:
    """The beginning of an answer on one line, or why there is none."""
    if answer is None:
        return f"(no answer: {folded(failure)[:TEXT_SHOWN]})" if failure else "(no answer)"
    text = folded(answer[: 4 * TEXT_SHOWN]) or "(an empty answer)"
    return text if len(text) <= TEXT_SHOWN else f"{text[:TEXT_SHOWN]}…"


def percent(level: float) -> str:
    return f"{100 * level:.4g}%"


def number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if abs(value) < 1000 else f"{value:.5g}"


def signed(value: float | None, digits: int = 3) -> str:
    if value is None:
        return "-"
    return f"{value:+.{digits}f}" if abs(value) < 1000 else f"{value:+.5g}"


def interval(row: MetricComparison) -> str:
    if row.confidence_interval is None:
        return "-"
    low, high = row.confidence_interval
    return f"[{signed(low)}, {signed(high)}]"


def chance(value: float | None) -> str:
    """A p-value."""
    if value is None:
        return "-"
    return "<0.001" if value < 0.001 else f"{value:.3f}"
