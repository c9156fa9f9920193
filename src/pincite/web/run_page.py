"""One run and its queries, and how far a running one has got."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response, StreamingResponse

from pincite.base import write_json
from pincite.errors import PinciteError
from pincite.records import ItemResult, Place, ResultsDocument, Run
from pincite.reports import (
    query_row,
    query_values,
    run_overview,
    write_query,
)
from pincite.runs import analysis_of, query_result, write_results
from pincite.store import Which
from pincite.web import query_params
from pincite.web.pages import Table, file_response, html_file, render
from pincite.web.run_list_page import find_run, run_view
from pincite.web.site import Section, WebRoute

if TYPE_CHECKING:
    from pincite.records import Run
    from pincite.store import Store
    from pincite.web.datasets import GivenDatasets


class QueryView(Struct, frozen=True):
    """One query of a run, with what should have been cited where the dataset is at hand."""

    run_id: str
    query: ItemResult
    gold: list[Place] | None
    """What the dataset says should be cited."""
    expected_answer: str | None
    before: int | None
    after: int | None


class RunProgress(Struct, frozen=True):
    """How far a run has got."""

    run_id: str
    status: str
    total: int
    done: int
    failed: int
    seconds: float


WHICH = {"wrong": "Something wrong, the worst first", "failed": "No answer", "all": "All, in their order"}
LOOK_SECONDS = 1.0
"""How often a running evaluation is looked at."""


class RunPage:
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

    def _query(self, request: Request, run: Run) -> QueryView:
        found = self._store.item(run, query_params.position(request))
        if found is None:
            raise HTTPException(404, "The run has no such query, or not yet.")
        item, before, after = found
        truth = self._datasets.truth(run, item)
        gold = None if truth is None or truth.gold is None else list(truth.gold)
        return QueryView(run.run_id, item, gold, None if truth is None else truth.expected, before, after)

    def show(self, request: Request) -> Response:
        run = self.find(request)
        form = query_params.wanted_format(request)
        if form:
            return self._file(run, form)
        if query_id := query_params.text(request, "query"):
            place = self._store.position_of(run.run_id, query_id)
            if place is None:
                raise HTTPException(404, f"The run has no query {query_id!r}.")
            return RedirectResponse(f"/runs/{run.run_id}/queries/{place}", 303)
        tags, note = self._store.remarks(run.run_id)
        analysis = analysis_of(run.document)
        which = query_params.choice(request, "which", WHICH, "wrong" if analysis.failures else "all")
        page = self._store.browse_items(run, which=cast("Which", which), **query_params.paging(request))
        earlier, later = query_params.neighbours(request, page, which=which)
        return render(
            request,
            "run_served.html",
            scripts=("live.js",) if run.status == "running" else (),
            **run_overview(run, analysis),
            brief=run_view(run, tags, note),
            progress=progress_of(run),
            rows=[query_row(item) for item in page.items],
            total=page.total,
            which=which,
            kinds=[
                (one, words, query_params.address(request, which=one, after=None, before=None))
                for one, words in WHICH.items()
            ],
            earlier=earlier,
            later=later,
            downloads=query_params.downloads(request, after=None, before=None, which=None),
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
        data = self._query(request, run)
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
            downloads=query_params.downloads(request),
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


def progress_of(run: Run) -> RunProgress:
    done = run.successful + run.failed
    return RunProgress(run.run_id, run.status, run.total, done, run.failed, run.seconds)


def _csv_table(query: ItemResult) -> Table:
    row = query_result(query)
    cells = [
        one if isinstance(one, str | int | float | None) else write_json(one).decode() for one in row.values()
    ]
    return list(row), [cells]
