"""SIGTERM (a cancelled job, a stopped container) ends a command as Ctrl-C does."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType

INTERRUPTED = 130
TERMINATED = 143


class Termination:
    """While it is entered, SIGTERM interrupts: what is done by then is kept and told."""

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
