"""Which kind of trace a value is, and its spans; and the values of a file of traces that is JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from pincite.answers.lines import MARK, lines_of
from pincite.answers.traces.assembling import by_trace, trace_record
from pincite.answers.traces.exports import is_langfuse, is_row, read_langfuse, read_row
from pincite.answers.traces.otlp import is_otlp_span, is_request, read_span, spans_of_request
from pincite.answers.traces.spans import TraceSpan
from pincite.base import open_named, read_lenient_json, read_limited, within_memory
from pincite.errors import InputError, PinciteError, TooLargeError

KINDS = (
    "OTLP as JSON (resourceSpans), spans of Phoenix (context.trace_id), "
    "or traces and observations of Langfuse"
)
_LISTS = ("data", "spans", "traces", "observations")
"""Fields under which an answer of an API has its list."""
_DEEPEST = 3
LONGEST = 64 * 1024 * 1024
"""Bytes of a line, and of what is read of a growing file at once."""
LARGEST = 1024 * 1024 * 1024
"""Bytes of a document that is read whole."""
_LOOKED_AT = 65536
_MARKS = (b"resourceSpans", b"resource_spans", b"trace_id", b"traceId", b"observations")
_NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def looks_like_trace(value: Any, level: int = 0) -> bool:
    """Whether a value is a trace, a span, or a list of them."""
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, Mapping) or level > _DEEPEST:
        return False
    if any(is_one(value) for is_one in (is_request, is_row, is_otlp_span, is_langfuse)):
        return True
    return any(
        isinstance(value.get(name), list) and looks_like_trace(value[name], level + 1) for name in _LISTS
    )


def spans_in(value: Any, place: str, level: int = 0) -> Iterator[TraceSpan]:
    """Every span of a value, whatever kind of trace it is. `InputError` says what cannot be read."""
    if isinstance(value, list) and level <= _DEEPEST:
        for number, one in enumerate(value, 1):
            yield from spans_in(one, f"{place} item {number}", level + 1)
        return
    if not isinstance(value, Mapping):
        raise InputError(f"{place}: expected {KINDS}")
    if is_request(value):
        yield from spans_of_request(value, place)
    elif is_row(value):
        yield read_row(value, place)
    elif is_langfuse(value):
        yield from read_langfuse(value, place)
    elif is_otlp_span(value):
        yield read_span(value, place)
    else:
        held = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
        if held is None:
            raise InputError(f"{place}: expected {KINDS}")
        yield from spans_in(held, place, level + 1)


def read_spans(value: Any, place: str, problems: list[PinciteError]) -> list[TraceSpan]:
    """The spans of a value, up to the first that cannot be read, which goes to the problems."""
    if isinstance(value, PinciteError):
        problems.append(value)
        return []
    found: list[TraceSpan] = []
    try:
        for span in spans_in(value, place):
            found.append(span)
    except PinciteError as error:
        problems.append(error)
    return found


def trace_records(spans: Iterable[TraceSpan]) -> Iterator[dict[str, Any] | None]:
    """A recorded answer for each trace; None for a trace that is not about an answer."""
    for held in by_trace(spans).values():
        yield trace_record(held)


# --- files ---------------------------------------------------------------------------------------


def is_trace_file(path: Path) -> bool:
    """Whether a file is JSON whose first value is a trace. A file that cannot be read is none."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            head = file.read(_LOOKED_AT)
        if not any(mark in head for mark in _MARKS):
            return False
        with within_memory(path):
            return looks_like_trace(next(json_values(path), ("", None))[1])
    except (OSError, InputError):
        return False


def json_values(
    path: Path,
    open_file: Callable[[Path], BinaryIO] | None = None,
    lines: bool = False,
    read_whole: Callable[[Path, int], bytes] | None = None,
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
    if not lines:
        yield str(path), parse_value((read_whole or _read_whole)(path, LARGEST), str(path))
        return
    with opened(path) as stream:
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
    # By the cells that are there: rows and columns may be many where cells are few.
    rows: dict[Any, dict[str, Any]] = {row: {} for row in value["context.trace_id"]}
    for name, held in value.items():
        for row, cell in held.items():
            if row in rows:
                rows[row][name] = cell
    return list(rows.values())


def _read_whole(path: Path, most: int) -> bytes:
    with _opened(path) as stream:
        raw = read_limited(stream, most + 1)
    if len(raw) > most:
        raise TooLargeError(f"{path}: the document has more than {most // 2**20:,} MB")
    return raw


def _opened(path: Path) -> BinaryIO:
    try:
        return open_named(path)
    except OSError as error:
        raise InputError(f"{path}: cannot read the traces: {error.strerror or error}") from error
