"""Benchmark data and results in Parquet and HDF5.

A table has a row an entry (of a benchmark) or a query (of results). Whatever is no plain column, such as a
list or what belongs to the whole, is held as JSON, so that nothing is lost on the way there and back.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pincite.datasets.files.kinds import file_kind, kind_of_value
from pincite.datasets.files.streams import compress, read_bytes
from pincite.datasets.files.table_columns import cell_kind, columns_of, dumped, rows_of
from pincite.errors import InputError, MissingExtraError

LARGEST = 1024 * 1024 * 1024
WHOLE = "pincite"
"""Where a file keeps what belongs to the whole: metadata of the schema, or an attribute."""
_ROWS = {"benchmark": "entries", "results": "query_results"}


def read_table(path: Path) -> dict[str, Any]:
    """The plain value of a Parquet or HDF5 file that this module wrote, or of any table of entries."""
    raw, columns = _read_parquet(path) if file_kind(path).form == "parquet" else _read_hdf5(path)
    return value_of(raw, columns, path)


def value_of(raw: str | None, columns: Mapping[str, list[Any]], path: Path) -> dict[str, Any]:
    """The plain value of a file, from what it says about the whole and from its columns."""
    whole = None if raw is None else _whole(raw, path)
    order = None if whole is None else whole.get("columns")
    if isinstance(order, list):
        first = [name for name in order if isinstance(name, str) and name in columns]
        columns = {name: columns[name] for name in dict.fromkeys([*first, *columns])}
    rows = rows_of(columns, path)
    if whole is None:
        name = "query_results" if rows and "query_id" in rows[0] else "entries"
        return {name: rows} if name == "query_results" else {"benchmark_id": path.stem, "entries": rows}
    kind, value = whole.get("kind"), whole.get("value")
    if not isinstance(kind, str) or kind not in _ROWS or not isinstance(value, dict):
        raise InputError(f"{path}: the file says that it holds {kind!r:.40}, which is not a table")
    return {**value, _ROWS[kind]: rows}


def table_bytes(value: Mapping[str, Any], kind: str, form: str) -> bytes:
    """A plain benchmark or results document as the content of a Parquet or HDF5 file."""
    if kind not in _ROWS:
        raise InputError(f"{kind} is not kept in tables: save it as JSON")
    rows_name = _ROWS[kind]
    whole = {"kind": kind, "value": {name: held for name, held in value.items() if name != rows_name}}
    rows = value.get(rows_name) or []
    if not isinstance(rows, list | tuple) or not all(isinstance(row, Mapping) for row in rows):
        raise InputError(f"{rows_name} is not a list of objects, so it cannot be written as a table")
    columns = columns_of(list(rows))
    if form == "parquet":
        return _to_parquet(whole, columns)
    from pincite.datasets.files.hdf5_columns import hdf5_bytes

    return hdf5_bytes(dumped({**whole, "columns": list(columns)}), columns)


def write_table(value: Mapping[str, Any], path: Path) -> None:
    """Write a plain benchmark or results document; the ending says how."""
    from pincite.datasets.files.whole import write_whole

    kind = kind_of_value(dict(value)) or "benchmark"
    found = file_kind(path)
    write_whole(path, compress(table_bytes(value, kind, found.form), found.compression))


def _file(path: Path) -> Any:
    """The file for a library to open: the path itself, or its content where it is compressed."""
    if file_kind(path).compression is None:
        return path
    return io.BytesIO(read_bytes(path, LARGEST))


def read_parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of any Parquet file, some thousand at a time."""
    arrow = pyarrow_library()
    try:
        with arrow.parquet.ParquetFile(_file(path)) as file:
            for batch in file.iter_batches(2048):
                yield from batch.to_pylist()
    except (OSError, arrow.ArrowException, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from None


def _whole(raw: Any, path: Path) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except (ValueError, TypeError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise InputError(f"{path}: what the file says about itself is not JSON")
    return value


def _read_hdf5(path: Path) -> tuple[str | None, dict[str, list[Any]]]:
    from pincite.datasets.files.hdf5_reading import read_hdf5

    return read_hdf5(read_bytes(path, LARGEST), str(path))


# --- Parquet -------------------------------------------------------------------------------------


def _unreadable(path: Path, error: Exception) -> InputError:
    if isinstance(error, UnicodeDecodeError):
        return InputError(f"{path}: a text in it is not UTF-8")
    return InputError(f"{path}: cannot be read as Parquet: {error}"[:500])


def _read_parquet(path: Path) -> tuple[str | None, dict[str, list[Any]]]:
    arrow = pyarrow_library()
    try:
        with arrow.parquet.ParquetFile(_file(path)) as file:
            if file.metadata.serialized_size > LARGEST or _unpacked_size(file.metadata) > LARGEST:
                raise InputError(f"{path}: the table holds more than {LARGEST // 2**20} MB")
            table = file.read()
            raw = (table.schema.metadata or {}).get(WHOLE.encode())
            columns = {name: table.column(name).to_pylist() for name in table.column_names}
            return None if raw is None else raw.decode(), columns
    except (OSError, arrow.ArrowException, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from None


def _unpacked_size(metadata: Any) -> int:
    return sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))


def _to_parquet(whole: dict[str, Any], columns: Mapping[str, list[Any]]) -> bytes:
    arrow = pyarrow_library()
    types = {float: arrow.float64(), int: arrow.int64(), str: arrow.string()}
    fields = [arrow.field(name, types[cell_kind(cells)]) for name, cells in columns.items()]
    schema = arrow.schema(fields, {WHOLE: dumped(whole)})
    table = arrow.Table.from_pydict(dict(columns), schema=schema)
    out = io.BytesIO()
    arrow.parquet.write_table(table, out)
    return out.getvalue()


def pyarrow_library() -> Any:
    """The optional library that reads and writes Parquet."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("Parquet needs the pyarrow library: pip install 'pincite[tables]'") from None
    return pyarrow
