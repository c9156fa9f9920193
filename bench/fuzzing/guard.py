"""What a worker may not do: use the network, start programs, write outside its folder, or go on for ever.

Targets run with arguments and configurations that nobody has read, and a configuration may name a command.
Whatever is refused raises an `OSError`, which Pincite must be able to report anyway.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

MEMORY = 3 * 1024**3
"""Bytes that an input may take beyond what the worker has at the start."""
LARGEST_FILE = 256 * 1024**2

_NETWORK = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")
_PROGRAMS = ("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "pty.spawn")
_CHANGES = (
    *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate", "os.chmod"),
    *("os.chown", "os.utime", "sqlite3.connect"),
)
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def refuse_all_but(folders: Iterable[Path]) -> None:
    """From here on nothing is reached but these folders. There is no way back in this process."""
    allowed = tuple(os.path.realpath(folder) + os.sep for folder in folders)

    def is_outside(path: Any) -> bool:
        if isinstance(path, int) or path in (None, "", ":memory:", os.devnull):
            return False
        try:
            real = os.path.realpath(os.fsdecode(path))
        except (TypeError, ValueError):
            return False
        return not (real + os.sep).startswith(allowed)

    def watch(event: str, given: tuple[Any, ...]) -> None:
        if event == "open":
            if isinstance(given[2], int) and given[2] & _WRITES and is_outside(given[0]):
                raise PermissionError(13, "the fuzzer lets nothing be written here", str(given[0]))
        elif event in _NETWORK:
            if not (event == "socket.connect" and isinstance(given[1], str)):  # a UNIX socket stays here
                raise PermissionError(13, "the fuzzer has no network")
        elif event in _PROGRAMS or (event == "subprocess.Popen" and not _is_python(given)):
            raise PermissionError(13, "the fuzzer starts no programs")
        elif event in _CHANGES and is_outside(given[0]):
            raise PermissionError(13, "the fuzzer lets nothing be changed here", str(given[0]))

    sys.addaudithook(watch)


def _is_python(given: tuple[Any, ...]) -> bool:
    """Whether it is the interpreter itself, as for a helper process of a reader."""
    command = given[1]
    first = command[0] if isinstance(command, list | tuple) and command else command
    return sys.executable in (given[0], first)


def limit_memory() -> None:
    try:
        import resource

        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, OSError, ValueError):
        return  # not on this system; the parent's clock still holds


def limit_time(seconds: int) -> None:
    """End this process when it takes so many seconds of CPU time from now on, in native code too.

    A timer counts from now. A limit on the whole process does not do: the kernel counts its time in ticks,
    and on a busy machine that runs ahead of `time.process_time` by more than an input may take.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)
