"""Files: opened without waiting for anybody, read up to a limit, and written whole or not at all.

Opening a named pipe waits until somebody writes to it, and a device such as `/dev/zero` never ends. Both can
lie in a folder that was unpacked, under any name.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from pincite.base.exit import gone_at_end
from pincite.errors import InputError

PIECE = 64 * 1024
"""Bytes that are asked for at once."""
NO_MEMORY = "reading it takes more memory than there is; close other programs, raise the limit, or divide it"

_NO_THREAD = "can't start new thread"
"""What Python says when there is no memory for the stack of a thread."""

_OF_THE_SHELL = re.compile(r"/dev/stdin|/dev/fd/[0-9]+|/proc/(?:self|[0-9]+)/fd/[0-9]+")
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def open_named(path: Path) -> BinaryIO:
    """The file, to be read. What is no regular file is an `OSError` that says so.

    Standard input, what a shell makes of `<(…)`, and the null device are read: whoever runs the command has
    opened them.
    """
    if os.fspath(path) == os.devnull or _OF_THE_SHELL.fullmatch(os.fspath(path)):
        return path.open("rb")
    try:
        descriptor = os.open(path, _FLAGS)
    except ValueError as error:  # a zero byte
        raise OSError(errno.EINVAL, str(error), os.fspath(path)) from None
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    what = "a pipe, a device or a socket, not a file; give a file, or <(…) for what a command prints"
    raise OSError(errno.EINVAL, what, os.fspath(path))


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


class within_memory:  # noqa: N801 - used like a function
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


# --- writing -------------------------------------------------------------------------------------


def write_atomic(path: Path, content: bytes, mode: int | None = None) -> None:
    """Write these bytes so that whoever reads the file sees all of them, or what was there before."""
    with open_atomic(path, mode) as file:
        file.write(content)


@contextmanager
def open_atomic(path: Path, mode: int | None = None) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path` once it is complete.

    It gets the permissions `mode`, or else those of the file before. A device or a pipe (`/dev/null`,
    `/dev/stdout`) is written to directly, as replacing would destroy it, and a link stays a link.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        with path.open("wb") as file:
            yield file
        return
    if path.is_file() and not os.access(path, os.W_OK):
        # Its folder would let the file be replaced, but somebody has protected it.
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    path.parent.mkdir(parents=True, exist_ok=True)
    target = Path(os.path.realpath(path))
    if target.is_symlink():  # links that go round, which a file must not take the place of
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if mode is None:
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    name = f".{target.name[:100]}.{os.getpid()}-{os.urandom(6).hex()}.tmp"
    with gone_at_end(target.with_name(name)) as temporary:
        handle = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(target)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
