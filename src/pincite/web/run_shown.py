"""One run and its queries, and how far a running one has got."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response, StreamingResponse

from pincite.base import write_json
from pincite.errors import PinciteError
from pincite.records import ItemResult, ResultsDocument, Run
from pincite.reports import query_row, query_values, run_overview, write_query
from pincite.runs import analysis_of, query_result, write_results
from pincite.store import Which
from pincite.web import asking
from pincite.web.pages import Table, file_response, html_file, render
from pincite.web.records import ApiProgress, ApiQuery, ApiQueryList, ApiRunDetail, api_run
from pincite.web.runs_listed import find_run
from pincite.web.site import Section, WebRoute

if TYPE_CHECKING:
    from pincite.store import Store
    from pincite.web.given_datasets import GivenDatasets

WHICH = {"wrong": "Something wrong, the worst first", "failed": "No answer", "all": "All, in their order"}
LOOK_SECONDS = 1.0
"""How often a running evaluation is looked at."""


class RunShown:
    """The pages of one run."""

    def __init__(self, store: Store, datasets: GivenDatasets) -> None:
        self._store = store
        self._datasets = datasets

    def section(self) -> Section:
        return Section(
            (
                WebRoute("/runs/{run}", self.show),
                WebRoute("/runs/{run}/events", self.events),
                WebRoute("/runs/{run}/queries/{position}", self.show_query),
            )
        )

    def find(self, request: Request) -> Run:
        return find_run(self._store, str(request.path_params["run"]))

    # --- data --------------------------------------------------------------------------------------

    def detail(self, request: Request) -> ApiRunDetail:
        run = self.find(request)
        return ApiRunDetail(
            api_run(run, *self._store.remarks(run.run_id)), run.document, self._store.verdicts(run.run_id)
        )

    def queries(self, request: Request, run: Run | None = None, default: str = "all") -> ApiQueryList:
        run = run or self.find(request)
        page = self._store.browse_items(
            run,
            which=cast("Which", asking.choice(request, "which", WHICH, default)),
            **asking.paging(request),
        )
        return ApiQueryList(run.run_id, page.items, page.total, page.before, page.after)

    def query(self, request: Request, run: Run | None = None) -> ApiQuery:
        run = run or self.find(request)
        found = self._store.item(run, asking.position(request))
        if found is None:
            raise HTTPException(404, "The run has no such query, or not yet.")
        item, before, after = found
        truth = self._datasets.truth(run, item)
        gold = None if truth is None or truth.gold is None else list(truth.gold)
        return ApiQuery(run.run_id, item, gold, None if truth is None else truth.expected, before, after)

    def progress(self, request: Request) -> ApiProgress:
        return progress_of(self.find(request))

    # --- pages -------------------------------------------------------------------------------------

    def show(self, request: Request) -> Response:
        run = self.find(request)
        form = asking.wanted_format(request)
        if form:
            return self._file(run, form)
        if query_id := asking.text(request, "query"):
            place = self._store.position_of(run.run_id, query_id)
            if place is None:
                raise HTTPException(404, f"The run has no query {query_id!r}.")
            return RedirectResponse(f"/runs/{run.run_id}/queries/{place}", 303)
        tags, note = self._store.remarks(run.run_id)
        analysis = analysis_of(run.document)
        which = asking.choice(request, "which", WHICH, "wrong" if analysis.failures else "all")
        page = self.queries(request, run, which)
        earlier, later = asking.neighbours(request, page, which=which)
        return render(
            request,
            "run_served.html",
            scripts=("live.js",) if run.status == "running" else (),
            **run_overview(run, analysis),
            brief=api_run(run, tags, note),
            progress=progress_of(run),
            rows=[query_row(item) for item in page.queries],
            total=page.total,
            which=which,
            kinds=[
                (one, words, asking.address(request, which=one, after=None, before=None))
                for one, words in WHICH.items()
            ],
            earlier=earlier,
            later=later,
            downloads=asking.downloads(request, after=None, before=None, which=None),
        )

    def _file(self, run: Run, form: str) -> Response:
        """The run as a file; CSV and JSON hold every query, and are written on disk first."""
        if form == "html":
            return html_file(run.run_id, self._datasets.write_run(run, self._store.items(run.run_id)))
        folder = tempfile.TemporaryDirectory(prefix="pincite-download-")
        try:
            path = Path(folder.name) / f"run.results.{form}"
            document: ResultsDocument | dict[str, Any] = run.document
            if not run.document.evaluation_id:
                document = {"schema_version": 1, "evaluation_id": run.run_id, "status": run.status}
            write_results(document, self._store.items(run.run_id), path)
        except BaseException:
            folder.cleanup()
            raise
        kind = {"csv": "text/csv; charset=utf-8", "json": "application/json"}[form]
        name = f"{run.run_id}.results.{form}"
        return FileResponse(path, media_type=kind, filename=name, background=BackgroundTask(folder.cleanup))

    def show_query(self, request: Request) -> Response:
        run = self.find(request)
        data = self.query(request, run)
        given = (data.query, run.name or run.run_id, self._datasets.truth(run, data.query))
        file = file_response(
            request,
            f"{run.run_id}-{data.query.position + 1}",
            data,
            lambda: _csv_table(data.query),
            lambda: write_query(*given),
        )
        return file or render(
            request,
            "query_served.html",
            **query_values(*given),
            run_id=run.run_id,
            before=data.before,
            after=data.after,
            downloads=asking.downloads(request),
        )

    # --- live ---------------------------------------------------------------------------------------

    def events(self, request: Request) -> Response:
        """How far the run has got, as server-sent events, until it is over or the reader is gone."""
        run = self.find(request)
        return StreamingResponse(
            self._follow(request, run.run_id),
            media_type="text/event-stream",
            headers={"x-accel-buffering": "no"},
        )

    async def _follow(self, request: Request, run_id: str) -> AsyncIterator[bytes]:
        last = None
        while not await request.is_disconnected():
            try:
                run = await run_in_threadpool(self._store.find, run_id)
            except PinciteError:  # removed meanwhile, or the history is gone: the reader asks again
                return
            now = progress_of(run)
            if now != last:
                yield b"data: " + write_json(now) + b"\n\n"
            last = now
            if run.status != "running":
                yield b"event: over\ndata: {}\n\n"
                return
            await asyncio.sleep(LOOK_SECONDS)


def progress_of(run: Run) -> ApiProgress:
    done = run.successful + run.failed
    return ApiProgress(run.run_id, run.status, run.total, done, run.failed, run.seconds)


def _csv_table(query: ItemResult) -> Table:
    row = query_result(query)
    cells = [
        one if isinstance(one, str | int | float | None) else write_json(one).decode() for one in row.values()
    ]
    return list(row), [cells]
