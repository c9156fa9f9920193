"""The dashboard: a list of 10,000 runs, and pages of a run of 100,000 queries, as the server makes them."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from bench.figures import Figure, best_seconds
from bench.history import RUNS, fill_runs, one_item
from pincite.config import Settings
from pincite.records import ResultsDocument, Run, RunSummary
from pincite.store import Store, open_store

if TYPE_CHECKING:
    from starlette.types import ASGIApp

QUERIES = 100_000
LIST_SECONDS, PAGE_SECONDS = 0.1, 0.2
"""Bars: a list of 10,000 runs in under 100 ms, a page of 100,000 queries in under 200 ms."""


def run(data: Path | None = None) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        with open_store(Path(folder) / "runs.sqlite") as store:
            fill_runs(store)
            middle = store.browse(limit=500).after
            for what, path in {
                "the newest 50": "/runs",
                "the 50 after the 500th": f"/runs?after={middle}",
                "searched by name": "/runs?q=9999",
                "of one dataset, by a metric": "/runs?dataset=d1&sort=metric&metric=m3",
                "as JSON": "/api/runs",
            }.items():
                took = _seconds(_app(store), path)
                yield Figure(f"{RUNS:,} runs listed: {what}", took, " s", LIST_SECONDS, at_most=True)
        with open_store(Path(folder) / "items.sqlite") as store:
            name = _many_queries(store)
            found = store.find(name)
            last = store.browse_items(found, limit=1).after
            late = f"0.{QUERIES - 100}.{QUERIES - 99}"
            for what, path in {
                "the run with its worst 50": f"/runs/{name}",
                "the second page": f"/runs/{name}?which=all&after={last}",
                "the last page": f"/runs/{name}?which=all&after={late}",
                "one query": f"/runs/{name}/queries/{QUERIES // 2}",
            }.items():
                took = _seconds(_app(store), path)
                yield Figure(f"{QUERIES:,} queries: {what}", took, " s", PAGE_SECONDS, at_most=True)


def _app(store: Store) -> ASGIApp:
    from pincite.web import GivenDatasets, create_app, dashboard_sections

    settings = Settings()
    return create_app(dashboard_sections(store, settings, GivenDatasets([], settings)))


def _seconds(app: ASGIApp, path: str) -> float:
    """How long the server takes for a page, without a network."""
    _get(app, path)  # once for the templates
    return best_seconds(lambda: _get(app, path), 5)


def _get(app: ASGIApp, path: str) -> None:
    where, _, query = path.partition("?")
    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": where,
        "raw_path": where.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "scheme": "http",
        "http_version": "1.1",
        "headers": [(b"host", b"localhost")],
        "server": ("localhost", 80),
    }
    status = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        status.append(message.get("status"))

    asyncio.run(app(scope, receive, send))  # type: ignore[arg-type]
    if status[0] != 200:
        raise SystemExit(f"{path} answered {status[0]}")


def _many_queries(store: Store) -> str:
    begun, journal = store.begin(Run(run_id="", fingerprint="large", dataset_id="d", total=QUERIES))
    for position in range(QUERIES):
        journal.append(one_item(position))
    summary = RunSummary(total_queries=QUERIES, successful_queries=QUERIES)
    document = ResultsDocument(evaluation_id=begun.run_id, summary=summary)
    store.finish(replace(begun, status="finished", successful=QUERIES, document=document))
    return begun.run_id
