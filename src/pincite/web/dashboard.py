"""The pages over a history: what all runs have in common, and the sections of the whole dashboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from pincite.reports import day, pick
from pincite.store import AGREEMENT
from pincite.web import query_params
from pincite.web.compare_pages import ComparePage, TrendsPage
from pincite.web.datasets import DatasetQuality, GivenDatasets
from pincite.web.pages import file_response, render, render_page_file
from pincite.web.run_list_page import RunListPage, RunView, listed_view, wanted_runs
from pincite.web.run_page import RunPage
from pincite.web.site import Section, WebRoute
from pincite.web.try_page import TryPage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.config import Settings
    from pincite.store import Store


class AlertsView(Struct, frozen=True):
    """Runs that somebody should know about, the newest first, and what was not delivered."""

    runs: list[RunView]
    total: int
    before: str | None
    after: str | None


class DatasetView(Struct, frozen=True, kw_only=True):
    """A dataset that runs used, or that the server was given."""

    dataset_id: str
    runs: int
    latest_run: str | None
    latest_at: float | None
    given: bool
    """Whether the server has its file."""
    name: str = ""
    version: str = ""
    queries: int | None = None
    quality: DatasetQuality | None = None
    """None while it is checked, or without the file."""


class DatasetsView(Struct, frozen=True):
    """All datasets, the most recently used first."""

    datasets: list[DatasetView]


class JudgeView(Struct, frozen=True, kw_only=True):
    """A judge that runs used, or that was compared with people."""

    name: str
    runs: int
    latest_run: str | None
    latest_at: float | None
    agreement: dict[str, Any] | None = None
    """What `pincite judge calibrate --store` kept: figures as its JSON has them."""


class JudgesView(Struct, frozen=True):
    """All judges, the most recently used first."""

    judges: list[JudgeView]


class AlertsPage:
    """The runs that somebody should know about."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def section(self) -> Section:
        return Section((WebRoute("/alerts", self.show),), "Alerts", "/alerts")

    def data(self, request: Request) -> AlertsView:
        page = self._store.browse(wanted_runs(request, alerted=True), **query_params.paging(request))
        runs = [listed_view(one) for one in page.runs]
        return AlertsView(runs, page.total, page.before, page.after)

    def show(self, request: Request) -> Response:
        data = self.data(request)
        of_run = ("run_id", "name", "started_at", "dataset_id")
        of_alert = ("kind", "metric", "value", "threshold", "message")
        rows = [
            [*pick(run, *of_run).values(), *pick(one, *of_alert).values()]
            for run in data.runs
            for one in run.alerts
        ]
        pages = query_params.neighbours(request, data)
        return _respond(request, "alerts", data, ((*of_run, *of_alert), rows), {}, pages)


class DatasetsPage:
    """The datasets of all runs, and those that the server was given."""

    def __init__(self, store: Store, datasets: GivenDatasets) -> None:
        self._store = store
        self._datasets = datasets

    def section(self) -> Section:
        return Section((WebRoute("/datasets", self.show),), "Datasets", "/datasets")

    def data(self, request: Request) -> DatasetsView:
        used = self._store.mentioned("dataset")
        unused = [name for name in self._datasets.named() if name not in {one.name for one in used}]
        return DatasetsView(
            [
                *(self._dataset(one.name, one.runs, one.latest, one.started) for one in used),
                *(self._dataset(name, 0, None, None) for name in unused),
            ]
        )

    def _dataset(self, name: str, runs: int, latest: str | None, at: float | None) -> DatasetView:
        found = self._datasets.get(name)
        known: dict[str, Any] = {}
        if found is not None:
            known = {"name": found.name, "version": found.version, "queries": found.count()}
            known["quality"] = self._datasets.quality(name)
        given = found is not None
        return DatasetView(dataset_id=name, runs=runs, latest_run=latest, latest_at=at, given=given, **known)

    def show(self, request: Request) -> Response:
        data = self.data(request)
        header = ("dataset_id", "version", "runs", "latest_run", "queries", "errors", "warnings", "notes")
        rows: list[Sequence[Any]] = [
            [one.dataset_id, one.version, one.runs, one.latest_run, one.queries, *_counts(one)]
            for one in data.datasets
        ]
        return _respond(request, "datasets", data, (header, rows), {"day": day})


