"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from pincite.base import temporary_beside
from pincite.datasets.files.streams import zstandard
from pincite.errors import InputError


def write_whole(path: Path, content: bytes) -> None:
    """Write these bytes, as they are."""
    with written_whole(path) as file:
        file.write(content)


@contextmanager
def written_whole(path: Path, compression: str | None = None) -> Iterator[BinaryIO]:
    """A file to write to, which takes its place when all of it is there: a broken write leaves what was.

    It gets the permissions of the one before. A device or a pipe (`/dev/null`, `/dev/stdout`) is written to
    directly; replacing would destroy it.
    """
    try:
        if path.is_file() and not os.access(path, os.W_OK):
            # Its folder would let the file be replaced, but somebody has protected it.
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        special = path.exists() and not path.is_file() and not path.is_dir()
        with path.open("wb") if special else _beside(path) as file, _packed(file, compression) as out:
            yield out
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


@contextmanager
def _beside(path: Path) -> Iterator[BinaryIO]:
    path.parent.mkdir(parents=True, exist_ok=True)
    target = Path(os.path.realpath(path))
    if target.is_symlink():  # links that go round, which a file must not take the place of
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    with temporary_beside(target) as (handle, temporary):
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        temporary.replace(target)


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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
