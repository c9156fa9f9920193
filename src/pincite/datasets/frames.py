"""Frames of any kind in and out: pandas, polars, Arrow, Hugging Face datasets, and whatever speaks like one.

None of these libraries is needed unless its frames are asked for. A frame is known by what it can do, not by
importing the library that might have made it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import msgspec

from pincite.answers import read_record
from pincite.base import import_extra
from pincite.datasets.formats import (
    FORMATS,
    BenchmarkData,
    EvaluationDataset,
    EvaluationQuery,
    EvaluationResults,
)
from pincite.datasets.imports import entries_in
from pincite.datasets.imports.entries import answer_record, answers_of, dataset_of
from pincite.datasets.imports.rows import Row, of_columns, written
from pincite.datasets.load import Dataset
from pincite.datasets.paths import kind_of_value
from pincite.datasets.record import Record, field_names, from_plain, to_plain
from pincite.errors import InputError
from pincite.records import ItemResult, RecordedAnswer, Run, Score

FrameKind = Literal["pandas", "polars", "arrow", "hf", "records"]
_ITEM = ("query_id", "query_text", "query_type", "difficulty", "answer", "failure", "latency_ms")
_TEXTS = frozenset(
    (
        *("query_id", "query_text", "query_type", "difficulty", "ground_truth_answer", "conversation_id"),
        *("generated_answer", "answer", "actual_output", "response", "text", "failure", "error"),
        *("document_id", "title", "content", "file_path"),
    )
)
"""Columns that are always texts, whatever they look like."""


def from_frame(
    frame: Any,
    *,
    documents: Any = None,
    kind: str | None = None,
    mapping: Mapping[str, str] | None = None,
    name: str = "frame",
) -> EvaluationDataset:
    """The dataset of a frame with one row per query; another frame may hold the documents.

    The columns have the names of our queries, or with a `kind` those of that export (`ragas`, `deepeval`,
    `langsmith`), or those that a `mapping` gives. Lists and objects may be in a cell as JSON.
    """
    if kind is not None or mapping is not None:
        return dataset_of(_entries(frame, kind, mapping), Path(name), kind or "jsonl")
    queries = []
    for number, (place, row) in enumerate(_rows_in(frame), 1):
        query = _cells({"query_id": f"query_{number:04d}", "relevant_documents": [], **row})
        try:
            queries.append(to_plain(from_plain(EvaluationQuery, query)))
        except InputError as error:
            raise InputError(f"{place}: {error}") from None
    value = {
        "dataset_id": name,
        "name": name,
        "version": "1.0.0",
        "queries": queries,
        "documents": [] if documents is None else [_cells(row) for row in frame_rows(documents)],
    }
    return from_plain(EvaluationDataset, value)


def answers_from_frame(
    frame: Any, *, kind: str | None = None, mapping: Mapping[str, str] | None = None
) -> Iterator[RecordedAnswer]:
    """The recorded answers of a frame with one row per answer."""
    if kind is not None or mapping is not None:
        yield from answers_of(_entries(frame, kind, mapping))
        return
    for place, row in _rows_in(frame):
        try:
            yield read_record(_cells(row))
        except InputError as error:
            raise InputError(f"{place}: {error}") from None


def to_frame(
    value: Any, kind: FrameKind = "pandas", part: Literal["queries", "documents"] = "queries"
) -> Any:
    """A frame of a dataset, of results, of a run's scores, of items or of recorded answers.

    In frames lists and objects are JSON, since not every library holds rows of different shapes; the
    kind `records`, a list of dicts, has them as they are.
    """
    rows = [_row_of(one) for one in _elements(value, part)]
    if kind == "records":
        return rows
    columns = _flat(rows)
    if kind in ("pandas", "polars"):
        return library(kind, kind).DataFrame(columns)
    if kind == "arrow":
        return library("pyarrow", "Arrow").table(columns)
    if kind == "hf":
        return library("datasets", "Hugging Face").Dataset.from_dict(columns)
    raise InputError(f"a frame of the kind {kind!r:.40} is not known: pandas, polars, arrow, hf or records")


# --- frames in -----------------------------------------------------------------------------------


def frame_rows(frame: Any) -> list[dict[str, Any]]:
    """The rows of a frame as plain values: no NaN, no arrays, no dates of a library's own."""
    return [
        {str(name): plain for name, cell in row.items() if (plain := _plain_cell(cell)) is not None}
        for row in _raw_rows(frame)
    ]


