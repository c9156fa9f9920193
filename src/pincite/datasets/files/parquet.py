"""The rows of a Parquet file, some thousand at a time.

A few kilobytes can hold a text of gigabytes, or one text for a million rows, and the library unpacks whatever
a file tells it to. So a process of its own, which runs this module, reads a file within a limit of memory. It
hands on batches whose cells and bytes it has counted.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from pincite.base import ChildProcess, ParentPipe, ProcessEnded, import_extra
from pincite.datasets.files.streams import (
    HARMLESS,
    HARMLESS_WHOLE,
    LARGEST_RATIO,
    limit_memory,
    most_cells,
    read_bytes,
    too_many_cells,
)
from pincite.datasets.paths import file_kind
from pincite.errors import InputError

LARGEST = 1024 * 1024 * 1024
WHOLE = "pincite"
"""The metadata of the schema that keeps what belongs to the whole file."""
CELLS_AT_ONCE, ROWS_AT_ONCE = 500_000, 2048
SECONDS, BYTES_A_SECOND = 60, 5_000_000
"""How long the next rows may take: a while, and then by the file's size."""


class ReadRequest(msgspec.Struct, frozen=True):
    """What is to be read, and to how many bytes it may unpack."""

    path: str
    content: bytes | None
    size: int
    most: int


def read_whole(path: Path) -> tuple[str | None, dict[str, list[Any]]]:
    """What belongs to the whole file, and its columns."""
    about: str | None = None
    columns: dict[str, list[Any]] = {}
    for said, batch in _batches(path, whole=True):
        about = about or said
        for name, cells in batch.items():
            columns.setdefault(name, []).extend(cells)
    return about, columns


def read_batches(path: Path) -> Iterator[dict[str, list[Any]]]:
    """The columns of each batch of rows."""
    for _, columns in _batches(path, whole=False):
        yield columns


def pyarrow_library() -> Any:
    """The optional library that reads and writes Parquet."""
    needed = ("Parquet needs the pyarrow library", "tables")
    import_extra("pyarrow.parquet", *needed)
    return import_extra("pyarrow", *needed)


def _about(batch: Any) -> str | None:
    raw = (batch.schema.metadata or {}).get(WHOLE.encode())
    return None if raw is None else raw.decode()


def _batches(path: Path, whole: bool) -> Iterator[tuple[str | None, dict[str, list[Any]]]]:
    pyarrow_library()
    for content in _answers(_request(path, whole), path):
        yield unpacked(content, path)


def unpacked(content: bytes, path: Path) -> tuple[str | None, dict[str, list[Any]]]:
    """One batch that the process has sent: what belongs to the whole file, and the batch's columns."""
    arrow = pyarrow_library()
    try:
        with arrow.ipc.open_stream(content) as stream:
            batch = stream.read_next_batch()
            return _about(batch), batch.to_pydict()
    except UnicodeDecodeError:
        raise InputError(f"{path}: a text in it is not UTF-8") from None
    except (ValueError, OverflowError, arrow.ArrowException) as error:  # such as a date after the year 9999
        raise InputError(f"{path}: cannot be read as Parquet: {error}"[:500]) from None


def _request(path: Path, whole: bool) -> ReadRequest:
    packed = file_kind(path).compression is not None
    content = read_bytes(path, LARGEST) if packed else None
    try:
        size = len(content) if content is not None else path.stat().st_size
    except OSError as error:
        raise InputError(f"{path}: cannot be read as Parquet: {error.strerror or error}") from None
    most = max(HARMLESS_WHOLE if whole else HARMLESS, LARGEST_RATIO * size)
    return ReadRequest(str(path.absolute()), content, size, min(most, LARGEST) if whole else most)


