"""Recorded answers as a file of lines, whatever form they came in."""

from __future__ import annotations

import stat
import tempfile
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec
from msgspec import Struct

from pincite.answers import MARK
from pincite.base import read_lenient_json, within_memory
from pincite.datasets.files.streams import CHUNK, open_bytes
from pincite.datasets.paths import FileKind, file_kind
from pincite.errors import InputError

LONGEST = 64 * 1024 * 1024
"""A line of more bytes is no answer."""
_TOO_DEEP = b'"nested too deeply"\n'


class Lines(Struct, frozen=True):
    """A file of answers, one per line."""

    file: BinaryIO
    inside: str | None = None
    """The JSON pointer of the list that they come from; None where they were lines from the beginning."""
    names: tuple[str, ...] | None = None
    """What each line is called, where the file that was given holds something else than lines of answers."""
    parts: tuple[tuple[int, str, Lines], ...] = ()
    """The files of a folder in their order: how many lines come before each, its name, and itself."""

    def place(self, number: int) -> str:
        """Where somebody finds the answer of a line in what was given."""
        if self.parts:
            before, name, part = self.parts[bisect_left(self.parts, number, key=lambda one: one[0]) - 1]
            return f"{name}, {part.place(number - before)}"
        if self.names is not None:
            return self.names[number - 1]
        return f"line {number}" if self.inside is None else f"{self.inside}/{number - 1}"


def open_lines(path: Path) -> Lines:
    """A file that can be read at any place, one answer per line.

    Lines of JSON are used as they are. What is compressed or of another form (a JSON list, a results
    document, CSV, YAML, Parquet, a folder of such files) is first written out as lines, to a file that
    vanishes when it is closed.
    """
    with within_memory(path):
        return _open_lines(path)


def _open_lines(path: Path) -> Lines:
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise InputError(f"{path}: cannot read the answers: {error.strerror or error}") from error
    if stat.S_ISDIR(mode):
        return _from_folder(path)
    found = _kind(path)
    if found.form == "parquet" and found.compression is None:
        open_bytes(path).close()  # what is no file is refused
        return Lines(kept_lines(encoded_lines(_parquet_rows(path))), "/query_results")
    if found.form in ("csv", "yaml", "parquet", "hdf5"):
        from pincite.datasets.files.plain import read_plain

        value, _, _ = read_plain(path, "results")
        rows = value.get("query_results") if isinstance(value, dict) else None
        if not isinstance(rows, list):
            raise InputError(f"{path}: expected recorded answers under query_results, found none")
        return Lines(kept_lines(encoded_lines(rows)), "/query_results")
    if found.compression is None and stat.S_ISREG(mode) and (found.form == "jsonl" or _is_lines(path)):
        try:
            return Lines(path.open("rb"))
        except OSError as error:
            raise InputError(f"{path}: cannot read the answers: {error.strerror or error}") from error
    if found.form == "json" and stat.S_ISREG(mode) and not _is_lines(path):
        return _from_json(path)
    with open_bytes(path) as stream:
        return Lines(kept_lines(iter(lambda: stream.read(CHUNK), b"")))


def _from_folder(folder: Path) -> Lines:
    """The answers of all files below a folder, in the order of their names."""
    from pincite.sources import files_below

    parts: list[tuple[int, str, Lines]] = []
    count = 0

    def pieces() -> Iterator[bytes]:
        nonlocal count
        for file in files_below(folder):
            if not _may_hold_answers(file.path):
                continue
            if file.refused is not None or not file.target.is_file():
                raise InputError(f"{file.path}: cannot read the answers: {file.refused or 'no regular file'}")
            lines = open_lines(file.target)
            with lines.file as opened:
                parts.append((count, file.name, lines))
                if opened.read(len(MARK)) != MARK:
                    opened.seek(0)
                piece = b""
                for piece in iter(lambda: opened.read(CHUNK), b""):
                    count += piece.count(b"\n")
                    yield piece
                if piece and not piece.endswith(b"\n"):
                    count += 1
                    yield b"\n"

    kept = kept_lines(pieces())
    if not parts:
        kept.close()
        raise InputError(f"{folder}: the folder has no recorded answers (.jsonl, .json, .parquet, .csv)")
    return Lines(kept, parts=tuple(parts))