def _raw_rows(frame: Any) -> Iterable[Mapping[str, Any]]:
    for opened in ("collect", "to_native"):
        # A lazy frame is worked out; a wrapper gives what it is wrapped around.
        if callable(getattr(frame, opened, None)) and not callable(getattr(frame, "to_pylist", None)):
            return _raw_rows(getattr(frame, opened)())
    if isinstance(frame, Mapping):
        if frame and not all(isinstance(one, list | tuple) for one in frame.values()):
            raise InputError(f"this holds several tables ({', '.join(map(str, frame))}): give one of them")
        return of_columns({str(key): list(one) for key, one in frame.items()}, "the frame")
    rows: Iterable[Mapping[str, Any]]
    for method in ("to_dicts", "to_pylist"):
        if callable(getattr(frame, method, None)):
            rows = getattr(frame, method)()
            return rows
    if hasattr(frame, "iloc") and callable(getattr(frame, "to_dict", None)):
        rows = frame.to_dict("records")
        return rows
    if hasattr(frame, "__arrow_c_stream__"):
        return _raw_rows(library("pyarrow", "Arrow").table(frame))
    if hasattr(frame, "__dataframe__"):
        library("pyarrow", "Arrow")
        return _raw_rows(import_module("pyarrow.interchange").from_dataframe(frame))
    if not isinstance(frame, Iterable) or isinstance(frame, str | bytes):
        raise InputError(
            f"a {type(frame).__name__} is not a known kind of frame: give its rows as a list of dicts"
        )
    rows = list(frame)
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise InputError(f"row {number} of the frame is a {type(row).__name__}, not a dict of its cells")
    return rows


def _plain_cell(cell: Any) -> Any:
    """A cell as JSON would hold it; None for every way of saying that there is nothing."""
    if cell is None or isinstance(cell, str | bool | int):
        return cell
    if isinstance(cell, float):
        return None if math.isnan(cell) else cell
    if isinstance(cell, Mapping):
        return {str(name): _plain_cell(one) for name, one in cell.items()}
    if isinstance(cell, list | tuple):
        return [_plain_cell(one) for one in cell]
    for method in ("tolist", "to_list"):
        if callable(getattr(cell, method, None)):
            return _plain_cell(getattr(cell, method)())
    if callable(getattr(cell, "isoformat", None)):
        # A date that is missing is a date that is not itself.
        return cell.isoformat() if cell == cell else None
    return None if type(cell).__name__ in ("NAType", "NaTType") else str(cell)


def _rows_in(frame: Any) -> Iterator[Row]:
    for number, row in enumerate(frame_rows(frame), 1):
        yield f"row {number} of the frame", row


def _entries(frame: Any, kind: str | None, mapping: Mapping[str, str] | None) -> Any:
    if mapping is not None:
        return entries_in(kind or "jsonl", _rows_in(frame), mapping=mapping)
    rows = _rows_in(frame)
    if kind == "jsonl":
        rows = ((place, _cells(row)) for place, row in rows)
    return entries_in(str(kind), rows)


def _cells(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its lists and objects unpacked."""
    return {
        name: written(cell) if isinstance(cell, str) and name not in _TEXTS else cell
        for name, cell in row.items()
    }


# --- frames out ----------------------------------------------------------------------------------


def _elements(value: Any, part: str) -> Iterable[Any]:
    """What becomes a row each."""
    if isinstance(value, Mapping) and (held := kind_of_value(value)) is not None:
        value = from_plain(FORMATS[held].record, value)
    if isinstance(value, Dataset):
        return value.queries() if part == "queries" else value.documents()
    if isinstance(value, EvaluationDataset):
        return value.queries if part == "queries" else value.documents
    if isinstance(value, EvaluationResults):
        return value.query_results or ()
    if isinstance(value, BenchmarkData):
        return value.entries
    if isinstance(value, Run):
        return [{"run_id": value.run_id, **_row_of(score)} for score in value.scores]
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return value
    raise InputError(f"a frame is made of a dataset, results, a run, items or answers, not of {type(value)}")


def _row_of(one: Any) -> dict[str, Any]:
    if isinstance(one, Score):
        row: dict[str, Any] = msgspec.to_builtins(one)
        low, high = row.pop("confidence_interval") or (None, None)
        return {"metric": row.pop("metric"), "value": row.pop("value"), "low": low, "high": high, **row}
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


def _flat(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Columns of texts, numbers and truth values: whatever else is written as JSON."""
    known = [name for name in field_names(EvaluationQuery) if any(name in row for row in rows)]
    columns = {}
    for name in dict.fromkeys([*known, *(name for row in rows for name in row)]):
        cells = [row.get(name) for row in rows]
        kinds = {type(cell) for cell in cells} - {type(None)}
        if len(kinds) > 1 and kinds <= {int, float}:
            cells = [None if cell is None else float(cell) for cell in cells]
        elif not (len(kinds) <= 1 and kinds <= {str, int, float, bool}):
            cells = [
                None if cell is None else json.dumps(msgspec.to_builtins(cell), ensure_ascii=False)
                for cell in cells
            ]
        columns[name] = cells
    return columns


def library(name: str, what: str) -> Any:
    """An optional library, or the error that says how to install it."""
    extra = "tables" if name == "pyarrow" else None
    return import_extra(name, f"{what} frames need the {name} library", extra)
