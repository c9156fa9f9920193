"""The list of runs: searched, filtered, sorted and paged by the history; tags and notes are written here."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, cast

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pincite.errors import InputError
from pincite.reports import headlines, interval_text, number
from pincite.store import RunFilter, RunOrder
from pincite.web import asking
from pincite.web.pages import file_response, render, render_page_file
from pincite.web.records import ApiRemarks, ApiRun, ApiRunList, api_run, listed_run
from pincite.web.site import Section, WebRoute

if TYPE_CHECKING:
    from pincite.records import Run
    from pincite.store import Store

STATUSES = ("finished", "running", "interrupted", "failed")
ORDERS = ("started", "name", "dataset", "status", "seconds", "metric")
COLUMNS = ("run_id", "name", "status", "started_at", "dataset_id", "target", "judge", "total", "failed")


class RunsListed:
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

    def data(self, request: Request) -> ApiRunList:
        """The page of runs that a request asks for."""
        page = self._store.browse(
            wanted_runs(request),
            RunOrder(
                by=cast("Literal['started']", asking.choice(request, "sort", ORDERS, "started")),
                descending=asking.choice(request, "order", ("up", "down"), "down") == "down",
            ),
            metric=asking.text(request, "metric") or None,
            **asking.paging(request),
        )
        return ApiRunList([listed_run(one) for one in page.runs], page.total, page.before, page.after)

    def show(self, request: Request) -> Response:
        data = self.data(request)
        metrics = sorted({score.metric for run in data.runs for score in run.scores})
        chosen = asking.text(request, "metric")
        shown = [chosen] if chosen else main_figures(tuple(metrics))[:2]
        values: dict[str, Any] = {
            "title": "Pincite: runs",
            "data": data,
            "rows": [(run, [_figure(run, metric) for metric in shown]) for run in data.runs],
            "metrics": shown,
            "filtered": any(
                asking.text(request, name)
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
        newer, older = asking.neighbours(request, data)
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
            downloads=asking.downloads(request),
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

    def remark_for_api(self, request: Request, said: ApiRemarks) -> ApiRun:
        """The same for a program; the run as it is then."""
        run = find_run(self._store, request.path_params["run"])
        self._store.remark(run.run_id, said.tags, said.note)
        return api_run(run, *self._store.remarks(run.run_id))


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
        text=asking.text(request, "q"),
        dataset=asking.text(request, "dataset") or None,
        status=asking.choice(request, "status", STATUSES) or None,
        tag=asking.text(request, "tag") or None,
        judge=asking.text(request, "judge") or None,
        since=asking.day(request, "since"),
        until=asking.day(request, "until", end=True),
        alerted=alerted,
    )


def _sorts(request: Request) -> dict[str, tuple[str, str]]:
    """For each column that can be sorted by: the address that does, and how it is sorted now."""
    by = asking.choice(request, "sort", ORDERS, "started")
    order = asking.choice(request, "order", ("up", "down"), "down")
    found = {}
    for name in ORDERS:
        turned = "up" if by == name and order == "down" else "down"
        now = {"up": "ascending", "down": "descending"}[order] if by == name else ""
        found[name] = (asking.address(request, sort=name, order=turned, after=None, before=None), now)
    return found


def _figure(run: ApiRun, metric: str) -> tuple[str, str]:
    score = run.score(metric)
    return ("–", "") if score is None else (number(score.value), interval_text(score.confidence_interval))


def _csv_rows(data: ApiRunList, metrics: list[str]) -> list[list[str | int | float | None]]:
    return [
        [
            *(getattr(run, name) for name in COLUMNS),
            " ".join(run.tags),
            run.note,
            *(score.value if (score := run.score(metric)) else None for metric in metrics),
        ]
        for run in data.runs
    ]
