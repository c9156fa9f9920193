"""The process that a command runs in: signals that end it, and standard output kept for our own words."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from types import FrameType

INTERRUPTED = 130
TERMINATED = 143
_OUT, _ERR = 1, 2


def run_to_end(work: Callable[[], int]) -> int:
    """The exit code of the work. SIGTERM (a cancelled job, a stopped container) ends it as Ctrl-C does."""
    came = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal came
        came = True
        as_interrupted = signal.getsignal(signal.SIGINT)
        if not callable(as_interrupted):  # a job in the background ignores Ctrl-C
            raise KeyboardInterrupt
        as_interrupted(signal.SIGINT, frame)

    # Only the main thread may say what becomes of a signal; who ignores it has a reason.
    in_main = threading.current_thread() is threading.main_thread()
    listens = in_main and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    if listens:
        signal.signal(signal.SIGTERM, interrupt)
    try:
        code = work()
    except KeyboardInterrupt:
        code = INTERRUPTED
    finally:
        if listens:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
    return TERMINATED if came and code == INTERRUPTED else code


def leave(code: int) -> int:
    """This exit code; where threads are still at work that nobody waits for, the process ends here.

    Python waits for every thread at its end, also for a page that nobody will see any more.
    """
    working = [
        one for one in threading.enumerate() if one is not threading.current_thread() and not one.daemon
    ]
    if not working:
        return code
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


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
