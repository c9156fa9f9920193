"""A metric over time: a table with a small chart, or JSON. Only formats."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pincite.reports.display import fold_words, safe, width
from pincite.reports.runs.eval_table import NONE, cut_middle, interval_text

if TYPE_CHECKING:
    from pincite.store.trends import TrendPoint

WIDE = 80
LEAST_CHART, MOST_CHART = 10, 40
LONGEST_NAME = 24
_POINT, _LINE, _LEFT, _RIGHT = "●", "─", "├", "┤"


def trend_text(metric: str, points: Sequence[TrendPoint], columns: int | None = None) -> str:
    """A line a run: value, interval, how many queries, and where that lies between the ends of the scale."""
    low, high = _scale(points)
    rows = [
        [safe(point.run_id), _figure(point.value), interval_text(point.confidence_interval), str(point.n)]
        for point in points
    ]
    header = ["run", "value", "95% interval", "n"]
    taken = sum(max(len(row[index]) for row in (header, *rows)) + 2 for index in range(len(header)))
    names = _names(points, (columns or WIDE) - taken - LEAST_CHART - 2)
    left = 1
    if names:
        left, header = 2, ["run", "name", *header[1:]]
        rows = [[row[0], name, *row[1:]] for row, name in zip(rows, names, strict=True)]
    widths = [max(width(row[index]) for row in (header, *rows)) for index in range(len(header))]
    room = max(LEAST_CHART, min(MOST_CHART, (columns or WIDE) - sum(widths) - 2 * len(widths)))
    ends = f"{_figure(low)} {_figure(high).rjust(room - 1 - len(_figure(low)))}"
    lines = [f"{safe(metric)}, {len(points)} {'run' if len(points) == 1 else 'runs'}, the oldest first"]
    for row, chart in zip((header, *rows), (ends, *(_bar(p, low, high, room) for p in points)), strict=True):
        padded = [
            cell + spaces if index < left else spaces + cell
            for index, cell in enumerate(row)
            for spaces in (" " * (widths[index] - width(cell)),)
        ]
        lines.append("  ".join([*padded, chart]).rstrip())
    lines += _change(points, columns or WIDE)
    return "".join(f"{line}\n" for line in lines)


def _names(points: Sequence[TrendPoint], room: int) -> list[str]:
    """What the runs are called, as far as there is room for it; empty where none has a name."""
    longest = min(room, LONGEST_NAME)
    if longest < len("name") or not any(point.name for point in points):
        return []
    return [cut_middle(safe(point.name or ""), longest) for point in points]


def trend_json(metric: str, dataset: str | None, points: Sequence[TrendPoint]) -> str:
    from pincite.records import SCHEMA_VERSION
    from pincite.reports.display import dump

    listed: list[dict[str, Any]] = [
        {
            "run_id": point.run_id,
            "name": point.name,
            "started_at": datetime.fromtimestamp(point.started, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "dataset_id": point.dataset_id,
            "value": point.value,
            "confidence_interval": point.confidence_interval,
            "n": point.n,
            "not_scorable": point.not_scorable,
            "unjudged": point.unjudged,
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
    told = f"from {_figure(first.value)} to {_figure(last.value)}; whether that is more than chance says"
    return [
        *fold_words(told, columns),
        f"pincite runs compare {safe(first.run_id)} {safe(last.run_id)}",
    ]


def _figure(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"
