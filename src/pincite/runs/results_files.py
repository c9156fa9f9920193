"""Results files, each whole or not there at all: written, and read query by query where they are JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from pincite.base import read_json
from pincite.base import write_json as as_json
from pincite.datasets import file_kind, is_number, open_bytes, read_plain, written_whole, zstandard
from pincite.errors import InputError
from pincite.metrics import known_metric
from pincite.records import ItemResult, Result, ResultsDocument, Run, RunStatus
from pincite.runs.results_document import plain_document, query_result, read_document, whole_document

ENDINGS = ("json", "yaml", "yml", "csv", "parquet")


def require_writable(path: Path) -> None:
    """Say before anything is measured what could not be written: an unknown form, a missing extra."""
    if ending_of(path) == "parquet":
        from pincite.datasets import pyarrow_library

        pyarrow_library()
    if path.suffix.lower() == ".zst":
        zstandard()


def ending_of(path: Path) -> str:
    """How results are written there, by the name of the file; `.gz` and `.zst` of any are compressed."""
    name = path.name.lower().removesuffix(".gz").removesuffix(".zst")
    ending = name.rpartition(".")[2]
    if "." not in name or ending not in ENDINGS:
        raise InputError(f"unknown format for {path}: end its name in .results.json, .yaml, .csv or .parquet")
    return ending


Document = ResultsDocument | Mapping[str, Any]


def write_results(document: Document, items: Iterable[ItemResult], path: Path) -> None:
    """Write a run's results document with all of its queries.

    JSON is written query by query, so that a million of them need no memory; the other forms are not meant
    for so many.
    """
    if ending_of(path) != "json":
        from pincite.datasets import save

        save(read_json(as_json(whole_document(document, items))), path, "results")
        return
    with _written(path) as file:
        write_json(document, items, file)


def write_json(document: Document, items: Iterable[ItemResult], file: IO[bytes]) -> None:
    """One query after the other."""
    file.write(b"{")
    for name, value in plain_document(document).items():
        file.write(b"\n" + as_json(name) + b": " + as_json(value, indent=2) + b",")
    file.write(b'\n"query_results": [')
    separator = b"\n"
    for item in items:
        file.write(separator + as_json(query_result(item)))
        separator = b",\n"
    file.write(b"\n]\n}\n")


def _written(path: Path) -> AbstractContextManager[BinaryIO]:
    packed = path.suffix.lower().removeprefix(".")
    return written_whole(path, packed if packed in ("gz", "zst") else None)


# --- reading --------------------------------------------------------------------------------------


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
    return metric.full_name if (metric := known_metric(name)).title else name


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
