"""The geometry of the charts: where a figure and its interval lie on a scale. The templates draw them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from math import ceil, floor, log10
from typing import TYPE_CHECKING

from msgspec import Struct

from pincite.records import Alert, Run

if TYPE_CHECKING:
    from pincite.stats import Bin
    from pincite.store import TrendPoint

WIDTH = 300.0
"""Of a dot with its whisker, in the units of the drawing."""
MARGIN = 6.0
TREND_WIDTH, TREND_HEIGHT = 720.0, 260.0
TREND_LEFT, TREND_BOTTOM, TREND_TOP = 56.0, 48.0, 12.0
MOST_DAYS = 5
"""Runs of a trend whose days stand below it; the table has them all."""


class Scale(Struct, frozen=True):
    """A linear scale from `low` to `high`, drawn from `start` to `end`."""

    low: float
    high: float
    start: float = MARGIN
    end: float = WIDTH - MARGIN

    def place(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + min(1.0, max(0.0, share)) * (self.end - self.start), 2)


class Whisker(Struct, frozen=True):
    """A figure as a dot, its interval as a line, and a threshold or zero as a tick."""

    dot: float
    low: float | None = None
    high: float | None = None
    tick: float | None = None


def whisker(
    scale: Scale, value: float, interval: Iterable[float] | None, tick: float | None = None
) -> Whisker:
    low, high = (None, None) if interval is None else (scale.place(end) for end in interval)
    return Whisker(scale.place(value), low, high, None if tick is None else scale.place(tick))


def around_zero(values: Iterable[float | None]) -> Scale:
    """A scale with zero in the middle that holds all values."""
    reach = max((abs(value) for value in values if value is not None), default=0.0) or 1.0
    return Scale(-reach, reach)


# --- trends --------------------------------------------------------------------------------------


class TrendEvents(Struct, frozen=True):
    """What a reader should know of one run in a trend."""

    alerts: tuple[Alert, ...] = ()
    changes: tuple[str, ...] = ()
    """What is not as it was in the run before."""

    def told(self, metric: str) -> list[str]:
        """The alerts about the metric or the whole run, as they were sent."""
        return [alert.message for alert in self.alerts if alert.metric in ("", metric)]


def trend_events(runs: Iterable[Run]) -> dict[str, TrendEvents]:
    """By run id. The runs are in the order of the trend, the oldest first."""
    found: dict[str, TrendEvents] = {}
    before: Run | None = None
    for run in runs:
        found[run.run_id] = TrendEvents(tuple(run.alerts), tuple(_changes(before, run)))
        before = run
    return found


def _changes(before: Run | None, run: Run) -> Iterable[str]:
    if before is None:
        return
    for what, old, new in (
        ("dataset", *(f"{one.dataset_id} {one.dataset_version}".strip() for one in (before, run))),
        ("system", *(" ".join(filter(None, (one.target, one.system_version))) for one in (before, run))),
        ("judge", before.judge, run.judge),
        ("Pincite", *(str(one.environment.get("pincite") or "") for one in (before, run))),
    ):
        if old and new and old != new:
            yield f"{what}: {old} → {new}"
    same_name = (before.dataset_id, before.dataset_version) == (run.dataset_id, run.dataset_version)
    digests = (before.dataset_digest, run.dataset_digest)
    if same_name and all(digests) and digests[0] != digests[1]:
        yield f"dataset: the content of {run.dataset_id} changed"


class TrendDot(Struct, frozen=True):
    """A run in the chart of a trend."""

    x: float
    y: float
    low: float | None
    high: float | None
    label: str
    alerts: str = ""
    """What was said about it, in one line."""
    changes: str = ""
    """What is not as in the run before."""


class TrendChart(Struct, frozen=True):
    """A metric over time: runs at even distances, in their order."""

    dots: tuple[TrendDot, ...]
    ticks: tuple[tuple[float, str], ...]
    """Heights of the scale with their values."""
    line: str
    """The dots as the points of a line."""
    days: tuple[tuple[float, str, str], ...] = ()
    """Days below some dots, each with where its text is anchored; the first and the last always."""


def trend_chart(
    points: Iterable[TrendPoint], metric: str = "", events: Mapping[str, TrendEvents] | None = None
) -> TrendChart:
    """The runs that have a value, with what happened at each."""
    known, none = events or {}, TrendEvents()
    drawn = [point for point in points if point.value is not None]
    reached = [end for point in drawn for end in (point.value or 0.0, *(point.confidence_interval or ()))]
    heights = round_steps(min(reached, default=0.0), max(reached, default=1.0))
    up = Scale(heights[0], heights[-1], TREND_HEIGHT - TREND_BOTTOM, TREND_TOP)
    along = Scale(0, max(1, len(drawn) - 1), TREND_LEFT + 10, TREND_WIDTH - 12)
    dots = []
    for number, point in enumerate(drawn):
        label = f"{point.name or point.run_id}, {day(point.started)}: {point.value:.3f}"
        event = known.get(point.run_id, none)
        alerts, changes = "; ".join(event.told(metric)), "; ".join(event.changes)
        at = whisker(up, point.value or 0.0, point.confidence_interval)
        dots.append(TrendDot(along.place(number), at.dot, at.low, at.high, label, alerts, changes))
    ticks = tuple((up.place(value), f"{value:.6g}") for value in heights)
    line = " ".join(f"{dot.x},{dot.y}" for dot in dots)
    return TrendChart(tuple(dots), ticks, line, tuple(_days(drawn, [dot.x for dot in dots])))


def round_steps(low: float, high: float) -> list[float]:
    """Three to seven round numbers at even distances, from not above `low` to not below `high`."""
    if high - low < 1e-9 * max(1.0, abs(low), abs(high)):
        room = abs(low) / 10 or 0.5
        low, high = low - room, high + room
    size = 10.0 ** floor(log10((high - low) / 5))
    step = next(size * one for one in (1, 2, 5, 10) if (high - low) / (size * one) <= 5 + 1e-9)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(step * number, 12) for number in range(first, last + 1)]


def _days(points: Sequence[TrendPoint], places: Sequence[float]) -> Iterable[tuple[float, str, str]]:
    last = len(points) - 1
    shown = sorted({round(last * number / (MOST_DAYS - 1)) for number in range(MOST_DAYS)}) if points else []
    before = ""
    for number in shown:
        told = day(points[number].started)[:10]
        if told != before:
            yield places[number], told, "start" if not number else "end" if number == last else "middle"
        before = told


# --- calibration curves --------------------------------------------------------------------------

CURVE_SIDE, CURVE_MARGIN = 320.0, 40.0
"""Of the drawing of a calibration curve."""


class CurveDot(Struct, frozen=True):
    """One bin of a calibration curve: what the judge says across, what people say up."""

    x: float
    y: float
    low: float
    high: float
    bin: Bin


def reliability_chart(curve: Iterable[Bin]) -> tuple[CurveDot, ...]:
    """True probabilities lie on the diagonal."""
    across = Scale(0.0, 1.0, CURVE_MARGIN, CURVE_SIDE - MARGIN)
    up = Scale(0.0, 1.0, CURVE_SIDE - CURVE_MARGIN, MARGIN)
    dots = []
    for one in curve:
        low, high = map(up.place, one.interval)
        dots.append(CurveDot(across.place(one.mean_score), up.place(one.rate), low, high, one))
    return tuple(dots)


def day(seconds: float) -> str:
    """The day and time of a run, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