def _answers(request: ReadRequest, path: Path) -> Iterator[bytes]:
    """What the process sends of a file, until it is done. It ends with whoever reads them."""
    try:
        process = ChildProcess(__name__, reads_untrusted_file=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be read as Parquet: {error}"[:500]) from None
    try:
        with process.deadline(SECONDS):
            process.send(msgspec.msgpack.encode(request))
        while answer := _next_answer(process, request.size):
            if answer.startswith(b"!"):
                raise InputError(f"{path}: {answer[1:].decode()}")
            yield answer
    except ProcessEnded:
        why = "the file is broken, or unpacks to far more than its size"
        if process.late:
            why = "it takes too long, so it is taken for broken"
        raise InputError(f"{path}: cannot be read as Parquet: {why}") from None
    finally:
        process.end()


def _next_answer(process: ChildProcess, size: int) -> bytes:
    with process.deadline(SECONDS + size / BYTES_A_SECOND):
        return process.receive()


# --- the process of its own ----------------------------------------------------------------------


def serve(parent: ParentPipe) -> None:
    """Read the file that is named or sent; batches go back, then nothing; or `!` and what is wrong."""
    # Arrow's own ways to get memory take a gigabyte of address space before the first byte.
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"
    arrow = pyarrow_library()
    request = msgspec.msgpack.decode(parent.receive(), type=ReadRequest)
    limit_memory(request.size)
    try:
        for batch in packed_batches(request):
            parent.send(batch)
        answer = b""
    except MemoryError:
        answer = b"!cannot be read as Parquet: it unpacks to far more than its size"
    except (ValueError, OSError, arrow.ArrowException) as error:
        answer = f"!{_problem(error)}"[:400].encode("utf-8", "replace")
    parent.send(answer)


def packed_batches(request: ReadRequest) -> Iterator[bytes]:
    """Batches of rows, packed in Arrow's own format; at least one, so that the columns are known.

    Raises `ValueError` with what is wrong, and whatever the library does.
    """
    arrow = pyarrow_library()
    source = request.path if request.content is None else arrow.py_buffer(request.content)
    cells = size = 0
    with arrow.parquet.ParquetFile(source) as file:
        columns = max(1, len(file.schema_arrow))
        if any(_repeats(field.type) for field in file.schema_arrow if field.type.num_fields):
            raise _Refused("it holds lists of texts in a dictionary, which are not read")
        rows = max(1, min(ROWS_AT_ONCE, CELLS_AT_ONCE // columns))
        if len(file.schema_arrow) * file.metadata.num_rows > most_cells(request.size):
            raise _Refused(too_many_cells(request.size))
        first = True
        for batch in file.iter_batches(rows, use_threads=False):
            cells += sum(map(_elements, batch.columns))
            if cells > most_cells(request.size):
                raise _Refused(too_many_cells(request.size))
            dense = [_dense(column) for column in batch.columns]
            size += sum(column.nbytes for column in dense)
            if size > request.most:
                raise _Refused("it unpacks to far more than its size")
            yield _packed(arrow, dense, file.schema_arrow, first)
            first = False
        if first:
            empty = [arrow.array([], _dense_type(field.type)) for field in file.schema_arrow]
            yield _packed(arrow, empty, file.schema_arrow, first)


class _Refused(ValueError):
    """What we refuse, rather than the library."""


def _problem(error: Exception) -> str:
    if isinstance(error, _Refused):
        return str(error)
    return f"cannot be read as Parquet: {error}"


def _packed(arrow: Any, columns: list[Any], schema: Any, first: bool) -> bytes:
    fields = [arrow.field(field.name, column.type) for field, column in zip(schema, columns, strict=True)]
    batch = arrow.record_batch(columns, schema=arrow.schema(fields, schema.metadata if first else None))
    out = arrow.BufferOutputStream()
    with arrow.ipc.new_stream(out, batch.schema) as stream:
        stream.write_batch(batch)
    return bytes(out.getvalue())


def _dense(column: Any) -> Any:
    """The column with every text by itself: here it is seen what that takes."""
    return column.dictionary_decode() if hasattr(column, "dictionary_decode") else column


def _dense_type(kind: Any) -> Any:
    return getattr(kind, "value_type", kind) if hasattr(kind, "index_type") else kind


def _repeats(kind: Any) -> bool:
    return hasattr(kind, "index_type") or any(
        _repeats(kind.field(place).type) for place in range(kind.num_fields)
    )


def _elements(column: Any) -> int:
    """Cells, and what is in those that are lists or objects."""
    if not column.type.num_fields:
        return len(column)
    parts = column.flatten()
    return len(column) + sum(map(_elements, parts if isinstance(parts, list) else [parts]))
