"""A metric over time: a table with a small chart, or JSON. Only formats."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pincite.records import SCHEMA_VERSION
from pincite.reports.display import dump, fold_words, pick, plural, printed, width
from pincite.reports.runs.eval_table import cut_middle, figure, interval_text, name_table

if TYPE_CHECKING:
    from pincite.store import TrendPoint

WIDE = 80
LEAST_CHART, MOST_CHART = 10, 40
LONGEST_NAME = 24
_POINT, _LINE, _LEFT, _RIGHT = "●", "─", "├", "┤"


def trend_text(metric: str, points: Sequence[TrendPoint], columns: int | None = None) -> str:
    """One line per run: value, interval, number of queries, and where that lies on the scale."""
    room = columns or WIDE
    low, high = _scale(points)
    figures = [
        [figure(point.value), interval_text(point.confidence_interval), str(point.n)] for point in points
    ]
    header = ["value", "95% interval", "n"]
    taken = sum(max(len(row[index]) for row in (header, *figures)) + 2 for index in range(3))
    runs = _titled(points, room - taken - LEAST_CHART)
    drawn = max(LEAST_CHART, min(MOST_CHART, room - taken - max(map(width, runs)) - 2))
    ends = f"{figure(low)} {figure(high).rjust(drawn - 1 - len(figure(low)))}"
    rows = [
        [run, *row, _bar(point, low, high, drawn)]
        for run, row, point in zip(runs[1:], figures, points, strict=True)
    ]
    title = f"{metric}, {plural(len(points), 'run')}, the oldest first"
    lines = [title, *name_table([runs[0], *header, ends], rows, room), *_change(points, room)]
    return printed(lines)


def _titled(points: Sequence[TrendPoint], room: int) -> list[str]:
    """The runs below their header, with what they are called as far as there is room for it."""
    runs = ["run", *(point.run_id for point in points)]
    wide = max(map(width, runs))
    longest = min(room - wide - 4, LONGEST_NAME)
    if longest < len("name") or not any(point.name for point in points):
        return runs
    names = ["name", *(cut_middle(point.name or "", longest) for point in points)]
    return [run + " " * (wide - width(run) + 2) + name for run, name in zip(runs, names, strict=True)]


def trend_json(metric: str, dataset: str | None, points: Sequence[TrendPoint]) -> str:
    figures = ("dataset_id", "value", "confidence_interval", "n", "not_scorable", "unjudged")
    listed = [
        {
            **pick(point, "run_id", "name"),
            "started_at": datetime.fromtimestamp(point.started, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            **pick(point, *figures),
        }
        for point in points
    ]
    return dump({"schema_version": SCHEMA_VERSION, "metric": metric, "dataset_id": dataset, "points": listed})


def _scale(points: Sequence[TrendPoint]) -> tuple[float, float]:
    """From the lowest to the highest that is to be drawn."""
    drawn = [
        end
        for point in points
        if point.value is not None
        for end in (point.value, *(point.confidence_interval or ()))
    ]
    if not drawn:
        return 0.0, 1.0
    low, high = min(drawn), max(drawn)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _bar(point: TrendPoint, low: float, high: float, room: int) -> str:
    if point.value is None:
        return ""

    def place(value: float) -> int:
        return min(room - 1, max(0, round((value - low) / (high - low) * (room - 1))))

    lane = [" "] * room
    if point.confidence_interval is not None:
        first, last = (place(end) for end in point.confidence_interval)
        lane[first : last + 1] = [_LINE] * (last + 1 - first)
        lane[first], lane[last] = _LEFT, _RIGHT
    lane[place(point.value)] = _POINT
    return "".join(lane)


def _change(points: Sequence[TrendPoint], columns: int) -> list[str]:
    scored = [point for point in points if point.value is not None]
    if len(scored) < 2 or len({point.dataset_id for point in points}) > 1:
        return []  # values on other queries cannot be held against each other
    if len({point.name for point in points if point.name}) > 1:
        return []  # from one system to another is no way that a figure went
    first, last = scored[0], scored[-1]
    told = f"from {figure(first.value)} to {figure(last.value)}; whether that is more than chance says"
    return [*fold_words(told, columns), f"pincite runs compare {first.run_id} {last.run_id}"]
