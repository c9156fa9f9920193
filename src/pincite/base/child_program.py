"""In a process that `ChildProcess` has started: the module that it runs, and the pipe to its parent."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import suppress
from importlib import import_module
from queue import SimpleQueue
from typing import IO

from pincite.base.child_process import read_message, write_message

OUT_OF_MEMORY = 127
"""How a process ends when Python runs out of memory, as it does when the dynamic loader runs out of it."""


class ParentPipe:
    """The pipe to the process that started this one. When that is gone, this one ends at once.

    Only messages go through it: whatever a library prints from now on goes to standard error, and nothing
    else can read what we are sent.
    """

    def __init__(self) -> None:
        inward = os.fdopen(os.dup(0), "rb")
        self._outward = os.fdopen(os.dup(1), "wb")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        try:
            os.dup2(2, 1)
        except OSError:  # it was closed
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        self._messages: SimpleQueue[bytes] = SimpleQueue()
        # A thread of its own reads, so that the end of the other process also ends a task that never would.
        threading.Thread(target=self._listen, args=(inward,), daemon=True).start()

    def receive(self) -> bytes:
        """The next message, however long it takes to come."""
        return self._messages.get()

    def send(self, message: bytes) -> None:
        """Raises `OSError` if nobody is left to read it."""
        write_message(self._outward, message)

    def _listen(self, inward: IO[bytes]) -> None:
        try:
            while True:
                self._messages.put(read_message(inward))
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
        except BaseException:
            if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
                os.killpg(0, signal.SIGKILL)  # with all that was started here
            os._exit(0)


def run(module: str) -> None:
    """Call `serve` of this module with the pipe; the process ends when it returns."""
    parent = ParentPipe()
    with suppress(BrokenPipeError):  # nobody is left to work for
        import_module(module).serve(parent)
