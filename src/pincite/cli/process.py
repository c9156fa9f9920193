"""The process that a command runs in: signals that end it, and standard output kept for our own words."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from types import FrameType, TracebackType

INTERRUPTED = 130
TERMINATED = 143
_OUT, _ERR = 1, 2


class Termination:
    """While it is entered, SIGTERM (a cancelled job, a stopped container) ends a command as Ctrl-C does."""

    def __init__(self) -> None:
        self.came = False
        self._before: object = None

    def __enter__(self) -> Termination:
        # Only the main thread may say what becomes of a signal; who ignores it has a reason.
        if threading.current_thread() is threading.main_thread():
            self._before = signal.getsignal(signal.SIGTERM)
            if self._before == signal.SIG_DFL:
                signal.signal(signal.SIGTERM, self._interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before == signal.SIG_DFL:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def code(self, code: int) -> int:
        """The exit code of a command that would have ended with this one."""
        return TERMINATED if self.came and code == INTERRUPTED else code

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self.came = True
        as_interrupted = signal.getsignal(signal.SIGINT)
        if not callable(as_interrupted):  # a job in the background ignores Ctrl-C
            raise KeyboardInterrupt
        as_interrupted(signal.SIGINT, frame)


@contextmanager
def stdout_diverted() -> Iterator[None]:
    """Whatever is printed meanwhile goes to standard error: by Python, by a library, by another program."""
    with suppress(OSError, ValueError, AttributeError):  # there may be no stream, or a closed one
        sys.stdout.flush()
    # Closed standard streams lead nowhere from here on: the next file to be opened would be one of them.
    while (opened := os.open(os.devnull, os.O_RDWR)) <= _ERR:
        pass
    os.close(opened)
    with redirect_stdout(sys.stderr):
        kept = os.dup(_OUT)
        try:
            os.dup2(_ERR, _OUT)
            yield
        finally:
            os.dup2(kept, _OUT)
            os.close(kept)
