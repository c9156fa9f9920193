"""A run as one file with everything that is kept of it, so that shards made on other machines can be merged.

A first line, the run, its items in the order of the dataset, and at the end how many there were with a hash
over all of it: a file that was cut or changed is noticed. Each part is its length in eight bytes and
MessagePack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from pincite.datasets.files.streams import CHUNK, open_bytes, zstandard
from pincite.datasets.files.whole import written_whole
from pincite.errors import InputError
from pincite.records import ItemResult, Run
from pincite.runs.journal import decode, encode, storable
from pincite.runs.results.files import refuse_unwritable, write_results

ENDING = ".journal"
FIRST_LINE = b"pincite journal 1\n"
MOST_BYTES = 512 * 1024 * 1024
"""What one part of a file may have."""


class FileEnd(msgspec.Struct, frozen=True):
    """The last part of the file."""

    items: int
    digest: str


def is_run_file(name: str) -> bool:
    """Whether a file of this name holds a whole run; `.gz` and `.zst` of it are compressed."""
    return name.lower().removesuffix(".gz").removesuffix(".zst").endswith(ENDING)


def refuse_file(path: Path) -> None:
    """Say before anything is measured what could not be written there."""
    if not is_run_file(path.name):
        refuse_unwritable(path)
    elif path.suffix.lower() == ".zst":
        zstandard()


def write_file(run: Run, items: Iterable[ItemResult], path: Path, document: Any = None) -> None:
    """Write a run as the name of the file says: its results, or all that is kept of it."""
    if is_run_file(path.name):
        write_run_file(run, items, path)
    else:
        write_results(run.document if document is None else document, items, path)


def write_run_file(run: Run, items: Iterable[ItemResult], path: Path) -> None:
    """Write a run with its items, one by one."""
    packed = path.suffix.lower().removeprefix(".")
    with written_whole(path, packed if packed in ("gz", "zst") else None) as file:
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
            f"{path} holds no whole run that this version reads; `pincite runs export RUN --to NAME{ENDING}` "
            "writes one"
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
