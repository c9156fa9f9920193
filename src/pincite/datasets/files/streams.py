"""The bytes of a file, whether it is compressed or not, with everything that can go wrong said by name."""

from __future__ import annotations

import io
import zlib
from pathlib import Path
from typing import Any, BinaryIO

from pincite.base import import_extra, open_named, read_limited
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
