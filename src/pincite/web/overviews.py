"""What all runs have in common: alerts, datasets with their quality, judges with their agreement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from pincite.reports import day, pick
from pincite.store import AGREEMENT
from pincite.web import asking
from pincite.web.pages import file_response, render, render_page_file
from pincite.web.records import ApiAlerts, ApiDataset, ApiDatasets, ApiJudge, ApiJudges, listed_run
from pincite.web.runs_listed import wanted_runs
from pincite.web.site import Section, WebRoute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.store import Store
    from pincite.web.given_datasets import GivenDatasets


class AlertsShown:
    """The runs that somebody should know about."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def section(self) -> Section:
        return Section((WebRoute("/alerts", self.show),), "Alerts", "/alerts")

    def data(self, request: Request) -> ApiAlerts:
        page = self._store.browse(wanted_runs(request, alerted=True), **asking.paging(request))
        runs = [listed_run(one) for one in page.runs]
        return ApiAlerts(runs, page.total, page.before, page.after)

    def show(self, request: Request) -> Response:
        data = self.data(request)
        of_run = ("run_id", "name", "started_at", "dataset_id")
        of_alert = ("kind", "metric", "value", "threshold", "message")
        rows = [
            [*pick(run, *of_run).values(), *pick(one, *of_alert).values()]
            for run in data.runs
            for one in run.alerts
        ]
        pages = asking.neighbours(request, data)
        return _respond(request, "alerts", data, ((*of_run, *of_alert), rows), {}, pages)


class DatasetsShown:
    """The datasets of all runs, and those that the server was given."""

    def __init__(self, store: Store, datasets: GivenDatasets) -> None:
        self._store = store
        self._datasets = datasets

    def section(self) -> Section:
        return Section((WebRoute("/datasets", self.show),), "Datasets", "/datasets")

    def data(self, request: Request) -> ApiDatasets:
        used = self._store.mentioned("dataset")
        unused = [name for name in self._datasets.named() if name not in {one.name for one in used}]
        return ApiDatasets(
            [
                *(self._dataset(one.name, one.runs, one.latest, one.started) for one in used),
                *(self._dataset(name, 0, None, None) for name in unused),
            ]
        )

    def _dataset(self, name: str, runs: int, latest: str | None, at: float | None) -> ApiDataset:
        found = self._datasets.get(name)
        known: dict[str, Any] = {}
        if found is not None:
            known = {"name": found.name, "version": found.version, "queries": found.count()}
            known["quality"] = self._datasets.quality(name)
        given = found is not None
        return ApiDataset(dataset_id=name, runs=runs, latest_run=latest, latest_at=at, given=given, **known)

    def show(self, request: Request) -> Response:
        data = self.data(request)
        header = ("dataset_id", "version", "runs", "latest_run", "queries", "errors", "warnings", "notes")
        rows: list[Sequence[Any]] = [
            [one.dataset_id, one.version, one.runs, one.latest_run, one.queries, *_counts(one)]
            for one in data.datasets
        ]
        return _respond(request, "datasets", data, (header, rows), {"day": day})


def _counts(dataset: ApiDataset) -> tuple[int | None, ...]:
    found = dataset.quality
    return (None, None, None) if found is None else (found.errors, found.warnings, found.notes)


class JudgesShown:
    """The judges of all runs, and how well they agree with people."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def section(self) -> Section:
        return Section((WebRoute("/judges", self.show),), "Judges", "/judges")

    def data(self, request: Request) -> ApiJudges:
        used = {one.name: one for one in self._store.mentioned("judge")}
        kept = {name: self._store.get(AGREEMENT, name) for name in self._store.keys(AGREEMENT)}
        return ApiJudges(
            [
                ApiJudge(
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
        request, template, **values, newer=newer, older=older, downloads=asking.downloads(request)
    )
