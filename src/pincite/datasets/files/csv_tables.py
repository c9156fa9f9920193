"""CSV: one row per query, nested fields as JSON.

What belongs to a whole dataset (its name, its documents) is in columns `dataset.…` of the first row. Of
results it is one JSON text in the column `results_document`, cut into numbered parts, one per row: a
spreadsheet holds no cell of over 32,767 characters, and its rows may come back sorted. Results also have a
column per metric, for people: the columns `metrics.…` repeat `individual_metrics`, which is read back.

A text that a cell cannot hold as it is, is written as a JSON string: one that is empty, that begins with a
quote, that a spreadsheet would take for a formula, or that a CI system would obey in a log.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

from pincite.base import is_formula
from pincite.datasets.files.json_yaml import DEEPEST, parse_json, read_text
from pincite.datasets.files.streams import check_columns
from pincite.datasets.formats import EvaluationQuery, Kind, QueryResult
from pincite.datasets.record import Record, field_names
from pincite.errors import InputError
from pincite.text import escape_commands, has_command

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++")
_LONE = re.compile(r"[\ud800-\udfff]")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_ANSWERS = frozenset({"answer", "generated_answer", "response"})
"""Texts also where the format does not name them: an answer may be the number 42."""
_DEEPEST = DEEPEST - 3
"""Of a cell: as JSON it is inside an object, in a list, in the dataset's object."""
_OR_NONE = {str, type(None)}
LARGEST_CSV = 1000 * 1000 * 1000
METRIC = "metrics."
WHOLE = "results_document"
PART = 30_000
_PART = re.compile(r"(\d+)/(\d+) (.*)", re.S)
Row = dict[str, Any]
_ROWS: dict[Kind, tuple[str, type[Record], str]] = {
    "dataset": ("queries", EvaluationQuery, "dataset."),
    "results": ("query_results", QueryResult, "results."),
}


def csv_rows(raw: bytes, name: str) -> Iterator[tuple[int, list[str]]]:
    """The line and the cells of each row, the header first. A row with more cells than it is refused."""
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    # Line by line: a StringIO holds four bytes for each character.
    reader = csv.reader((line.group() for line in _LINE.finditer(read_text(raw, name))), strict=True)
    columns: int | None = None
    try:
        for cells in reader:
            columns = len(cells) if columns is None else columns
            if len(cells) > columns:
                raise InputError(
                    f"{name}: line {reader.line_num}: {len(cells)} cells under {columns} columns"
                )
            yield reader.line_num, cells
    except csv.Error as error:
        raise InputError(f"{name}: line {reader.line_num}: not valid CSV: {error}") from None


def parse_csv(raw: bytes, name: str, kind: Kind | None) -> Any:
    """The plain value of a CSV file."""
    table = csv_rows(raw, name)
    header = [_read_text(column) for column in next(table, (1, []))[1]]
    kind = kind or _kind_of(header, name)
    if len(set(header)) < len(header):
        twice = next(column for column in header if header.count(column) > 1)
        raise InputError(f"{name}: line 1: the column {twice!r:.80} comes twice")
    rows_name, record, prefix = _ROWS[kind]
    texts = _text_fields(record)
    whole: dict[str, Any] = {}
    rows: list[Row] = []
    for line, cells in table:
        row: Row = {}
        for column, cell in zip(header, cells, strict=False):
            if cell == "":
                continue
            if column.startswith(prefix):
                whole.setdefault(column.removeprefix(prefix), _read_any(cell))
            else:
                row[column] = _read_cell(column, cell, texts, record, f"{name}: line {line}")
        if row:
            rows.append(row)
    if kind == "results":
        whole |= _whole_of(rows, name)
        rows = [gathered for row in rows if (gathered := _gathered(row))]
    else:
        for row in rows:
            row.setdefault("query_text", "")
    return {**whole, rows_name: rows}


def write_csv(value: dict[str, Any], kind: Kind) -> bytes:
    """A plain dataset or results document as CSV."""
    rows_name, record, prefix = _ROWS[kind]
    rows: list[Row] = value.get(rows_name) or []
    whole = {f"{prefix}{key}": held for key, held in value.items() if key != rows_name}
    known = [name for name in field_names(record) if any(name in row for row in rows)]
    unknown = dict.fromkeys(key for row in rows for key in row if key not in known)
    columns = [*known, *unknown, *whole]
    check_columns(columns, rows)
    if kind == "results":
        rows, columns = _spread(value, rows, [*known, *unknown])
        check_columns(columns, rows)
        whole = {}
    texts = _text_fields(record)
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([_write_text(column) for column in columns])
    for number, row in enumerate(rows or [{}]):
        cells = {**row, **(whole if number == 0 else {})}
        writer.writerow([_write_cell(column, cells, texts) for column in columns])
    return out.getvalue().encode()


def _kind_of(header: list[str], name: str) -> Kind:
    of_results = any(column == WHOLE or column.startswith((METRIC, "results.")) for column in header)
    if "query_text" in header and not of_results:
        return "dataset"
    if "query_id" in header:
        return "results"
    raise InputError(f"{name}: line 1: expected columns with query_id and query_text, found {header[:8]}")