def _may_hold_answers(path: Path) -> bool:
    try:
        return file_kind(path).kind in (None, "results")
    except InputError:
        return False  # such as README.md


def _parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a table of answers, some thousand at a time."""
    from pincite.datasets.files.tables import read_parquet_rows

    rows = read_parquet_rows(path)
    first = next(rows, None)
    if first is None or "query_id" not in first:
        raise InputError(f"{path}: expected recorded answers under query_results, found none")
    yield first
    yield from rows


def decode_line(raw: bytes, kind: Any = Any) -> tuple[Any, bool]:
    """One answer, and whether it holds what is no number in JSON (NaN, Infinity): each counts as null.

    `kind` is a record whose fields may be anything, where only these are wanted.
    """
    try:
        return msgspec.json.decode(raw, type=kind), False
    except msgspec.DecodeError:
        value, mended = read_lenient_json(raw)
        if kind is Any:
            return value, mended
        if not isinstance(value, dict):
            raise
        return kind(**{name: value[name] for name in kind.__struct_fields__ if name in value}), mended


def _kind(path: Path) -> FileKind:
    try:
        return file_kind(path)
    except InputError:
        return FileKind(None, "jsonl", None)  # a pipe, or a file without an ending


def _is_lines(path: Path) -> bool:
    """Whether the first line is an answer by itself, whatever the file is called."""
    with open_bytes(path) as stream:
        first = stream.readline(LONGEST).removeprefix(MARK)
    try:
        value, _ = decode_line(first)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return isinstance(value, dict) and "query_id" in value and "query_results" not in value


def _from_json(path: Path) -> Lines:
    """The answers of a JSON list, or of a results document, as lines."""
    from pincite.datasets.files.json_stream import Marked

    with open_bytes(path) as stream:
        is_list = stream.read(CHUNK).removeprefix(MARK).lstrip()[:1] == b"["
    inside = "" if is_list else "/query_results"
    try:
        with open_bytes(path) as stream:
            return Lines(kept_lines(encoded_lines(_values(stream, path, is_list))), inside)
    except InputError as error:
        # Few files hold NaN, and to look for it takes longer than to read them.
        try:
            with open_bytes(path) as stream:
                marked = Marked(stream)
                values = _values(cast(BinaryIO, marked), path, is_list)
                return Lines(kept_lines(marked.unmarked(line) for line in encoded_lines(values)), inside)
        except InputError:
            raise error from None


def _values(stream: BinaryIO, path: Path, is_list: bool) -> Iterator[Any]:
    from pincite.datasets.files.json_stream import Reader, elements, scan

    if is_list:
        yield from elements(stream, "", str(path))
        return
    for name, _, value in scan(Reader(stream), ("query_results",), str(path)):
        if name:
            yield value
        elif not isinstance(value, dict) or "query_results" not in value:
            raise InputError(
                f"{path}: expected recorded answers: one object per line, a list of them, or query_results"
            )


def encoded_lines(values: Iterable[Any]) -> Iterator[bytes]:
    """A line of JSON for each value."""
    from pincite.datasets.files.plain import write_json

    for value in values:
        try:
            yield write_json(value, indent=None)
        except RecursionError:
            yield _TOO_DEEP  # no answer, and reported as unreadable


def kept_lines(pieces: Iterable[bytes]) -> BinaryIO:
    """A file without a name that holds these bytes; the caller closes it."""
    file = cast(BinaryIO, tempfile.TemporaryFile(prefix="pincite-answers-"))  # noqa: SIM115 the caller closes it
    try:
        for piece in pieces:
            file.write(piece)
        file.seek(0)
    except OSError as error:
        file.close()
        raise InputError(
            f"cannot keep the answers in {tempfile.gettempdir()}: {error.strerror or error}; "
            "set TMPDIR to a folder with more room"
        ) from error
    except BaseException:
        file.close()
        raise
    return file
