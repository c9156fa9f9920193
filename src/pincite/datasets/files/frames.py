"""Frames of any kind in and out: pandas, polars, Arrow, Hugging Face datasets, and whatever speaks like one.

None of these libraries is needed unless its frames are asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import msgspec

from pincite.datasets.files.frame_rows import frame_rows, library
from pincite.datasets.files.kinds import RECORDS, kind_of_value
from pincite.datasets.formats.base import Record, field_names, from_plain, to_plain
from pincite.datasets.formats.records import (
    BenchmarkData,
    EvaluationDataset,
    EvaluationQuery,
    EvaluationResults,
)
from pincite.datasets.imports.entries import answer_record, answers_of, dataset_of
from pincite.datasets.imports.rows import Row, written
from pincite.datasets.opened import Dataset
from pincite.datasets.recorded.fields import read_recorded
from pincite.errors import InputError
from pincite.records import ItemResult, RecordedAnswer, Run, Score

__all__ = ["answers_from_frame", "frame_rows", "from_frame", "to_frame"]

FrameKind = Literal["pandas", "polars", "arrow", "hf", "records"]
Part = Literal["queries", "documents"]
_OF_OTHERS = ("ragas", "deepeval", "langsmith", "jsonl")


def from_frame(
    frame: Any,
    *,
    documents: Any = None,
    kind: str | None = None,
    mapping: Mapping[str, str] | None = None,
    name: str = "frame",
) -> EvaluationDataset:
    """The dataset of a frame with a row a query; another frame may hold the documents.

    The columns have the names of our queries, or with a `kind` those of that export (`ragas`, `deepeval`,
    `langsmith`), or those that a `mapping` gives. Lists and objects may stand in a cell as JSON.
    """
    if kind is not None or mapping is not None:
        return dataset_of(_entries(frame, kind, mapping), Path(name), kind or "jsonl")
    queries = [
        _record(EvaluationQuery, {"query_id": f"query_{number:04d}", "relevant_documents": [], **row}, place)
        for number, (place, row) in enumerate(_places(frame), 1)
    ]
    value = {
        "dataset_id": name,
        "name": name,
        "version": "1.0.0",
        "queries": queries,
        "documents": [] if documents is None else frame_rows(documents),
    }
    return from_plain(EvaluationDataset, value)


def answers_from_frame(
    frame: Any, *, kind: str | None = None, mapping: Mapping[str, str] | None = None
) -> Iterator[RecordedAnswer]:
    """The recorded answers of a frame with a row an answer."""
    if kind is not None or mapping is not None:
        yield from answers_of(_entries(frame, kind, mapping))
        return
    for place, row in _places(frame):
        try:
            yield read_recorded(_cells(row))
        except InputError as error:
            raise InputError(f"{place}: {error}") from None


def to_frame(value: Any, kind: FrameKind = "pandas", part: Part = "queries") -> Any:
    """A frame of a dataset, of results, of a run's scores, of items or of recorded answers.

    In frames lists and objects stand as JSON, since not every library holds rows of different shapes; the
    kind `records`, a list of dicts, has them as they are.
    """
    rows = _rows_of(value, part)
    if kind == "records":
        return rows
    return _made(_flat(rows), kind)


# --- frames in -----------------------------------------------------------------------------------


def _places(frame: Any) -> Iterator[Row]:
    for number, row in enumerate(frame_rows(frame), 1):
        yield f"row {number} of the frame", row


def _entries(frame: Any, kind: str | None, mapping: Mapping[str, str] | None) -> Any:
    kind = kind or "jsonl"
    if kind not in _OF_OTHERS:
        raise InputError(f"a frame of the kind {kind!r:.40} is not known: one of {', '.join(_OF_OTHERS)}")
    module = import_module(f"pincite.datasets.imports.{kind}")
    if kind == "jsonl":
        unpacked = ((place, _cells(row) if mapping is None else row) for place, row in _places(frame))
        return module.entries_of(unpacked, mapping)
    return module.entries_of(_places(frame))


def _record(kind: type[Record], row: dict[str, Any], place: str) -> dict[str, Any]:
    """The plain record of a row; what must be a list or an object may be written as JSON."""
    value = _cells(row)
    if isinstance(value.get("query_id"), int):
        value["query_id"] = str(value["query_id"])
    try:
        from_plain(kind, value)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    return value


def _cells(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its lists and objects unpacked. What is always a text stays one, whatever it looks like."""
    return {
        name: written(cell) if isinstance(cell, str) and name not in _TEXTS else cell
        for name, cell in row.items()
    }


