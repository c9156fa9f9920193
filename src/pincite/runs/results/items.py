"""The queries of a results file: of JSON read one by one, of any other form read whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any, cast

from pincite.datasets import file_kind, is_number, open_bytes, read_plain
from pincite.errors import InputError
from pincite.metrics import known_metric
from pincite.records import ItemResult, Result, ResultsDocument, Run, RunStatus
from pincite.runs.results.document import read_document


def is_results_file(reference: str) -> bool:
    """Whether a run is named by a file of its results rather than by its place in the history."""
    path = Path(reference)
    try:
        return file_kind(path).kind == "results" or path.is_file()
    except InputError:  # no ending of any file that is read here
        return False


def read_results(path: Path) -> Run:
    """The run that a results file describes; its queries are read when they are wanted."""
    document = results_head(path)
    return Run(
        run_id=document.evaluation_id or path.name,
        name=document.name,
        status=cast("RunStatus", document.status or "finished"),
        started_at=document.timestamp,
        finished_at=document.finished_at,
        dataset_id=document.dataset_id,
        dataset_version=document.dataset_version,
        dataset_digest=document.configuration.dataset_digest,
        target=document.configuration.target,
        system_version=document.system_version,
        judge=document.configuration.judge,
        metrics=document.configuration.metrics,
        total=document.summary.total_queries,
        successful=document.summary.successful_queries,
        failed=document.summary.failed_queries,
        seconds=document.summary.total_evaluation_time_seconds,
        parameters=document.metadata.evaluation_parameters,
        environment=document.metadata.evaluation_environment,
        document=document,
        items=lambda: read_results_items(path),
    )


def results_head(path: Path) -> ResultsDocument:
    """What the file says about its run before it comes to the queries."""
    if not _is_json(path):
        return read_document(_whole(path))
    import ijson

    built = ijson.ObjectBuilder()
    for place, event, value in _read(path, ijson.parse):
        if (place, event, value) == ("", "map_key", "query_results"):
            break
        built.event(event, value)
    return read_document(getattr(built, "value", None))


def read_results_items(path: Path) -> Iterator[ItemResult]:
    """Every query of a results file, as far as a comparison needs it."""
    position = -1
    for position, record in enumerate(_records(path)):
        if not isinstance(record, Mapping) or not isinstance(record.get("query_id"), str):
            raise InputError(f"{path}: /query_results/{position} has no query_id")
        yield _item(position, record)
    if position < 0:
        raise InputError(f"{path} has no `query_results`: compare results that hold every query")


def _item(position: int, record: Mapping[str, Any]) -> ItemResult:
    scores, details = record.get("individual_metrics"), record.get("metric_details")
    details = details if isinstance(details, Mapping) else {}
    results = [
        _result(canonical(name), None if score is None else _number(score), details.get(name))
        for name, score in (scores.items() if isinstance(scores, Mapping) else ())
        if score is None or _number(score) is not None
    ]
    return ItemResult(
        key="",
        position=position,
        query_id=record["query_id"],
        query_text=_text(record.get("query_text")) or "",
        answer=_text(record.get("generated_answer")),
        failure=_text(record.get("failure")),
        cluster=_text(record.get("cluster")),
        results=tuple(results),
    )


def _result(name: str, score: float | None, detail: Any) -> Result:
    told = detail if isinstance(detail, list) else []
    numbers = [number for number in map(_number, told) if number is not None]
    if len(numbers) != 4:  # a file of another program: there is only the score
        numbers = [score or 0.0, 0.0 if score is None else 1.0, 0.0, 0.0]
    top, bottom, not_scorable, unjudged = numbers
    return Result(
        metric=name,
        score=score,
        numerator=top,
        denominator=bottom,
        not_scorable=int(not_scorable),
        unjudged=int(unjudged),
    )


def _number(value: Any) -> float | None:
    """A finite number, or None for anything else that a file may hold there."""
    if not is_number(value):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if isfinite(number) else None


@lru_cache(maxsize=1024)
def canonical(name: str) -> str:
    """The metric's own spelling: results files write names in small letters."""
    return str(metric) if (metric := known_metric(name)).title else name


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _records(path: Path) -> Iterator[Any]:
    if _is_json(path):
        import ijson

        return _read(path, ijson.items, "query_results.item")
    queries = _whole(path).get("query_results")
    return iter(queries if isinstance(queries, list) else ())


def _is_json(path: Path) -> bool:
    return file_kind(path).form == "json"


def _whole(path: Path) -> dict[str, Any]:
    value, _, _ = read_plain(path, "results")
    return value if isinstance(value, dict) else {}


def _read(path: Path, parse: Callable[..., Iterator[Any]], *given: str) -> Iterator[Any]:
    import ijson

    try:
        with open_bytes(path) as file:
            yield from parse(file, *given, use_float=True)
    except (ijson.JSONError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not a results file: {' '.join(str(error).split())[:120]}") from None
