"""Rows as columns and back: plain ones that every tool reads, JSON where nothing else would do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pincite.errors import InputError

_JSON = "json:"
"""The beginning of a column's name whose cells are JSON."""


def columns_of(rows: list[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Each column as texts or as numbers, or as JSON where its cells are neither."""
    names = dict.fromkeys(name for row in rows for name in row)
    columns: dict[str, list[Any]] = {}
    for name in names:
        cells = [row.get(name) for row in rows]
        # An empty cell of a plain column is null; a field that some rows do not have at all is kept as JSON.
        if all(name in row for row in rows) and _is_plain(cells):
            columns[name] = cells
        else:
            columns[f"{_JSON}{name}"] = [dumped(row[name]) if name in row else None for row in rows]
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
    """Whether a text can stand in either kind of file: HDF5 ends one at a zero, and has no null but ""."""
    return cell != "" and "\0" not in cell and not any("\ud800" <= letter <= "\udfff" for letter in cell)


def dumped(value: Any) -> str:
    try:
        return json.dumps(value, allow_nan=False)
    except (ValueError, TypeError, RecursionError) as error:
        raise InputError(f"the value cannot be kept in a table: {error}") from None


def cell_kind(cells: list[Any]) -> type:
    """What a plain column holds: numbers with a fraction among them, whole numbers, or texts."""
    kinds = {type(cell) for cell in cells}
    return float if float in kinds else int if int in kinds else str


def rows_of(columns: Mapping[str, list[Any]], path: Path) -> list[dict[str, Any]]:
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
