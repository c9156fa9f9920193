"""Readers in a copy of the worker instead of a Python that starts anew, so that an input takes milliseconds.

All else is as it is outside: a process of its own for each file, its limits, its messages, its end. How it is
started has its own tests.
"""

from __future__ import annotations

import importlib
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from unittest import mock


@contextmanager
def forked_readers(*libraries: str) -> Iterator[None]:
    """Meanwhile a process of ours is a fork of this one, which has imported these libraries already."""
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"  # as in the process of its own
    for name in libraries:
        with suppress(ImportError):
            importlib.import_module(name)
    with mock.patch.object(subprocess, "Popen", _Forked):
        yield


class _Forked:
    """As much of a `Popen` as `ChildProcess` needs."""

    def __init__(self, command: list[str], **options: Any) -> None:
        for_it, to_it = os.pipe()
        from_it, by_it = os.pipe()
        self.returncode: int | None = None
        self.pid = os.fork()
        if not self.pid:
            _read(command[-1], for_it, by_it, (to_it, from_it))
        with suppress(OSError):  # it has done so itself, or is gone
            os.setpgid(self.pid, self.pid)
        os.close(for_it)
        os.close(by_it)
        self.stdin, self.stdout = os.fdopen(to_it, "wb"), os.fdopen(from_it, "rb")

    def poll(self) -> int | None:
        return self._ended(os.WNOHANG)

    def wait(self) -> int | None:
        return self._ended(0)

    def kill(self) -> None:
        os.kill(self.pid, 9)

    def _ended(self, options: int) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, options)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode


def _read(module: str, inward: int, outward: int, others: tuple[int, ...]) -> None:
    """In the fork: what the program of a process of ours does."""
    from pincite.base import run_child

    code = 1
    try:
        os.setpgid(0, 0)
        for given, wanted in ((inward, 0), (outward, 1), (os.open(os.devnull, os.O_WRONLY), 2)):
            os.dup2(given, wanted)
        for pipe in (inward, outward, *others):
            os.close(pipe)
        os.chdir("/")
        run_child(module)
        code = 0
    finally:
        os._exit(code)
