"""The rows of a table, saved as lines of JSON, as JSON, CSV or Parquet. Each knows its place."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pincite.base import within_memory
from pincite.datasets.files.csv_tables import csv_rows
from pincite.datasets.files.json_yaml import parse_json
from pincite.datasets.files.streams import open_bytes, read_bytes
from pincite.datasets.paths import file_kind
from pincite.datasets.record import is_number
from pincite.errors import InputError

Row = tuple[str, dict[str, Any]]
"""Its place, for a person, and what it holds."""

LARGEST, LONGEST = 1024 * 1024 * 1024, 64 * 1024 * 1024
"""Bytes of a file that is read whole, and of a line."""
_LISTS = (
    *("data", "test_cases", "testCases", "goldens", "examples"),
    *("samples", "runs", "results", "rows", "queries"),
)
"""Fields under which an object may hold its rows."""


def read_rows(path: Path) -> Iterator[Row]:
    """Every row of a file, by its ending. A pipe has none and holds lines of JSON."""
    with within_memory(path):
        yield from _rows_of(path)


def _rows_of(path: Path) -> Iterator[Row]:
    form = file_kind(path).form if "." in path.name else "jsonl"
    if form == "jsonl":
        return _of_lines(path)
    if form == "json":
        return _of_json(path)
    if form == "csv":
        return _of_csv(path)
    if form == "parquet":
        from pincite.datasets.files.tables import read_parquet_rows

        return ((f"{path}: row {number}", row) for number, row in enumerate(read_parquet_rows(path), 1))
    raise InputError(f"{path}: rows are read from .jsonl, .json, .csv and .parquet")


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a text file that are not empty, with their numbers. A byte-order mark is dropped."""
    with open_bytes(path) as stream:
        number = 0
        while raw := stream.readline(LONGEST + 1):
            number += 1
            if len(raw) > LONGEST:
                raise InputError(f"{path}: line {number} has more than {LONGEST // 2**20} MB")
            if number == 1:
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            try:
                line = raw.decode().rstrip("\r\n")
            except UnicodeDecodeError:
                raise InputError(f"{path}: line {number}: the text is not UTF-8") from None
            if line.strip():
                yield number, line


def _of_lines(path: Path) -> Iterator[Row]:
    for number, line in read_lines(path):
        place = f"{path}: line {number}"
        try:
            value = parse_json(line.encode(), place)
        except InputError as error:
            raise InputError(str(error).replace("at line 1, column", "at column")) from None
        yield place, as_object(value, place)


def _of_json(path: Path) -> Iterator[Row]:
    value = parse_json(read_bytes(path, LARGEST), str(path))
    if isinstance(value, dict):
        named = next((name for name in _LISTS if isinstance(value.get(name), list)), None)
        if named is not None:
            value = value[named]
        elif value and all(isinstance(column, list) for column in value.values()):
            value = of_columns(value, str(path))
    if not isinstance(value, list):
        raise InputError(f"{path}: expected a list of rows, or an object with one under {', '.join(_LISTS)}")
    for number, row in enumerate(value, 1):
        place = f"{path}: row {number}"
        yield place, as_object(row, place)


def _of_csv(path: Path) -> Iterator[Row]:
    table = csv_rows(read_bytes(path, LARGEST), str(path))
    _, header = next(table, (1, []))
    for line, cells in table:
        if any(cells):
            yield (
                f"{path}: line {line}",
                {name: cell for name, cell in zip(header, cells, strict=False) if cell},
            )


def of_columns(columns: dict[str, list[Any]], name: str) -> list[dict[str, Any]]:
    """Rows of a table that is held by its columns."""
    lengths = {len(column) for column in columns.values()}
    if len(lengths) > 1:
        raise InputError(f"{name}: the columns are not equally long")
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def as_object(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{place}: expected an object, found {type(value).__name__}")
    return value


def objects_in(row: dict[str, Any], name: str, place: str) -> Iterator[Row]:
    """Each object of a list in a row, with its place."""
    for number, given in enumerate(listed(row.get(name)) or (), 1):
        yield f"{place}: {name} {number}", as_object(given, f"{place}: {name} {number}")


# --- what a field holds --------------------------------------------------------------------------


def first(row: Mapping[str, Any], *names: str) -> Any:
    """The value of the first of these fields that has one."""
    return next((row[name] for name in names if row.get(name) is not None), None)


def text_in(row: dict[str, Any], place: str, *names: str) -> str | None:
    """The text under the first of these names that has a value; numbers count as texts."""
    value = first(row, *names)
    if value is None or isinstance(value, str):
        return value
    if is_number(value):
        return str(value)
    name = next(name for name in names if row.get(name) is not None)
    raise InputError(f"{place}: {name} is no text but a {type(value).__name__}")


def needed_text(row: dict[str, Any], place: str, *names: str) -> str:
    found = text_in(row, place, *names)
    if found is None:
        known = ", ".join(list(row)[:8]) or "nothing"
        raise InputError(f"{place}: there is no {' or '.join(names)}; the row has {known}"[:500])
    return found


def listed(value: Any, separator: str | None = None) -> list[Any] | None:
    """A list: as it is, written as JSON or as Python does, or parted by a separator; one text is one."""
    if value is None or isinstance(value, list):
        return value
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, str):
        read = written(value)
        if isinstance(read, list):
            return read
        if separator is not None and separator in value:
            return [part.strip() for part in value.split(separator) if part.strip()]
        return [value] if value else []
    return [value]


def written(text: str) -> Any:
    """The value of a cell that holds one as JSON or as Python writes it, or else the text itself."""
    if text.lstrip()[:1] not in ("[", "{"):
        return text
    try:
        return _json_form(json.loads(text))
    except (ValueError, RecursionError):
        pass
    try:
        # Only literals: nothing that a cell holds is run.
        return _json_form(ast.literal_eval(text))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return text


def _json_form(value: Any) -> Any:
    """The value as JSON has it: tuples as lists, keys as texts, NaN as null. A set has no such form."""
    if isinstance(value, dict):
        if not all(key is None or isinstance(key, str | int | float) for key in value):
            raise ValueError("a key is not a string")
        return {
            key if isinstance(key, str) else json.dumps(key): _json_form(held) for key, held in value.items()
        }
    if isinstance(value, list | tuple):
        return [_json_form(held) for held in value]
    if isinstance(value, float) and not abs(value) < float("inf"):
        return None
    if value is None or isinstance(value, str | int | float):
        return value
    raise ValueError(f"a {type(value).__name__} has no form in JSON")


def mapped(value: Any) -> dict[str, Any]:
    """An object, as it is or written in a cell; empty where there is none."""
    if isinstance(value, str):
        value = written(value)
    return value if isinstance(value, dict) else {}
