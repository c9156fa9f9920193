"""Files that are written whole or not at all."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from pincite.base import open_atomic
from pincite.datasets.files.streams import zstandard
from pincite.errors import InputError


def write_whole(path: Path, content: bytes) -> None:
    """Write these bytes, as they are."""
    with written_whole(path) as file:
        file.write(content)


@contextmanager
def written_whole(path: Path, compression: str | None = None) -> Iterator[BinaryIO]:
    """A file to write to, which takes its place when all of it is there."""
    try:
        with open_atomic(path) as file, _packed(file, compression) as out:
            yield out
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


@contextmanager
def _packed(file: BinaryIO, compression: str | None) -> Iterator[Any]:
    if compression == "gz":
        import gzip

        with gzip.GzipFile("", "wb", 6, file, mtime=0) as out, _buffered(out) as quick:
            yield quick
    elif compression == "zst":
        with zstandard().ZstdCompressor(level=6).stream_writer(file, closefd=False) as out:
            yield out
    else:
        yield file


@contextmanager
def _buffered(out: Any) -> Iterator[Any]:
    quick = io.BufferedWriter(out, 1 << 20)
    yield quick
    quick.flush()
    quick.detach()
