"""Runs compared with each other, and metrics over time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from pincite.errors import InputError
from pincite.records import Run
from pincite.reports import (
    TrendEvents,
    comparison_values,
    day,
    in_short,
    interval,
    number,
    percent,
    signed,
    standing,
    trend_events,
    trend_values,
    write_comparison,
    write_trends,
)
from pincite.runs import Comparison
from pincite.store import TrendPoint
from pincite.web import query_params
from pincite.web.pages import file_response, render, render_page_file
from pincite.web.run_list_page import RunView, find_run, main_figures, run_view
from pincite.web.site import Section, WebRoute

if TYPE_CHECKING:
    from pincite.config import Settings
    from pincite.store import Store, TrendPoint


class ComparisonsView(Struct, frozen=True):
    """Runs against a baseline, each with a test of every metric."""

    baseline: RunView
    others: list[RunView]
    comparisons: list[Comparison]


class TrendsView(Struct, frozen=True):
    """Metrics over time, the oldest run first."""

    dataset_id: str | None
    trends: dict[str, list[TrendPoint]]
    known: list[str]
    """Every metric that a finished run has."""
    events: dict[str, TrendEvents]
    """What happened at each run: its alerts, and what is not as it was in the run before."""


MOST_RUNS = 6
MOST_METRICS = 12
KEPT = 32
"""Comparisons that are kept: a finished run does not change, and to compare takes seconds."""


class ComparePage:
    """Two runs or several, each with a test of every metric."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._kept: OrderedDict[tuple[str, str], Comparison] = OrderedDict()
        self._lock = threading.Lock()

    def section(self) -> Section:
        return Section((WebRoute("/compare", self.show),), "Compare", "/compare")

    def data(self, request: Request) -> ComparisonsView:
        """The runs of an address, the oldest as the baseline where none is named."""
        named = query_params.texts(request, "run", MOST_RUNS)
        baseline = query_params.text(request, "baseline")
        runs = list(
            {run.run_id: run for run in map(self._find, (*named, *filter(None, [baseline])))}.values()
        )
        if len(runs) < 2:
            raise InputError("two runs are needed to compare: give run=A&run=B")
        # Times are kept to the second, and the ids of a day are numbered in the order of their runs.
        runs.sort(key=lambda run: (run.started_at, len(run.run_id), run.run_id))
        first = self._find(baseline) if baseline else runs[0]
        others = [run for run in runs if run.run_id != first.run_id]
        return ComparisonsView(
            run_view(first), [run_view(run) for run in others], [self._compared(first, run) for run in others]
        )

    def _find(self, reference: str) -> Run:
        return find_run(self._store, reference)

    def _compared(self, a: Run, b: Run) -> Comparison:
        key = (a.run_id, b.run_id)
        # One at a time: each reads both runs whole.
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            found = self._store.compare(a.run_id, b.run_id, settings=self._settings)
            if a.status == b.status == "finished":
                self._kept[key] = found
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            return found

    def show(self, request: Request) -> Response:
        if (
            len(query_params.texts(request, "run", MOST_RUNS)) + bool(query_params.text(request, "baseline"))
            < 2
        ):
            listed = [one.run for one in self._store.browse(limit=100).runs]
            chosen = [*query_params.texts(request, "run", MOST_RUNS), "", ""]
            return render(request, "compare.html", title="Pincite: compare", listed=listed, chosen=chosen)
        data = self.data(request)
        name = "-".join([data.baseline.run_id, *(run.run_id for run in data.others)])
        first, *more = data.comparisons
        template = "compared.html" if more else "comparison_served.html"
        values = _table(data) if more else comparison_values(first)

        def page() -> str:
            return render_page_file(template, **values) if more else write_comparison(first)

        file = file_response(request, name, data, lambda: (_COLUMNS, _rows(data)), page)
        return file or render(
            request, template, **values, data=data, downloads=query_params.downloads(request)
        )


class ComparedCell(Struct, frozen=True):
    """One metric of one run against the baseline."""

    value: str
    difference: str
    interval: str
    standing: str


def _table(data: ComparisonsView) -> dict[str, Any]:
    metrics = list(dict.fromkeys(row.name for found in data.comparisons for row in found.metrics))
    rows = []
    for metric in metrics:
        of_metric = [
            next((row for row in found.metrics if row.name == metric), None) for found in data.comparisons
        ]
        base = next((row.a for row in of_metric if row is not None), None)
        cells = [
            None
            if row is None
            else ComparedCell(number(row.b), signed(row.difference), interval(row), standing(row))
            for row in of_metric
        ]
        rows.append((metric, number(base), cells))
    return {
        "title": "Pincite: comparison",
        "baseline": data.baseline,
        "others": data.others,
        "told": [
            (run, in_short(found).removeprefix("B compared with A "), found.notes)
            for run, found in zip(data.others, data.comparisons, strict=True)
        ],
        "level": percent(data.comparisons[0].level),
        "rows": rows,
    }


_COLUMNS = (
    "run", "baseline", "metric", "baseline_value", "value", "difference", "low", "high", "p_adjusted",
    "standing",
)  # fmt: skip


def _rows(data: ComparisonsView) -> list[list[str | float | None]]:
    return [
        [found.b, found.a, row.name, row.a, row.b, row.difference, *(row.confidence_interval or (None, None)),
         row.p_adjusted, standing(row)]
        for found in data.comparisons
        for row in found.metrics
    ]  # fmt: skip


class TrendsPage:
    """Metrics over time."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def section(self) -> Section:
        return Section((WebRoute("/trends", self.show),), "Trends", "/trends")

    def data(self, request: Request) -> TrendsView:
        dataset = query_params.text(request, "dataset") or None
        known = self._store.metrics(dataset)
        wanted = query_params.texts(request, "metric", MOST_METRICS) or tuple(main_figures(tuple(known))[:3])
        since = query_params.day(request, "since")
        begin = None if since is None else datetime.fromtimestamp(since, UTC)
        name = query_params.text(request, "name") or None
        most = query_params.whole(request, "limit", 100, 1, 1000)
        found = {metric: self._store.trend(metric, dataset, begin, name)[-most:] for metric in wanted}
        return TrendsView(dataset, found, known, self._events(found, dataset))

    def _events(
        self, found: Mapping[str, Sequence[TrendPoint]], dataset: str | None
    ) -> dict[str, TrendEvents]:
        started = {point.run_id: point.started for points in found.values() for point in points}
        if not started:
            return {}
        first = datetime.fromtimestamp(min(started.values()), UTC)
        runs = self._store.runs(dataset, since=first)
        return trend_events(run for run in reversed(runs) if run.run_id in started)

    def show(self, request: Request) -> Response:
        data = self.data(request)
        header = ("metric", "run_id", "name", "started", "dataset_id", "value", "low", "high", "n")
        rows = [
            [metric, one.run_id, one.name, day(one.started), one.dataset_id, one.value,
             *(one.confidence_interval or (None, None)), one.n]
            for metric, points in data.trends.items()
            for one in points
        ]  # fmt: skip
        given = (data.trends, data.dataset_id, data.events)
        file = file_response(request, "trends", data, lambda: (header, rows), lambda: write_trends(*given))
        mixed = {point.dataset_id for points in data.trends.values() for point in points}
        return file or render(
            request,
            "trend_served.html",
            **trend_values(*given),
            known=data.known,
            chosen=list(data.trends),
            datasets=[one.name for one in self._store.mentioned("dataset")],
            asked={name: request.query_params.get(name, "") for name in ("dataset", "name", "since")},
            mixed=sorted(mixed) if len(mixed) > 1 else [],
            downloads=query_params.downloads(request),
        )
