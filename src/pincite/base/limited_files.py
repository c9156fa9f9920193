"""Bytes of a file, a member of an archive or any other stream, read in pieces up to a limit."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path
from typing import Any, Protocol

from pincite.base.named_file import open_named
from pincite.errors import InputError

PIECE = 64 * 1024
"""Bytes that are asked for at once."""
NO_MEMORY = "reading it takes more memory than there is; close other programs, raise the limit, or divide it"

_NO_THREAD = "can't start new thread"
"""What Python says when there is no memory for the stack of a thread."""


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes | None: ...


def read_limited(file: Path | _Readable, most: int) -> bytes:
    """What a file holds, but at most so many bytes of it: ask for one more than allowed to see a longer one.

    `read(most)` would reserve memory for the most that may come, however little there is. Here it is what was
    read so far, an eighth of that, and one piece. A path may name what `open_named` opens.
    """
    if isinstance(file, Path):
        with open_named(file) as opened:
            return read_limited(opened, most)
    # The value of a BytesIO is its buffer, without a copy.
    content = io.BytesIO()
    left = most
    while left > 0 and (piece := file.read(min(PIECE, left))):
        content.write(piece)
        left -= len(piece)
    return content.getvalue()


def read_small_file(path: Path, most_bytes: int) -> bytes:
    """All bytes of a file of configuration, known findings or the like. A larger one is an `OSError`."""
    raw = read_limited(path, most_bytes + 1)
    if len(raw) > most_bytes:
        raise OSError(errno.EFBIG, f"more than {most_bytes:,} bytes, the most that is read", os.fspath(path))
    return raw


class within_memory:
    """Inside, running out of memory is an `InputError` that names what was read."""

    def __init__(self, place: object) -> None:
        self._place = place

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and str(error) == _NO_THREAD):
            # The frames hold all that was made so far, and what is raised here may be kept for long.
            error.__traceback__ = None
            del error, trace
            raise InputError(f"{self._place}: {NO_MEMORY}") from None
