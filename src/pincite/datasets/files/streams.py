"""The bytes of files: read with a limit to what they unpack to, and written whole or not at all."""

from __future__ import annotations

import io
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from pincite.base import import_extra, open_atomic, open_named, read_limited
from pincite.errors import InputError, TooLargeError

LARGEST_RATIO = 200
"""A file that unpacks to more than this many times its size is taken for a trap, once it is large."""
HARMLESS = 2 * 1024 * 1024 * 1024
HARMLESS_WHOLE = 64 * 1024 * 1024
"""The same for a file that is held in memory as a whole."""
CHUNK = 1024 * 1024


def open_bytes(path: Path, harmless: int | None = None) -> BinaryIO:
    """The file's bytes, unpacked where the ending says `.gz` or `.zst`. `<(…)` is read as it is."""
    try:
        if path.is_dir():
            raise InputError(f"{path}: this is a folder; name a file")
        packed = path.stat().st_size
        file = open_named(path)
    except OSError as error:
        raise InputError(f"{path}: cannot read the file: {error.strerror or error}") from error
    compression = {".gz": "gz", ".zst": "zst"}.get(path.suffix.lower())
    try:
        unpacked = _unpacked(file, compression)
    except BaseException:
        file.close()
        raise
    most = max(HARMLESS if harmless is None else harmless, packed * LARGEST_RATIO) if compression else None
    return io.BufferedReader(_Watched(unpacked, file, path, most), CHUNK)


def read_bytes(path: Path, most: int) -> bytes:
    """All bytes of a file, which may have at most so many."""
    with open_bytes(path, HARMLESS_WHOLE) as stream:
        raw = read_limited(stream, most + 1)
    if len(raw) > most:
        raise TooLargeError(f"{path}: the file has more than {most // 1_000_000:,} MB, the most that is read")
    return raw


def zstandard() -> Any:
    """The optional library that reads and writes `.zst`."""
    return import_extra("zstandard", "reading and writing .zst needs the zstandard library", "zstd")


def _unpacked(file: BinaryIO, compression: str | None) -> Any:
    if compression == "gz":
        import gzip

        return gzip.GzipFile(fileobj=file)
    if compression == "zst":
        # A frame that asks for a window of gigabytes is refused by the library.
        return zstandard().ZstdDecompressor().stream_reader(file, read_across_frames=True)
    return file


class _Watched(io.RawIOBase):
    """Counts what is unpacked, and turns what a broken or hostile file raises into errors that say so."""

    def __init__(self, stream: Any, file: BinaryIO, path: Path, most: int | None) -> None:
        self._stream = stream
        self._file = file
        self._path = path
        self._most = most
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            raw = self._stream.read(len(buffer))
        except (EOFError, zlib.error) as error:
            raise InputError(f"{self._path}: the compressed file is cut off or broken: {error}") from None
        except OSError as error:
            what = error.strerror or error
            raise InputError(f"{self._path}: cannot be read or unpacked: {what}") from None
        except Exception as error:
            if type(error).__name__ != "ZstdError":  # the library is optional, and so is its exception
                raise
            raise InputError(f"{self._path}: the compressed file is cut off or broken: {error}") from None
        self._count += len(raw)
        if self._most is not None and self._count > self._most:
            raise TooLargeError(
                f"{self._path}: unpacks to more than {LARGEST_RATIO} times its size; "
                "unpack it yourself if it is to be trusted"
            )
        buffer[: len(raw)] = raw
        return len(raw)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
            self._file.close()
        super().close()


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


ALWAYS = 2_000_000
"""Cells that any table may have, however small its file is."""
A_BYTE = 2
"""Cells more for each byte of a file that is read."""
FOR_EACH_HELD = 10
"""Cells more for each that holds something, in a table that is written."""


def most_cells(size: int) -> int:
    """How many cells a file of so many bytes may hold."""
    return ALWAYS + A_BYTE * size


def too_many_cells(size: int) -> str:
    return f"its {size:,} bytes say that there are more than {most_cells(size):,} cells: refused"


def check_columns(columns: Collection[str], rows: Collection[Collection[str]]) -> None:
    """Refuse to write a table of which nearly all cells would be empty."""
    count, held = len(rows) * len(columns), sum(map(len, rows))
    if count > ALWAYS + FOR_EACH_HELD * held:
        raise InputError(
            f"as a table this has {len(rows):,} rows and {len(columns):,} columns, and only {held:,} "
            f"of {count:,} cells hold anything: save it as JSON"
        )


ROOM, ROOM_A_BYTE = 256 * 1024 * 1024, 20
"""Memory for reading, beside so many times the size of the file."""


def limit_memory(size: int) -> None:
    """Let this process grow by what a file of so many bytes may take, where the system can do that."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + ROOM + ROOM_A_BYTE * size
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
