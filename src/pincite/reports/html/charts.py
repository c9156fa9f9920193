"""The geometry of the charts: where a figure and its interval lie on a scale. The templates draw them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from math import ceil, floor, log10
from typing import TYPE_CHECKING

from msgspec import Struct

from pincite.reports.html.trend_events import TrendEvents

if TYPE_CHECKING:
    from pincite.stats.calibration import Bin
    from pincite.store.trends import TrendPoint

WIDTH, HEIGHT = 300.0, 18.0
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
    scale: Scale, value: float | None, interval: Iterable[float] | None, tick: float | None = None
) -> Whisker | None:
    """Nothing where there is no figure."""
    if value is None:
        return None
    low, high = (None, None) if interval is None else (scale.place(end) for end in interval)
    return Whisker(scale.place(value), low, high, None if tick is None else scale.place(tick))


def around_zero(values: Iterable[float | None]) -> Scale:
    """A scale with zero in the middle that holds all values."""
    reach = max((abs(value) for value in values if value is not None), default=0.0) or 1.0
    return Scale(-reach, reach)


class TrendDot(Struct, frozen=True):
    """One run of a trend chart."""

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
    ends = [end for point in drawn for end in (point.value or 0.0, *(point.confidence_interval or ()))]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    heights = round_steps(low, high)
    low, high = heights[0], heights[-1]
    up = Scale(low, high, TREND_HEIGHT - TREND_BOTTOM, TREND_TOP)
    along = Scale(0, max(1, len(drawn) - 1), TREND_LEFT + 10, TREND_WIDTH - 12)
    dots = []
    for number, point in enumerate(drawn):
        interval = point.confidence_interval
        low_end, high_end = (
            (None, None) if interval is None else (up.place(interval[0]), up.place(interval[1]))
        )
        label = f"{point.name or point.run_id}, {day(point.started)}: {point.value:.3f}"
        event = known.get(point.run_id, none)
        dots.append(
            TrendDot(
                along.place(number),
                up.place(point.value or 0.0),
                low_end,
                high_end,
                label,
                "; ".join(event.told(metric)),
                "; ".join(event.changes),
            )
        )
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
    return tuple(
        CurveDot(
            across.place(one.mean_score),
            up.place(one.rate),
            up.place(one.interval[0]),
            up.place(one.interval[1]),
            one,
        )
        for one in curve
    )


def day(seconds: float) -> str:
    """The day and time of a run, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
