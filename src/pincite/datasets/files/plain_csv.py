"""CSV: a row a query, nested fields as JSON.

What belongs to the whole of a dataset (its name, its documents) stands in columns `dataset.…` of the first
row; of results `csv_results` tells. A text that a cell could not hold as it is stands there as a JSON string
in quotes, and is read back as the text: one that is empty, that begins with a quote, that a spreadsheet would
take for a formula, or that a CI system would obey in a log.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from typing import Any, get_args, get_type_hints

from pincite.datasets.files import csv_results
from pincite.datasets.files.kinds import Kind
from pincite.datasets.files.plain_json import DEEPEST, parse_json, read_text
from pincite.datasets.formats import records as formats
from pincite.datasets.formats.base import Record, field_names
from pincite.errors import InputError
from pincite.text.log_commands import escape_commands, has_command

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\n]")
"""How a formula begins, for some spreadsheet; the wide signs count in Japanese and Chinese ones."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_ANSWERS = frozenset({"answer", "generated_answer", "response"})
"""Texts also where the format does not name them: an answer may be the number 42."""
_DEEPEST = DEEPEST - 3
"""Of a cell: as JSON it stands inside an object, in a list, in the dataset's object."""
_OR_NONE = {str, type(None)}
LARGEST = 1000 * 1000 * 1000
_ROWS: dict[Kind, tuple[str, type[Record], str]] = {
    "dataset": ("queries", formats.EvaluationQuery, "dataset."),
    "results": ("query_results", formats.QueryResult, "results."),
}


def parse_csv(raw: bytes, name: str, kind: Kind | None) -> Any:
    """The plain value of a CSV file."""
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    reader = csv.reader(io.StringIO(read_text(raw, name), newline=""), strict=True)
    try:
        header = [_read_text(column) for column in next(reader, [])]
        kind = kind or _kind_of(header, name)
        if len(set(header)) < len(header):
            twice = next(column for column in header if header.count(column) > 1)
            raise InputError(f"{name}: line 1: the column {twice!r:.80} comes twice")
        rows_name, record, prefix = _ROWS[kind]
        texts = _text_fields(record)
        whole: dict[str, Any] = {}
        rows: list[dict[str, Any]] = []
        for cells in reader:
            if len(cells) > len(header):
                raise InputError(
                    f"{name}: line {reader.line_num}: {len(cells)} cells under {len(header)} columns"
                )
            row: dict[str, Any] = {}
            for column, cell in zip(header, cells, strict=False):
                if cell == "":
                    continue
                if column.startswith(prefix):
                    whole.setdefault(column.removeprefix(prefix), _read_any(cell))
                else:
                    place = f"{name}: line {reader.line_num}, column {column!r:.80}"
                    row[column] = _read_cell(column, cell, texts, record, place)
            if row:
                rows.append(row)
        if kind == "results":
            whole |= csv_results.whole_of(rows, name)
            rows = [gathered for row in rows if (gathered := csv_results.gathered(row))]
    except csv.Error as error:
        raise InputError(f"{name}: line {reader.line_num}: not valid CSV: {error}") from None
    if kind == "dataset":
        for row in rows:
            row.setdefault("query_text", "")
    return {**whole, rows_name: rows}


def write_csv(value: dict[str, Any], kind: Kind) -> bytes:
    """A plain dataset or results document as CSV."""
    rows_name, record, prefix = _ROWS[kind]
    rows: list[dict[str, Any]] = value.get(rows_name) or []
    whole = {f"{prefix}{key}": held for key, held in value.items() if key != rows_name}
    known = [name for name in field_names(record) if any(name in row for row in rows)]
    unknown = dict.fromkeys(key for row in rows for key in row if key not in known)
    columns = [*known, *unknown, *whole]
    if kind == "results":
        rows, columns = csv_results.spread(value, rows, [*known, *unknown])
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
    if "query_text" in header and not csv_results.are_results(header):
        return "dataset"
    if "query_id" in header:
        return "results"
    raise InputError(f"{name}: line 1: expected columns with query_id and query_text, found {header[:8]}")


def _text_fields(record: type[Record]) -> frozenset[str]:
    """The fields that hold nothing but text, and so stand in their cells as they are."""
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
        return parse_json(cell.encode("utf-8", "surrogatepass"), place, _DEEPEST)
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
    if is_plain and (_FORMULA.match(text) is None or _NUMBER.fullmatch(text) is not None):
        return text
    return _as_json(text)


def _as_json(value: Any) -> str:
    return escape_commands(json.dumps(value, ensure_ascii=not _is_utf8(value)), "\\u{:04x}")


def _is_utf8(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