def _text_fields(record: type[Record]) -> frozenset[str]:
    """The fields that hold nothing but text, and are written as they are."""
    hints = get_type_hints(record)
    return _ANSWERS | frozenset(
        name for name in field_names(record) if hints[name] is str or set(get_args(hints[name])) == _OR_NONE
    )


def _read_cell(column: str, cell: str, texts: frozenset[str], record: type[Record], place: str) -> Any:
    if column in texts:
        return _read_text(cell)
    if column == "relevant_documents" and cell.lstrip()[:1] not in ("[", "{"):
        return [part.strip() for part in cell.split(";") if part.strip()]
    if column in field_names(record):
        return parse_json(cell.encode("utf-8", "surrogatepass"), f"{place}, column {column!r:.80}", _DEEPEST)
    return _read_any(cell)


def _read_text(cell: str) -> str:
    if cell.startswith('"'):
        try:
            value = json.loads(cell)
        except ValueError:
            return cell
        return value if isinstance(value, str) else cell
    return cell


def _read_any(cell: str) -> Any:
    try:
        return parse_json(cell.encode("utf-8", "surrogatepass"), "", _DEEPEST)
    except InputError:
        return cell


def _write_cell(column: str, cells: dict[str, Any], texts: frozenset[str]) -> str:
    value = cells.get(column)
    if column not in cells or (value is None and column in texts):
        return ""  # in a column of texts `null` would be read as that word
    if isinstance(value, str) and value and (column in texts or _read_any(value) is value):
        return _write_text(value)
    return _as_json(value)


def _write_text(text: str) -> str:
    """A text as a cell that `_read_text` reads as the same, and that nothing else takes for an order."""
    is_plain = _read_text(text) == text and _CONTROL.search(text) is None and not has_command(text)
    if is_plain and (not is_formula(text) or _NUMBER.fullmatch(text) is not None):
        return text
    return _as_json(text)


def _as_json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    # Half a character has no form in UTF-8.
    return escape_commands(text if _LONE.search(text) is None else json.dumps(value), "\\u{:04x}")


# --- results ---------------------------------------------------------------------------------------


def _spread(value: dict[str, Any], rows: list[Row], fields: list[str]) -> tuple[list[Row], list[str]]:
    """The rows with their further columns, and the columns in order: plain fields, metrics, nested fields."""
    rows = [dict(row) for row in rows] or [{}]
    metrics: dict[str, None] = {}
    for row in rows:
        scores = row.get("individual_metrics")
        for name, score in (scores if isinstance(scores, dict) else {}).items():
            metrics[f"{METRIC}{name}"] = None
            if score is not None and f"{METRIC}{name}" not in fields:
                row[f"{METRIC}{name}"] = score
    nested = [name for name in fields if any(isinstance(row.get(name), dict | list) for row in rows)]
    plain = [name for name in fields if name not in nested]
    own = [name for name in metrics if name not in fields]
    whole = {name: held for name, held in value.items() if name != "query_results"}
    text = json.dumps(whole)
    # The last row takes what is left where there are fewer rows than parts.
    parts = [text[at : at + PART] for at in range(0, len(text), PART)]
    parts[len(rows) - 1 :] = ["".join(parts[len(rows) - 1 :])] if len(parts) >= len(rows) else []
    for number, (row, part) in enumerate(zip(rows, parts, strict=False), 1):
        row[WHOLE] = f"{number}/{len(parts)} {part}"
    return rows, [*plain, *own, *nested, WHOLE]


def _whole_of(rows: list[Row], name: str) -> dict[str, Any]:
    """What belongs to the run, put together from its parts, which the rows lose."""
    parts: dict[int, str] = {}
    count = 0
    for row in rows:
        found = _PART.fullmatch(row[WHOLE]) if isinstance(row.get(WHOLE), str) else None
        if found is not None:
            parts[int(found[1])] = found[3]
            count = int(found[2])
            del row[WHOLE]
    if not count:
        return {}
    missing = [number for number in range(1, count + 1) if number not in parts]
    if missing:
        raise InputError(f"{name}: part {missing[0]} of {count} is missing in the column {WHOLE!r}")
    text = "".join(parts[number] for number in range(1, count + 1))
    whole = parse_json(text.encode(), f"{name}: column {WHOLE!r}")
    if not isinstance(whole, dict):
        raise InputError(f"{name}: the column {WHOLE!r} holds no JSON object")
    return whole


def _gathered(row: Row) -> Row:
    """The row without the columns that repeat its metrics; where nothing else has them, they are read."""
    shown = {column: held for column, held in row.items() if column.startswith(METRIC)}
    if not shown:
        return row
    scores = row.get("individual_metrics")
    if scores is None:
        kept = {column: held for column, held in row.items() if column not in shown}
        return {**kept, "individual_metrics": {c.removeprefix(METRIC): held for c, held in shown.items()}}
    known = scores if isinstance(scores, dict) else {}
    return {
        column: held
        for column, held in row.items()
        if column not in shown or known.get(column.removeprefix(METRIC)) != held
    }