_TEXTS = frozenset(
    (
        *("query_id", "query_text", "query_type", "difficulty", "ground_truth_answer", "conversation_id"),
        *("generated_answer", "answer", "actual_output", "response", "text", "failure", "error"),
    )
)


# --- frames out ----------------------------------------------------------------------------------


def _rows_of(value: Any, part: Part) -> list[dict[str, Any]]:
    if isinstance(value, Mapping) and (held := kind_of_value(value)) is not None:
        value = from_plain(RECORDS[held], value)
    if isinstance(value, Dataset):
        return _rows_of_opened(value, part)
    if isinstance(value, EvaluationDataset):
        return [to_plain(one) for one in (value.queries if part == "queries" else value.documents)]
    if isinstance(value, EvaluationResults):
        return [to_plain(one) for one in value.query_results or ()]
    if isinstance(value, BenchmarkData):
        return [to_plain(one) for one in value.entries]
    if isinstance(value, Run):
        return [{"run_id": value.run_id, **_score_row(score)} for score in value.scores]
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [_row_of(one) for one in value]
    raise InputError(f"a frame is made of a dataset, results, a run, items or answers, not of {type(value)}")


def _rows_of_opened(dataset: Dataset, part: Part) -> list[dict[str, Any]]:
    if part == "queries":
        return [to_plain(one) for one in dataset.queries()]
    fields = {"document_id": "document_id", "title": "title", "content": "text", "file_path": "file_path"}
    return [
        {ours: held for ours, theirs in fields.items() if (held := getattr(source, theirs)) is not None}
        for source in dataset.library().sources
    ]


def _row_of(one: Any) -> dict[str, Any]:
    if isinstance(one, Score):
        return _score_row(one)
    if isinstance(one, RecordedAnswer):
        return answer_record(one)
    if isinstance(one, Record):
        return to_plain(one)
    if isinstance(one, ItemResult):
        fields = {name: getattr(one, name) for name in _ITEM}
        return {**fields, **{result.metric: result.score for result in one.results}}
    if isinstance(one, Mapping):
        return dict(one)
    raise InputError(f"a row cannot be made of a {type(one).__name__}")


_ITEM = ("query_id", "query_text", "query_type", "difficulty", "answer", "failure", "latency_ms")


def _score_row(score: Score) -> dict[str, Any]:
    row: dict[str, Any] = msgspec.to_builtins(score)
    interval = row.pop("confidence_interval") or (None, None)
    return {
        "metric": row.pop("metric"),
        "value": row.pop("value"),
        "low": interval[0],
        "high": interval[1],
        **row,
    }


def _flat(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Columns of texts, numbers and truth values: whatever else is written as JSON."""
    known = [name for name in field_names(EvaluationQuery) if any(name in row for row in rows)]
    names = dict.fromkeys([*known, *(name for row in rows for name in row)])
    columns = {}
    for name in names:
        cells = [row.get(name) for row in rows]
        kinds = {type(cell) for cell in cells} - {type(None)}
        if len(kinds) > 1 and kinds <= {int, float}:
            cells = [None if cell is None else float(cell) for cell in cells]
        elif not (len(kinds) <= 1 and kinds <= {str, int, float, bool}):
            cells = [None if cell is None else _json(cell) for cell in cells]
        columns[name] = cells
    return columns


def _json(cell: Any) -> str:
    return json.dumps(msgspec.to_builtins(cell), ensure_ascii=False)


def _made(columns: dict[str, list[Any]], kind: FrameKind) -> Any:
    if kind == "pandas":
        return library("pandas", "pandas").DataFrame(columns)
    if kind == "polars":
        return library("polars", "polars").DataFrame(columns)
    if kind == "arrow":
        return library("pyarrow", "Arrow").table(columns)
    if kind == "hf":
        return library("datasets", "Hugging Face").Dataset.from_dict(columns)
    raise InputError(f"a frame of the kind {kind!r:.40} is not known: pandas, polars, arrow, hf or records")
