"""The list of runs: searched, filtered, sorted and paged by the history; tags and notes are written here."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, cast

from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pincite.errors import InputError
from pincite.records import Alert, Run, Score
from pincite.reports import (
    headlines,
    interval_text,
    number,
)
from pincite.store import ListedRun, RunFilter, RunOrder
from pincite.web import query_params
from pincite.web.pages import file_response, render, render_page_file
from pincite.web.site import Section, WebRoute

if TYPE_CHECKING:
    from pincite.records import Run
    from pincite.store import Store


class RunView(Struct, frozen=True, kw_only=True):
    """A run as it is listed."""

    run_id: str
    name: str | None
    status: str
    started_at: str
    finished_at: str | None
    dataset_id: str
    dataset_version: str
    target: str
    system_version: str | None
    judge: str
    total: int
    """Queries of the dataset."""
    successful: int
    """Queries that have an answer so far."""
    failed: int
    seconds: float
    scores: tuple[Score, ...]
    alerts: tuple[Alert, ...]
    tags: tuple[str, ...] = ()
    note: str = ""

    @property
    def title(self) -> str:
        return self.name or self.run_id

    @property
    def done(self) -> int:
        return self.successful + self.failed

    def score(self, metric: str) -> Score | None:
        return next((score for score in self.scores if score.metric == metric), None)


class RunListView(Struct, frozen=True):
    """A page of runs; `before` and `after` lead to its neighbours."""

    runs: list[RunView]
    total: int
    before: str | None
    after: str | None


def run_view(run: Run, tags: tuple[str, ...] = (), note: str = "") -> RunView:
    own = (name for name in RunView.__struct_fields__ if name not in ("tags", "note"))
    return RunView(**{name: getattr(run, name) for name in own}, tags=tags, note=note)


def listed_view(listed: ListedRun) -> RunView:
    return run_view(listed.run, listed.tags, listed.note)


STATUSES = ("finished", "running", "interrupted", "failed")
ORDERS = ("started", "name", "dataset", "status", "seconds", "metric")
COLUMNS = ("run_id", "name", "status", "started_at", "dataset_id", "target", "judge", "total", "failed")


class RunListPage:
    """The list of runs."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def section(self) -> Section:
        return Section(
            (
                WebRoute("/", lambda request: RedirectResponse("/runs", 303)),
                WebRoute("/runs", self.show),
                WebRoute("/runs/{run}/remarks", self.remark, ("POST",)),
            ),
            "Runs",
            "/runs",
        )

    def data(self, request: Request) -> RunListView:
        """The page of runs that a request asks for."""
        page = self._store.browse(
            wanted_runs(request),
            RunOrder(
                by=cast("Literal['started']", query_params.choice(request, "sort", ORDERS, "started")),
                descending=query_params.choice(request, "order", ("up", "down"), "down") == "down",
            ),
            metric=query_params.text(request, "metric") or None,
            **query_params.paging(request),
        )
        return RunListView([listed_view(one) for one in page.runs], page.total, page.before, page.after)

    def show(self, request: Request) -> Response:
        data = self.data(request)
        metrics = sorted({score.metric for run in data.runs for score in run.scores})
        chosen = query_params.text(request, "metric")
        shown = [chosen] if chosen else main_figures(tuple(metrics))[:2]
        values: dict[str, Any] = {
            "title": "Pincite: runs",
            "data": data,
            "rows": [(run, [_figure(run, metric) for metric in shown]) for run in data.runs],
            "metrics": shown,
            "filtered": any(
                query_params.text(request, name)
                for name in ("q", "dataset", "status", "tag", "judge", "since", "until")
            ),
        }
        file = file_response(
            request,
            "runs",
            data,
            lambda: ((*COLUMNS, "tags", "note", *metrics), _csv_rows(data, metrics)),
            lambda: render_page_file("runs.html", **values),
        )
        newer, older = query_params.neighbours(request, data)
        return file or render(
            request,
            "runs.html",
            **values,
            asked={name: request.query_params.get(name, "") for name in _FIELDS},
            datasets=[one.name for one in self._store.mentioned("dataset")],
            tags=self._store.tags(),
            statuses=STATUSES,
            known_metrics=sorted({*metrics, *filter(None, [chosen])}),
            sorts=_sorts(request),
            newer=newer,
            older=older,
            downloads=query_params.downloads(request),
        )

    async def remark(self, request: Request) -> Response:
        """Keep the tags and the note of a run, and show it again."""
        form = await request.form()
        tags, note = form.get("tags"), form.get("note")
        run = await run_in_threadpool(self._store.find, request.path_params["run"])
        await run_in_threadpool(
            self._store.remark,
            run.run_id,
            tags.split(",") if isinstance(tags, str) else None,
            note if isinstance(note, str) else None,
        )
        return RedirectResponse(f"/runs/{run.run_id}", 303)


def find_run(store: Store, reference: str) -> Run:
    """A run of the history; one that is not there is not found, rather than wrong."""
    try:
        return store.find(reference)
    except InputError as error:
        raise HTTPException(404, str(error)) from None


_FIELDS = ("q", "dataset", "status", "tag", "since", "until", "metric", "sort", "order")


@lru_cache(maxsize=256)
def main_figures(measured: tuple[str, ...]) -> list[str]:
    """The headline figures of these metrics. To find one that somebody else installed takes long."""
    return headlines(measured)


def wanted_runs(request: Request, *, alerted: bool = False) -> RunFilter:
    """The filters in an address."""
    return RunFilter(
        text=query_params.text(request, "q"),
        dataset=query_params.text(request, "dataset") or None,
        status=query_params.choice(request, "status", STATUSES) or None,
        tag=query_params.text(request, "tag") or None,
        judge=query_params.text(request, "judge") or None,
        since=query_params.day(request, "since"),
        until=query_params.day(request, "until", end=True),
        alerted=alerted,
    )


def _sorts(request: Request) -> dict[str, tuple[str, str]]:
    """For each column that can be sorted by: the address that does, and how it is sorted now."""
    by = query_params.choice(request, "sort", ORDERS, "started")
    order = query_params.choice(request, "order", ("up", "down"), "down")
    found = {}
    for name in ORDERS:
        turned = "up" if by == name and order == "down" else "down"
        now = {"up": "ascending", "down": "descending"}[order] if by == name else ""
        found[name] = (query_params.address(request, sort=name, order=turned, after=None, before=None), now)
    return found


def _figure(run: RunView, metric: str) -> tuple[str, str]:
    score = run.score(metric)
    return ("–", "") if score is None else (number(score.value), interval_text(score.confidence_interval))


def _csv_rows(data: RunListView, metrics: list[str]) -> list[list[str | int | float | None]]:
    return [
        [
            *(getattr(run, name) for name in COLUMNS),
            " ".join(run.tags),
            run.note,
            *(score.value if (score := run.score(metric)) else None for metric in metrics),
        ]
        for run in data.runs
    ]
