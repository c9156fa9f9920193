"""The lines and the values of files that hold JSON, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from pincite.base import open_named, read_lenient_json, read_limited
from pincite.errors import InputError, TooLargeError

MARK = b"\xef\xbb\xbf"
"""What some editors put at the beginning of a file."""
LONGEST = 64 * 1024 * 1024
"""Bytes of a line, and of what is read of a growing file at once."""
LARGEST = 1024 * 1024 * 1024
"""Bytes of a document that is read whole."""
_NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def lines_of(file: BinaryIO, most: int, digest: Any = None) -> Iterator[tuple[int, int, bytes | None]]:
    """Number, place and bytes of each line that is not empty; None for one of more than `most` bytes."""
    number = offset = 0
    while raw := file.readline(most + 1):
        number += 1
        start = offset
        kept: bytes | None = raw if len(raw) <= most else None
        while True:
            offset += len(raw)
            if digest is not None:
                digest.update(raw)
            if kept is not None or raw.endswith(b"\n") or not (raw := file.readline(most)):
                break
        if number == 1 and kept is not None and kept.startswith(MARK):
            kept, start = kept[len(MARK) :], start + len(MARK)
        if kept is None or kept.strip():
            yield number, start, kept


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
