"""The data of the pages as JSON, and the OpenAPI document that describes it.

An answer is written from the record that its schema is made from, so that the two cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from pincite import __version__
from pincite.base import write_json
from pincite.errors import InputError
from pincite.web.records import (
    ApiAlerts,
    ApiCheck,
    ApiChecked,
    ApiComparisons,
    ApiDatasets,
    ApiJudges,
    ApiProgress,
    ApiQuery,
    ApiQueryList,
    ApiRemarks,
    ApiRun,
    ApiRunDetail,
    ApiRunList,
    ApiTrends,
)
from pincite.web.site import MOST_BYTES, Section, WebRoute
from pincite.web.trying import MOST_BYTES as MOST_TRIED

if TYPE_CHECKING:
    from pincite.web.compared import RunsCompared, TrendsShown
    from pincite.web.overviews import AlertsShown, DatasetsShown, JudgesShown
    from pincite.web.run_shown import RunShown
    from pincite.web.runs_listed import RunsListed
    from pincite.web.trying import Trying
    from pincite.web.turns import Turns

T = TypeVar("T")


class SessionKey(Struct, frozen=True):
    """What a change must carry in the header `X-CSRF-Token`, beside the cookie that came with it."""

    csrf: str


class ApiProblem(Struct, frozen=True):
    """Why a request was refused."""

    error: str


class ApiParameter(Struct, frozen=True):
    """A parameter of an address."""

    name: str
    about: str
    kind: str = "string"
    repeated: bool = False


class ApiOperation(Struct, frozen=True):
    """One address of the API."""

    path: str
    summary: str
    returns: Any
    answer: Callable[[Request], Any]
    parameters: tuple[ApiParameter, ...] = ()
    method: str = "GET"
    takes: Any = None
    most_bytes: int = MOST_BYTES
    turns: Turns | None = None


PAGING = (
    ApiParameter("after", "the end of the page before, as that page says"),
    ApiParameter("before", "the begin of the page after, as that page says"),
    ApiParameter("limit", "at most this many, up to 500", "integer"),
)
FILTERS = (
    ApiParameter("q", "a text in the id, name, dataset, system, judge, tags or note"),
    ApiParameter("dataset", "the id of a dataset"),
    ApiParameter("status", "finished, running, interrupted or failed"),
    ApiParameter("tag", "a tag"),
    ApiParameter("judge", "the name of a judge"),
    ApiParameter("since", "begun on this day or later: 2026-03-05"),
    ApiParameter("until", "begun on this day or earlier"),
)


def api_section(
    runs: RunsListed,
    run: RunShown,
    compared: RunsCompared,
    trends: TrendsShown,
    alerts: AlertsShown,
    datasets: DatasetsShown,
    judges: JudgesShown,
    trying: Trying,
) -> Section:
    """The API over the same data as the pages."""
    sorting = (
        ApiParameter("sort", "started, name, dataset, status, seconds or metric"),
        ApiParameter("order", "down or up"),
        ApiParameter("metric", "the metric to sort by"),
    )
    several = ApiParameter("run", "a run; two to six are compared", repeated=True)
    operations = (
        ApiOperation(
            "/api/runs", "Runs, the newest first", ApiRunList, runs.data, (*FILTERS, *sorting, *PAGING)
        ),
        ApiOperation("/api/runs/{run}", "One run with its results document", ApiRunDetail, run.detail),
        ApiOperation(
            "/api/runs/{run}/queries",
            "The queries of a run",
            ApiQueryList,
            run.queries,
            (ApiParameter("which", "all, wrong (the worst first) or failed"), *PAGING),
        ),
        ApiOperation(
            "/api/runs/{run}/queries/{position}", "One query, with its gold citations", ApiQuery, run.query
        ),
        ApiOperation("/api/runs/{run}/progress", "How far a run has got", ApiProgress, run.progress),
        ApiOperation(
            "/api/runs/{run}/remarks",
            "Replace the tags of a run, its note, or both",
            ApiRun,
            lambda request: runs.remark_for_api(request, _read(request, ApiRemarks)),
            method="PUT",
            takes=ApiRemarks,
        ),
        ApiOperation(
            "/api/compare",
            "Runs against a baseline",
            ApiComparisons,
            compared.data,
            (several, ApiParameter("baseline", "the run to compare with (default: the oldest)")),
        ),
        ApiOperation(
            "/api/trends",
            "Metrics over time",
            ApiTrends,
            trends.data,
            (
                ApiParameter("metric", "a metric; up to twelve", repeated=True),
                *(one for one in FILTERS if one.name in ("dataset", "since")),
                ApiParameter("name", "only runs of this name"),
                ApiParameter("limit", "at most this many of the newest runs, up to 1000", "integer"),
            ),
        ),
        ApiOperation(
            "/api/alerts", "Runs with alerts, the newest first", ApiAlerts, alerts.data, (*FILTERS, *PAGING)
        ),
        ApiOperation(
            "/api/datasets", "Datasets, with the quality of those at hand", ApiDatasets, datasets.data
        ),
        ApiOperation("/api/judges", "Judges, with their agreement with people", ApiJudges, judges.data),
        ApiOperation(
            "/api/check",
            "Check an answer against its sources",
            ApiChecked,
            lambda request: trying.check_for_api(_read(request, ApiCheck)),
            method="POST",
            takes=ApiCheck,
            most_bytes=MOST_TRIED,
            turns=trying.turns,
        ),
    )
    document = write_json(openapi(operations))
    routes = [
        WebRoute(one.path, _endpoint(one), (one.method,), one.most_bytes, one.turns) for one in operations
    ]
    described = WebRoute(
        "/api/openapi.json", lambda request: Response(document, media_type="application/json")
    )
    return Section((*routes, described))


def _endpoint(operation: ApiOperation) -> Callable[[Request], Any]:
    async def respond(request: Request) -> Response:
        if operation.takes is not None:
            request.state.body = await request.body()
        if operation.turns is not None:
            made = await operation.turns.run(request, operation.answer, request)
        else:
            made = await run_in_threadpool(operation.answer, request)
        return Response(write_json(made), media_type="application/json")

    return respond


def _read(request: Request, kind: type[T]) -> T:
    """The body of a request."""
    try:
        return msgspec.json.decode(request.state.body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"the body of the request cannot be used: {error}") from None


def openapi(operations: tuple[ApiOperation, ...]) -> dict[str, Any]:
    """The OpenAPI document of these operations."""
    kinds = [one.returns for one in operations] + [one.takes for one in operations if one.takes is not None]
    kinds += [SessionKey, ApiProblem]
    schemas, components = msgspec.json.schema_components(
        kinds, schema_hook=lambda kind: {}, ref_template="#/components/schemas/{name}"
    )
    by_kind = dict(zip(kinds, schemas, strict=True))
    paths: dict[str, Any] = {}
    session = ApiOperation(
        "/api/session", "The key that a change must carry", SessionKey, lambda request: None
    )
    for one in (*operations, session):
        paths.setdefault(one.path, {})[one.method.lower()] = _described(one, by_kind)
    about = {
        "title": "Pincite",
        "version": __version__,
        "description": "The history of runs, as the dashboard shows it. Every request carries the token "
        "that the server printed, as `Authorization: Bearer TOKEN`. With a browser's cookie instead, or "
        "where the server was started without one, a change needs `X-CSRF-Token` from `/api/session`. "
        "`/runs/{run}/events` sends the progress of a running evaluation as server-sent events.",
    }
    return {"openapi": "3.1.0", "info": about, "paths": paths, "components": {"schemas": components}}


def _described(operation: ApiOperation, by_kind: dict[Any, Any]) -> dict[str, Any]:
    in_path = [part[1:-1] for part in operation.path.split("/") if part.startswith("{")]
    parameters = [_path_parameter(name) for name in in_path]
    parameters += [_query_parameter(one) for one in operation.parameters]
    problem = {"description": "Why not", "content": _json(by_kind[ApiProblem])}
    told: dict[str, Any] = {
        "summary": operation.summary,
        "responses": {
            "200": {"description": operation.summary, "content": _json(by_kind[operation.returns])},
            **({"400": problem} if operation.parameters or operation.takes is not None else {}),
            **({"404": problem} if in_path else {}),
            **({"403": problem} if operation.method != "GET" else {}),
            **({"503": problem} if operation.turns is not None else {}),
        },
    }
    if parameters:
        told["parameters"] = parameters
    if operation.takes is not None:
        told["requestBody"] = {"required": True, "content": _json(by_kind[operation.takes])}
    return told


def _json(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _path_parameter(name: str) -> dict[str, Any]:
    kind = "integer" if name == "position" else "string"
    return {"name": name, "in": "path", "required": True, "schema": {"type": kind}}


def _query_parameter(one: ApiParameter) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": one.kind}
    if one.repeated:
        schema = {"type": "array", "items": schema}
    return {"name": one.name, "in": "query", "description": one.about, "schema": schema}
