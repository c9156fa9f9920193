"""The process that a command runs in: signals that end it, and standard output kept for our own words.

A command ends where a signal finds it, since most have nothing to keep. One that has (`run_to_end`) gets an
exception and some time. A thread watches: where no Python runs that could notice the signal (a database, a
model, a file system that hangs), or where the time is over, it ends the process itself.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from types import FrameType
from typing import Any

from pincite.base import allow_time, end_now, time_left

INTERRUPTED = 130
TERMINATED = 143
BUSY_SECONDS = 0.7
"""Of processor time that the main thread may take after a signal without noticing it."""
SILENT_SECONDS = 2.0
"""The same by the clock, while it waits for something."""
KEEPING_SECONDS = 10.0
"""How long a command with something to keep may take to come to its end; more where it says so."""
AGAIN_SECONDS = 0.5
"""A signal sooner than this after the first is the same one, passed on by a program around us."""

_OUT, _ERR = 1, 2
_CODES = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}
_ASKS = getattr(signal, "SIGURG", None)
"""What the watching thread asks the main thread with, whether it runs Python; nobody else uses it here."""

_answered = threading.Event()
_keeping: list[str] = []
"""The last words of the command that has something to keep, while it runs."""


def listen(before: Any) -> None:
    """From here on a signal ends the command at once; `before` is what Ctrl-C has done until now.

    Who ignores a signal has a reason, and so has a program that handles it.
    """
    if signal.getsignal(signal.SIGINT) is before:
        signal.signal(signal.SIGINT, _end)
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _end)
    if _ASKS is None:
        return
    signal.signal(_ASKS, lambda *_: _answered.set())
    _fill_standard_streams()
    read, write = os.pipe()
    os.set_blocking(write, False)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    main = threading.get_ident()
    threading.Thread(target=_watch, args=(read, main), name="pincite-signals", daemon=True).start()


def _end(number: int, frame: FrameType | None) -> None:
    end_now(_CODES[signal.Signals(number)])


def run_to_end(work: Callable[[], int], last_words: str = "") -> int:
    """The exit code of work that has something to keep: a signal is an exception in it.

    SIGTERM (a cancelled job, a stopped container) ends it as Ctrl-C does. `last_words` are told where it
    could not come to its end.
    """
    came = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal came
        came = True
        as_interrupted = signal.getsignal(signal.SIGINT)
        if not callable(as_interrupted):  # a job in the background ignores Ctrl-C
            raise KeyboardInterrupt
        as_interrupted(signal.SIGINT, frame)

    # Only the main thread may say what becomes of a signal; who ignores it has a reason.
    usual: dict[signal.Signals, Any] = {}
    if threading.current_thread() is threading.main_thread():
        usual = {number: signal.getsignal(number) for number in _CODES}
        _keeping.append(last_words)
    try:
        if usual and usual[signal.SIGTERM] in (signal.SIG_DFL, _end):
            signal.signal(signal.SIGTERM, interrupt)
        if usual and usual[signal.SIGINT] is _end:
            # asyncio cancels its work first, where it finds this one.
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = work()
    except KeyboardInterrupt:
        code = INTERRUPTED
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
        if usual:
            _keeping.pop()
    return TERMINATED if came and code == INTERRUPTED else code


def serve_to_end(serve: Callable[[], None]) -> int:
    """Serve until a signal ends it, which is how a server ends, and no failure."""

    def work() -> int:
        serve()
        return 0

    return run_to_end(work)


# --- the thread that watches ---------------------------------------------------------------------


def _watch(pipe: int, main: int) -> None:
    first = 0.0
    while True:
        for number in os.read(pipe, 64):
            if number not in _CODES or not callable(signal.getsignal(number)):
                continue
            now = time.monotonic()
            if not first:
                first = now
                threading.Thread(target=_see_to_it, args=(number, main), daemon=True).start()
            elif now - first > AGAIN_SECONDS:
                _end_for(number)


def _see_to_it(number: int, main: int) -> None:
    """The signal ends the process, whatever the main thread does."""
    allow_time(KEEPING_SECONDS if _keeping else 0.0)
    if _answers(main):
        while (left := time_left()) > 0:
            time.sleep(min(left, 0.1))
        if not _keeping:  # it was, and is over: the process ends by itself, after its last words
            time.sleep(SILENT_SECONDS)
    _end_for(number)


def _answers(main: int) -> bool:
    """Whether the main thread runs Python: what it does then is its own decision."""
    clock = time.pthread_getcpuclockid(main)
    began, taken = time.monotonic(), time.clock_gettime(clock)
    _answered.clear()
    signal.pthread_kill(main, _ASKS)  # type: ignore[arg-type]
    while not _answered.wait(0.05):
        if time.clock_gettime(clock) - taken > BUSY_SECONDS or time.monotonic() - began > SILENT_SECONDS:
            return False
    return True


def _end_for(number: int) -> None:
    end_now(_CODES[signal.Signals(number)], _keeping[-1] if _keeping else "")


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


def _fill_standard_streams() -> None:
    """Closed standard streams lead nowhere from here on: the next file to be opened would be one of them."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= _ERR:
        pass
    os.close(opened)


@contextmanager
def stdout_diverted() -> Iterator[None]:
    """Whatever is printed meanwhile goes to standard error: by Python, by a library, by another program."""
    with suppress(OSError, ValueError, AttributeError):  # there may be no stream, or a closed one
        sys.stdout.flush()
    _fill_standard_streams()
    with redirect_stdout(sys.stderr):
        kept = os.dup(_OUT)
        try:
            os.dup2(_ERR, _OUT)
            yield
        finally:
            os.dup2(kept, _OUT)
            os.close(kept)
