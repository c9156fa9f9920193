"""Views as files: a table as CSV, a record as JSON, a page that holds everything."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from starlette.responses import Response

from pincite.web.pages import download

_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠\t\r]")
Cell = str | int | float | None


def csv_file(name: str, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Response:
    """A table. A text that a spreadsheet would take for a formula gets an apostrophe in front."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(header)
    for row in rows:
        writer.writerow([_cell(value) for value in row])
    return download(out.getvalue(), f"{name}.csv", "text/csv; charset=utf-8")


def _cell(value: Cell) -> str:
    if isinstance(value, str):
        return f"'{value}" if _FORMULA.match(value) else value
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def as_json(value: Any) -> bytes:
    """A record as JSON. What JSON cannot hold becomes text."""
    try:
        return msgspec.json.encode(value, enc_hook=str)
    except UnicodeEncodeError:  # half a surrogate pair, which only the standard library writes
        import json

        return json.dumps(msgspec.to_builtins(value, enc_hook=str)).encode()


def json_file(name: str, value: Any) -> Response:
    return download(msgspec.json.format(as_json(value), indent=2) + b"\n", f"{name}.json", "application/json")


def html_file(name: str, page: str) -> Response:
    return download(page, f"{name}.html", "text/html; charset=utf-8")
