"""The rows of a frame of any kind, as plain values.

A frame is told by what it can do, never by importing the library that might have made it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any

from pincite.datasets.imports.rows import of_columns
from pincite.errors import InputError, MissingExtraError


def frame_rows(frame: Any) -> list[dict[str, Any]]:
    """The rows of a frame as plain values: no NaN, no arrays, no dates of a library's own."""
    return [
        {str(name): _plain(cell) for name, cell in row.items() if _plain(cell) is not None}
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
    for method in ("to_dicts", "to_pylist"):
        if callable(getattr(frame, method, None)):
            rows: Iterable[Mapping[str, Any]] = getattr(frame, method)()
            return rows
    if hasattr(frame, "iloc") and callable(getattr(frame, "to_dict", None)):
        made: Iterable[Mapping[str, Any]] = frame.to_dict("records")
        return made
    if hasattr(frame, "__arrow_c_stream__"):
        return _raw_rows(library("pyarrow", "Arrow").table(frame))
    if hasattr(frame, "__dataframe__"):
        library("pyarrow", "Arrow")
        return _raw_rows(import_module("pyarrow.interchange").from_dataframe(frame))
    if isinstance(frame, Iterable) and not isinstance(frame, str | bytes):
        return _each_row(frame)
    raise InputError(
        f"a {type(frame).__name__} is not a known kind of frame: give its rows as a list of dicts"
    )


def _each_row(rows: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise InputError(f"row {number} of the frame is a {type(row).__name__}, not a dict of its cells")
        yield row


def _plain(cell: Any) -> Any:
    """A cell as JSON would hold it; None for every way of saying that there is nothing."""
    if cell is None or isinstance(cell, str | bool | int):
        return cell
    if isinstance(cell, float):
        return None if math.isnan(cell) else cell
    if isinstance(cell, Mapping):
        return {str(name): _plain(one) for name, one in cell.items()}
    if isinstance(cell, list | tuple):
        return [_plain(one) for one in cell]
    if callable(getattr(cell, "tolist", None)):
        return _plain(cell.tolist())
    if callable(getattr(cell, "to_list", None)):
        return _plain(cell.to_list())
    if callable(getattr(cell, "isoformat", None)):
        # A date that is missing is a date that is not itself.
        return cell.isoformat() if cell == cell else None
    return None if type(cell).__name__ in ("NAType", "NaTType") else str(cell)


def library(name: str, what: str) -> Any:
    """An optional library, or the error that says how to install it."""
    try:
        return import_module(name)
    except ImportError:
        install = "pip install 'pincite[tables]'" if name == "pyarrow" else f"pip install {name}"
        raise MissingExtraError(f"{what} frames need the {name} library: {install}") from None
