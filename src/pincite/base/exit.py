"""How a program of ours ends when it is told to: at once, with nothing half-made and no worker left behind.

An exception raised by a signal strikes anywhere: in the middle of an import, in a library that turns it into
another error, in a thread that nobody waits for. A command that has nothing to keep ends without one.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

_unfinished: dict[Path, None] = {}
"""Files, and folders of files, that must not outlive this process."""
_deadline = 0.0
_line_shown = False


@contextmanager
def gone_at_end(path: Path) -> Iterator[Path]:
    """A path for a file or a folder that is removed with the block, or before, should the process end."""
    _unfinished[path] = None
    try:
        yield path
    finally:
        with suppress(OSError):
            _remove(path)
        del _unfinished[path]


def allow_time(seconds: float) -> None:
    """An end that was asked for may take so long from now: there are results to be written."""
    global _deadline
    _deadline = max(_deadline, time.monotonic() + seconds)


def time_left() -> float:
    """Of what `allow_time` gave."""
    return _deadline - time.monotonic()


def clear_at_end(shown: bool) -> None:
    """Whether a line of progress stands on the terminal, which has to be taken away at the end."""
    global _line_shown
    _line_shown = shown


def end_now(code: int, last_words: str = "") -> NoReturn:
    """End the process with this code. No `finally` runs, no thread is waited for."""
    with suppress(Exception):
        words = ("\r\x1b[2K" if _line_shown else "") + last_words
        if words:
            os.write(2, words.encode("utf-8", "replace"))
    with suppress(Exception):
        _end_workers()
    for path in list(_unfinished):
        with suppress(Exception):
            _remove(path)
    os._exit(code)


def _remove(path: Path) -> None:
    if not path.is_dir():
        path.unlink(missing_ok=True)
        return
    for file in path.iterdir():
        file.unlink(missing_ok=True)
    path.rmdir()


def _end_workers() -> None:
    """Kill the Pythons that this process has started, with what they have started.

    Other programs, such as a browser that was opened, are the user's. Where the kernel does not list them,
    workers see the end of their pipe.
    """
    own = Path("/proc/self/exe").resolve()
    for task in Path("/proc/self/task").iterdir():
        for number in (task / "children").read_text().split():
            pid = int(number)
            with suppress(OSError):
                if Path(f"/proc/{pid}/exe").resolve() == own:
                    (os.killpg if os.getpgid(pid) == pid else os.kill)(pid, signal.SIGKILL)
