"""Benchmark data and results in Parquet and HDF5.

A table has one row per entry (of a benchmark) or query (of results). Columns are plain where every tool can
read them; a list, or what belongs to the whole, is held as JSON, so that nothing is lost on the way back.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pincite.datasets.files.parquet import LARGEST, WHOLE, pyarrow_library, read_batches, read_whole
from pincite.datasets.files.streams import check_columns, read_bytes
from pincite.datasets.paths import file_kind
from pincite.errors import InputError

_JSON = "json:"
"""The beginning of a column's name whose cells are JSON."""
_ROWS = {"benchmark": "entries", "results": "query_results"}


def read_table(path: Path) -> dict[str, Any]:
    """The plain value of a Parquet or HDF5 file that this module wrote, or of any table of entries."""
    if file_kind(path).form == "parquet":
        return value_of(*read_whole(path), path)
    from pincite.datasets.files.hdf5 import read_hdf5

    return value_of(*read_hdf5(read_bytes(path, LARGEST), str(path)), path)


def value_of(raw: str | None, columns: Mapping[str, list[Any]], path: Path) -> dict[str, Any]:
    """The plain value of a file, from what it says about the whole and from its columns."""
    rows = _rows_of(columns, path)
    if raw is None:
        name = "query_results" if rows and "query_id" in rows[0] else "entries"
        return {name: rows} if name == "query_results" else {"benchmark_id": path.stem, "entries": rows}
    try:
        whole = json.loads(raw)
        kind, value = whole["kind"], {**whole["value"]}
        return {**value, _ROWS[kind]: rows}
    except (ValueError, TypeError, KeyError, RecursionError):
        raise InputError(f"{path}: the file does not say which table it is: {raw!r:.80}") from None


def table_bytes(value: Mapping[str, Any], kind: str, form: str) -> bytes:
    """A plain benchmark or results document as the content of a Parquet or HDF5 file."""
    if kind not in _ROWS:
        raise InputError(f"{kind} is not kept in tables: save it as JSON")
    rows_name = _ROWS[kind]
    whole = {"kind": kind, "value": {name: held for name, held in value.items() if name != rows_name}}
    rows = value.get(rows_name) or []
    if not isinstance(rows, list | tuple) or not all(isinstance(row, Mapping) for row in rows):
        raise InputError(f"{rows_name} is not a list of objects, so it cannot be written as a table")
    columns = _columns_of(list(rows))
    if form == "parquet":
        return _to_parquet(whole, columns)
    from pincite.datasets.files.hdf5 import hdf5_bytes

    return hdf5_bytes(_dumped(whole), columns)


# --- rows as columns and back ----------------------------------------------------------------------


def _columns_of(rows: list[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Each column as texts or as numbers, or as JSON where its cells are neither."""
    names = dict.fromkeys(name for row in rows for name in row)
    check_columns(names, rows)
    columns: dict[str, list[Any]] = {}
    for name in names:
        cells = [row.get(name) for row in rows]
        # An empty cell of a plain column is null; a field that some rows do not have at all is kept as JSON.
        if all(name in row for row in rows) and _is_plain(cells):
            columns[name] = cells
        else:
            columns[f"{_JSON}{name}"] = [_dumped(row[name]) if name in row else None for row in rows]
    return columns


def _is_plain(cells: list[Any]) -> bool:
    kinds = {type(cell) for cell in cells} - {type(None)}
    if kinds == {str}:
        return all(cell is None or _is_text(cell) for cell in cells)
    if kinds == {int}:
        return all(cell is not None and abs(cell) < 2**53 for cell in cells)
    if float in kinds and kinds <= {int, float}:
        return all(cell is None or abs(cell) < 2**53 for cell in cells)  # NaN and infinity are not
    return False


def _is_text(cell: str) -> bool:
    """Whether a text can be in either kind of file: HDF5 ends one at a zero, and has no null but ""."""
    return cell != "" and "\0" not in cell and not any("\ud800" <= letter <= "\udfff" for letter in cell)


def _dumped(value: Any) -> str:
    try:
        return json.dumps(value, allow_nan=False)
    except (ValueError, TypeError, RecursionError) as error:
        raise InputError(f"the value cannot be kept in a table: {error}") from None


def _rows_of(columns: Mapping[str, list[Any]], path: Path) -> list[dict[str, Any]]:
    count = max((len(cells) for cells in columns.values()), default=0)
    rows: list[dict[str, Any]] = [{} for _ in range(count)]
    for name, cells in columns.items():
        packed = name.startswith(_JSON)
        field = name.removeprefix(_JSON)
        for row, cell in zip(rows, cells, strict=False):
            if cell is None and packed:
                continue
            try:
                row[field] = json.loads(cell) if packed else cell
            except (ValueError, TypeError, RecursionError):
                raise InputError(f"{path}: the column {name!r:.80} holds what is not JSON") from None
    return rows


# --- Parquet -------------------------------------------------------------------------------------


def read_parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of any Parquet file, some thousand at a time."""
    for columns in read_batches(path):
        yield from _rows_of(columns, path)


def _to_parquet(whole: dict[str, Any], columns: Mapping[str, list[Any]]) -> bytes:
    arrow = pyarrow_library()
    table = arrow.table(dict(columns)).replace_schema_metadata({WHOLE: _dumped(whole)})
    out = io.BytesIO()
    arrow.parquet.write_table(table, out)
    return out.getvalue()
