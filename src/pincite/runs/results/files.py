"""Runs as files, each whole or not there at all: the results document, or all that is kept of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, BinaryIO

import msgspec

from pincite.base import read_json
from pincite.base import write_json as as_json
from pincite.datasets import CHUNK, open_bytes, written_whole, zstandard
from pincite.errors import InputError
from pincite.records import ItemResult, ResultsDocument, Run
from pincite.runs.journal import decode, encode, storable
from pincite.runs.results.document import plain_document, query_result, whole_document

ENDINGS = ("json", "yaml", "yml", "csv", "parquet")


def refuse_file(path: Path) -> None:
    """Say before anything is measured what could not be written: an unknown form, a missing extra."""
    if not is_run_file(path.name) and ending_of(path) == "parquet":
        from pincite.datasets import pyarrow_library

        pyarrow_library()
    if path.suffix.lower() == ".zst":
        zstandard()


def write_file(run: Run, items: Iterable[ItemResult], path: Path, document: Any = None) -> None:
    """Write a run as the name of the file says: its results, or all that is kept of it."""
    if is_run_file(path.name):
        write_run_file(run, items, path)
    else:
        write_results(run.document if document is None else document, items, path)


# --- results -------------------------------------------------------------------------------------


def ending_of(path: Path) -> str:
    """How results are written there, by the name of the file; `.gz` and `.zst` of any are compressed."""
    name = path.name.lower().removesuffix(".gz").removesuffix(".zst")
    ending = name.rpartition(".")[2]
    if "." not in name or ending not in ENDINGS:
        raise InputError(f"unknown format for {path}: end its name in .results.json, .yaml, .csv or .parquet")
    return ending


Document = ResultsDocument | Mapping[str, Any]


def write_results(document: Document, items: Iterable[ItemResult], path: Path) -> None:
    """Write a run's results document with all of its queries.

    JSON is written query by query, so that a million of them need no memory; the other forms are not meant
    for so many.
    """
    if ending_of(path) != "json":
        from pincite.datasets import save

        save(read_json(as_json(whole_document(document, items))), path, "results")
        return
    with _written(path) as file:
        write_json(document, items, file)


def write_json(document: Document, items: Iterable[ItemResult], file: IO[bytes]) -> None:
    """One query after the other."""
    file.write(b"{")
    for name, value in plain_document(document).items():
        file.write(b"\n" + as_json(name) + b": " + as_json(value, indent=2) + b",")
    file.write(b'\n"query_results": [')
    separator = b"\n"
    for item in items:
        file.write(separator + as_json(query_result(item)))
        separator = b",\n"
    file.write(b"\n]\n}\n")


def _written(path: Path) -> AbstractContextManager[BinaryIO]:
    packed = path.suffix.lower().removeprefix(".")
    return written_whole(path, packed if packed in ("gz", "zst") else None)


# --- a whole run, so that shards made on other machines can be merged ------------------------------
#
# A first line, the run, its items in the order of the dataset, and at the end how many there were with a hash
# over all of it: a file that was cut or changed is noticed. Each part is its length in eight bytes and
# MessagePack.

JOURNAL = ".journal"
FIRST_LINE = b"pincite journal 1\n"
MOST_BYTES = 512 * 1024 * 1024
"""What one part of a file may have."""


class FileEnd(msgspec.Struct, frozen=True):
    """The last part of the file."""

    items: int
    digest: str


def is_run_file(name: str) -> bool:
    """Whether a file of this name holds a whole run; `.gz` and `.zst` of it are compressed."""
    return name.lower().removesuffix(".gz").removesuffix(".zst").endswith(JOURNAL)


def write_run_file(run: Run, items: Iterable[ItemResult], path: Path) -> None:
    """Write a run with its items, one by one."""
    with _written(path) as file:
        digest = blake2b(digest_size=16)
        count = 0
        file.write(FIRST_LINE)
        _write(file, msgspec.msgpack.encode(storable(msgspec.structs.replace(run, items=None))), digest)
        for item in items:
            _write(file, encode(storable(item)), digest)
            count += 1
        file.write((0).to_bytes(8, "big"))
        _write(file, msgspec.msgpack.encode(FileEnd(count, digest.hexdigest())), digest)


def read_run_file(path: Path) -> Run:
    """The run; its items are read when they are wanted."""
    with open_bytes(path) as file:
        run: Run = _decoded(_opened(file, path), Run, path)
    return msgspec.structs.replace(run, items=lambda: read_items(path))


def read_items(path: Path) -> Iterator[ItemResult]:
    """The items one by one. That the file was cut or changed is known, and said, only at its end."""
    digest = blake2b(digest_size=16)
    count = 0
    with open_bytes(path) as file:
        digest.update(_opened(file, path))
        while content := _read(file, path):
            digest.update(content)
            count += 1
            yield _decoded(content, ItemResult, path)
        end = _decoded(_read(file, path), FileEnd, path)
    if (end.items, end.digest) != (count, digest.hexdigest()):
        raise InputError(f"{path} was changed after it was written: make it again")


def _write(file: BinaryIO, content: bytes, digest: Any) -> None:
    file.write(len(content).to_bytes(8, "big"))
    file.write(content)
    digest.update(content)


def _opened(file: BinaryIO, path: Path) -> bytes:
    """The run of the file, as bytes."""
    if file.read(len(FIRST_LINE)) != FIRST_LINE:
        raise InputError(
            f"{path} holds no whole run that this version reads; `pincite runs export RUN --to "
            f"NAME{JOURNAL}` writes one"
        )
    return _read(file, path)


def _read(file: BinaryIO, path: Path) -> bytes:
    size = int.from_bytes(_exactly(file, 8, path), "big")
    if size > MOST_BYTES:
        raise InputError(f"{path} is damaged: a part of it claims to have {size:,} bytes")
    return _exactly(file, size, path)


def _exactly(file: BinaryIO, size: int, path: Path) -> bytes:
    """Piece by piece: a damaged length must not reserve memory for what is not there."""
    content = bytearray()
    while len(content) < size:
        piece = file.read(min(CHUNK, size - len(content)))
        if not piece:
            raise InputError(f"{path} is cut short: make it again")
        content += piece
    return bytes(content)


def _decoded(content: bytes, kind: Any, path: Path) -> Any:
    try:
        return decode(content) if kind is ItemResult else msgspec.msgpack.decode(content, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise InputError(f"{path} is damaged: {' '.join(str(error).split())[:120]}") from None