def _counts(dataset: DatasetView) -> tuple[int | None, ...]:
    found = dataset.quality
    return (None, None, None) if found is None else (found.errors, found.warnings, found.notes)


class JudgesPage:
    """The judges of all runs, and how well they agree with people."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def section(self) -> Section:
        return Section((WebRoute("/judges", self.show),), "Judges", "/judges")

    def data(self, request: Request) -> JudgesView:
        used = {one.name: one for one in self._store.mentioned("judge")}
        kept = {name: self._store.get(AGREEMENT, name) for name in self._store.keys(AGREEMENT)}
        return JudgesView(
            [
                JudgeView(
                    name=name,
                    runs=used[name].runs if name in used else 0,
                    latest_run=used[name].latest if name in used else None,
                    latest_at=used[name].started if name in used else None,
                    agreement=kept.get(name),
                )
                for name in (*used, *(name for name in kept if name not in used))
            ]
        )

    def show(self, request: Request) -> Response:
        data = self.data(request)
        shown = [(judge, _figures(judge.agreement)) for judge in data.judges]
        header = ("judge", "runs", "latest_run", "labelled_rows", *(name for name, _ in FIGURES))
        rows = [
            [one.name, one.runs, one.latest_run, _rows_of(one.agreement), *(value for _, value, _ in figures)]
            for one, figures in shown
        ]
        values = {
            "day": day,
            "shown": [(judge, _rows_of(judge.agreement), figures) for judge, figures in shown],
            "titles": [title for _, title in FIGURES],
        }
        return _respond(request, "judges", data, (header, rows), values)


FIGURES = (
    ("accuracy", "Accuracy"),
    ("balanced_accuracy", "Balanced accuracy"),
    ("kappa", "Kappa"),
    ("auroc", "AUROC"),
)


def _rows_of(agreement: dict[str, Any] | None) -> int | None:
    found = None if agreement is None else agreement.get("agreement", {}).get("rows")
    return found if isinstance(found, int) else None


def _figures(agreement: dict[str, Any] | None) -> list[tuple[str, float | None, tuple[float, float] | None]]:
    """Each figure with its value and its interval; nothing where the judge was not compared."""
    found = {} if agreement is None else agreement.get("agreement", {})
    return [
        (title, found.get(name, {}).get("value"), found.get(name, {}).get("interval"))
        for name, title in FIGURES
    ]


def _respond(
    request: Request,
    name: str,
    data: Any,
    table: tuple[Sequence[str], Sequence[Sequence[Any]]],
    values: dict[str, Any],
    pages: tuple[str | None, str | None] = (None, None),
) -> Response:
    """The page, or the file that is asked for."""
    template, values = f"{name}.html", {"title": f"Pincite: {name}", "data": data, **values}
    file = file_response(
        request,
        name,
        data,
        lambda: table,
        lambda: render_page_file(template, **values, newer=None, older=None),
    )
    newer, older = pages
    return file or render(
        request, template, **values, newer=newer, older=older, downloads=query_params.downloads(request)
    )


def dashboard_sections(store: Store, settings: Settings, datasets: GivenDatasets) -> tuple[Section, ...]:
    """All sections, in the order of the navigation."""
    parts = (
        RunListPage(store),
        RunPage(store, datasets),
        ComparePage(store, settings),
        TrendsPage(store),
        AlertsPage(store),
        DatasetsPage(store, datasets),
        JudgesPage(store),
        TryPage(settings),
    )
    return tuple(part.section() for part in parts)
