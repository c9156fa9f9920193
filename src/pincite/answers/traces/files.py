"""The values in a file of traces that is JSON: one per line, or one document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from pincite.answers.lines import MARK, lines_of
from pincite.answers.traces.reading import looks_like_trace
from pincite.any_json import read_lenient_json
from pincite.errors import InputError, TooLargeError

LONGEST = 64 * 1024 * 1024
"""Bytes of a line, and of what is read of a growing file at once."""
LARGEST = 1024 * 1024 * 1024
"""Bytes of a document that is read whole."""
_LOOKED_AT = 65536
_MARKS = (b"resourceSpans", b"resource_spans", b"trace_id", b"traceId", b"observations")
_NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def is_trace_file(path: Path) -> bool:
    """Whether a file is JSON whose first value is a trace. A file that cannot be read is none."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            head = file.read(_LOOKED_AT)
        if not any(mark in head for mark in _MARKS):
            return False
        return looks_like_trace(next(json_values(path), ("", None))[1])
    except (OSError, InputError):
        return False


def json_values(
    path: Path, open_file: Callable[[Path], BinaryIO] | None = None, lines: bool = False
) -> Iterator[tuple[str, Any]]:
    """Each value of a file and its place. One that cannot be read is an `InputError` in its stead.

    A file is read by its lines where its first line is a value by itself, whatever its ending says, or where
    it is known to be `lines`.
    """
    opened = open_file or _opened
    if not lines:
        with opened(path) as stream:
            first = stream.readline(LONGEST)
        lines = not isinstance(parse_value(first, ""), InputError)
    with opened(path) as stream:
        if not lines:
            raw = stream.read(LARGEST + 1)
            if len(raw) > LARGEST:
                raise TooLargeError(f"{path}: the document has more than {LARGEST // 2**20:,} MB")
            yield str(path), parse_value(raw, str(path))
            return
        for number, _, line in lines_of(stream, LONGEST):
            place = f"{path}: line {number}"
            if line is None:
                yield place, TooLargeError(f"{place}: the line has more than {LONGEST // 2**20} MB")
            else:
                yield place, parse_value(line, place)


def parse_value(raw: bytes, place: str) -> Any:
    """The value of a JSON text, or an `InputError` that says what is wrong with it."""
    try:
        return by_rows(read_lenient_json(raw.removeprefix(MARK))[0])
    except _NOT_JSON as error:
        problem = str(error).removeprefix("JSON is malformed: ")
        return InputError(f"{place}: this is not JSON: {problem}")


def by_rows(value: Any) -> Any:
    """The rows of a table that pandas wrote by its columns; anything else as it is."""
    if not isinstance(value, dict) or not isinstance(value.get("context.trace_id"), Mapping):
        return value
    if not all(isinstance(held, Mapping) for held in value.values()):
        return value
    return [{name: held.get(row) for name, held in value.items()} for row in value["context.trace_id"]]


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise InputError(f"{path}: cannot read the traces: {error.strerror or error}") from error
