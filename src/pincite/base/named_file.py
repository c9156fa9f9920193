"""Files that somebody names, opened without waiting for anybody.

Opening a named pipe waits until somebody writes to it, and a device such as `/dev/zero` never ends. Both can
lie in a folder that was unpacked, under any name.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path
from typing import BinaryIO

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
