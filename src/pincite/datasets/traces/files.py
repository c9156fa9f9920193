"""The values in any file of traces: JSON, also compressed, or a table of spans."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pincite.answers.traces.reading import json_values, looks_like_trace
from pincite.datasets.files.kinds import FileKind, file_kind
from pincite.datasets.files.streams import open_bytes
from pincite.datasets.imports.rows import read_rows, written
from pincite.errors import InputError, PinciteError

_FORMS = ("json", "jsonl", "csv", "parquet")


def trace_form(path: Path) -> FileKind | None:
    """How a file of traces is written, by its ending; None for a file that holds none."""
    try:
        found = file_kind(path)
    except InputError:
        return None
    return found if found.form in _FORMS else None


def is_lines(path: Path) -> bool:
    """Whether the ending says that every line is a value; a file ending in .json may be either."""
    found = trace_form(path)
    return found is None or found.form == "jsonl"


def trace_values(path: Path) -> Iterator[tuple[str, Any]]:
    """Each value of a file and its place. One that cannot be read is an `InputError` in its stead."""
    found = trace_form(path)
    if found is not None and found.form in ("csv", "parquet"):
        for place, row in read_rows(path):
            yield place, {name: _cell(held) for name, held in row.items()}
    else:
        yield from json_values(path, open_bytes, is_lines(path))


def holds_traces(path: Path) -> bool:
    """Whether the first value of a file is a trace."""
    try:
        first = next(trace_values(path), None)
    except PinciteError:
        return False
    return first is not None and looks_like_trace(first[1])


def _cell(held: Any) -> Any:
    """A cell of a table: what looks like a list or an object in a text is one."""
    return written(held) if isinstance(held, str) else held
