"""A Python function as the system under test, in processes of its own: what ends one costs one query.

A process is asked one query at a time, so that it is known which query it died of, and can be ended when its
time is over, whatever it is doing.
"""

from __future__ import annotations

import io
import os
import pickle
import signal
import sys
import threading
from typing import Any

from pincite.base import ChildProcess, ProcessEnded
from pincite.datasets import EvaluationQuery
from pincite.errors import InputError
from pincite.records import RecordedAnswer
from pincite.runs.targets.function import Threads
from pincite.runs.targets.target import Target, TargetFailed

WORKER = "pincite.runs.targets.isolated_worker"
START_SECONDS = 600.0
"""For a process to import the function. A large model may take minutes; nothing takes this long."""
FEWEST = 4


class IsolatedTarget(Target):
    """Calls a function by its name, each query in a process that has no other to answer at the time."""

    waits = True
    retries_timeouts = False
    keeps_its_code = False
    keeps_time = True
    """The time-out is kept here: a process that is being started does not count."""

    def __init__(
        self, spec: str, seconds: float, processes: int | None = None, memory_mb: int | None = None
    ) -> None:
        self._spec = spec
        self._seconds = seconds
        # The function may import from the working folder, as the other modules of its project.
        self._start = pickle.dumps((list(sys.path), spec, memory_mb))
        self.at_once = processes or max(FEWEST, 2 * (os.cpu_count() or 1))
        """How many queries can be under way, in a process each."""
        self._threads = Threads()
        self._all: set[_Process] = set()
        first = _Process(self._start)
        self._all.add(first)
        try:
            first.begin()
        except TargetFailed as failed:
            raise InputError(f"the target {spec!r}: {failed.reason}") from None
        except BaseException:
            first.end()
            raise
        self._idle = [first]

    @property
    def name(self) -> str:
        """The same as without isolation, which changes no answer."""
        return f"callable:{self._spec}"

    async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
        process = self._idle.pop() if self._idle else _Process(self._start)
        self._all.add(process)
        try:
            found = await self._threads.run(
                lambda: process.ask(query.query_id, query.query_text, self._seconds), _as_failure
            )
        except BaseException:
            if process.is_over:
                self._all.discard(process)
            else:
                process.kill()  # nobody waits for it any longer; the thread that reads from it ends with it
            raise
        if not process.is_over:
            self._idle.append(process)
        if isinstance(found, TargetFailed):
            raise found
        return found

    async def close(self) -> None:
        for process in self._all:
            process.kill()
        for process in self._idle:
            process.end()
        self._idle.clear()
        self._all.clear()
        self._threads.close()


class _Process:
    """One process from its start to its end. `ask` runs in a thread, `kill` may be called from any."""

    def __init__(self, start: bytes) -> None:
        self._start = start
        self._process: ChildProcess | None = None
        self._lock = threading.Lock()
        self._killed = False
        self.is_over = False

    def begin(self) -> None:
        """Start the process and have it import the function."""
        try:
            with self._lock:
                if self._killed:
                    raise ProcessEnded
                self._process = ChildProcess(WORKER)
            refused = self._exchange(self._process, self._start, START_SECONDS)
        except (ProcessEnded, OSError) as error:
            self.end()
            why = self._fate() if isinstance(error, ProcessEnded) else str(error)
            raise TargetFailed(f"its process could not be started: {why}") from None
        if refused is not None:
            self.end()
            raise TargetFailed(str(refused))

    def ask(self, query_id: str, text: str, seconds: float) -> RecordedAnswer | TargetFailed:
        """The answer, or the failure that the function told. A process that ended raises `TargetFailed`."""
        if self._process is None:
            self.begin()
        assert self._process is not None
        try:
            kind, *told = self._exchange(self._process, pickle.dumps((query_id, text)), seconds)
        except pickle.UnpicklingError as error:
            self.end()
            raise TargetFailed(f"what came out of the function's process cannot be read: {error}") from None
        except ProcessEnded:
            self.end()
            if self._process.late:
                raise TargetFailed(f"no answer within {seconds:g} s: its process was ended") from None
            raise TargetFailed(f"the function ended its process: {self._fate()}") from None
        return told[0] if kind == "answered" else TargetFailed(*told)

    def kill(self) -> None:
        """Kill the process and its children; a reader of its pipe sees the end."""
        with self._lock:
            self._killed = True
            if self._process is not None:
                self._process.kill()

    def end(self) -> None:
        """End the process and let go of its pipes, from which nobody may be reading."""
        self.is_over = True
        self.kill()
        if self._process is not None:
            self._process.end()

    @staticmethod
    def _exchange(process: ChildProcess, message: bytes, seconds: float) -> Any:
        with process.deadline(seconds):
            process.send(message)
            return _load(process.receive())

    def _fate(self) -> str:
        """How the process ended, once it has."""
        code = None if self._process is None else self._process.returncode
        if self._process is not None and self._process.late:
            return "it took too long"
        if code is None:
            return "the run is over"
        if code >= 0:
            return f"exit code {code}"
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"


def _as_failure(error: BaseException) -> Exception:
    if isinstance(error, Exception):
        return error
    return TargetFailed(f"the target failed: {type(error).__name__}")


class _Unpickler(pickle.Unpickler):
    """Reads our own records and nothing that would import a module of the function's."""

    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] not in ("pincite", "msgspec"):
            raise pickle.UnpicklingError(f"{module}.{name}")
        return super().find_class(module, name)


def _load(content: bytes) -> Any:
    return _Unpickler(io.BytesIO(content)).load()
