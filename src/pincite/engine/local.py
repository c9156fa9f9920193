"""The engine of this machine: processes, each served by a thread of ours.

They are programs of their own. `concurrent.futures.ProcessPoolExecutor` would run the caller's main module
once more in each, and gives up all of its work when one process dies.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from importlib import import_module
from itertools import islice
from typing import Any

from pincite.base import ChildProcess, ParentPipe, ProcessEnded, describe_error
from pincite.engine.engine import (
    EngineUnavailable,
    Job,
    SubmittingEngine,
    pickled,
    pickled_failure,
    unpickled,
)

READY_SECONDS = 60.0

Waiting = tuple[list[Any], "Future[list[Any]]"]


class LocalEngine(SubmittingEngine):
    """The processes of one job. They start in the background, and what is submitted meanwhile waits."""

    def __init__(self, job: Job, workers: int, at_first: int | None = None) -> None:
        self._job = job
        self._most = workers
        self._waiting: deque[Waiting] = deque()
        self._change = threading.Condition()
        self._closing = False
        self._processes: list[Worker] = []
        self._threads: list[threading.Thread] = []
        self._left = 0
        """Processes that work, or will once they have started."""
        try:
            self._start = pickled((job.prepare, job.given))
        except Exception as error:
            raise EngineUnavailable(str(error)) from error
        try:
            for _ in range(workers if at_first is None else at_first):
                self._add()
        except BaseException:
            self.close()
            raise

    @property
    def workers(self) -> int:
        return self._left

    @property
    def ready(self) -> int:
        return sum(process.ready for process in self._processes)

    @property
    def waiting(self) -> int:
        with self._change:
            return sum(not future.cancelled() for _, future in self._waiting)

    def grow(self) -> None:
        """Start one process more, unless there are enough, or one is still starting."""
        if self.ready == len(self._processes) < self._most:
            try:
                self._add()
            except EngineUnavailable:
                self._most = len(self._processes)

    def submit(self, tasks: Sequence[Any]) -> Future[list[Any]]:
        future: Future[list[Any]] = Future()
        with self._change:
            if self._left:
                self._waiting.append((list(tasks), future))
                self._change.notify()
                return future
        future.set_exception(EngineUnavailable("no process is left"))
        return future

    def map(self, tasks: Iterable[Any], size: int = 32) -> Iterator[Any]:
        done: queue.SimpleQueue[Future[list[Any]]] = queue.SimpleQueue()
        under_way = 0
        remaining = iter(tasks)
        while chunk := list(islice(remaining, size)):
            while under_way and under_way >= 2 * len(self._processes):
                yield from done.get().result()
                under_way -= 1
            self.submit(chunk).add_done_callback(done.put)
            under_way += 1
        for _ in range(under_way):
            yield from done.get().result()

    def close(self) -> None:
        with self._change:
            self._closing = True
            self._change.notify_all()
        for process in self._processes:
            process.kill()
        for thread in self._threads:
            thread.join()
        for process in self._processes:
            process.end()

    def _add(self) -> None:
        worker = Worker(self._start, self._job.signature)
        thread = threading.Thread(target=self._serve, args=(worker,), name="pincite-engine", daemon=True)
        self._processes.append(worker)
        self._threads.append(thread)
        with self._change:
            self._left += 1
        thread.start()

    def _serve(self, worker: Worker) -> None:
        """Give one process its tasks, until there are no more or the process cannot be started."""
        taken: Waiting | None = None
        try:
            worker.begin()
            while (taken := self._next()) is not None:
                self._carry_out(worker, *taken)
        except EngineUnavailable as error:
            self._give_up(taken, error)

    def _next(self) -> Waiting | None:
        with self._change:
            while not self._closing:
                while self._waiting:
                    taken = self._waiting.popleft()
                    if taken[1].set_running_or_notify_cancel():
                        return taken
                self._change.wait()
        return None

    def _give_up(self, taken: Waiting | None, error: EngineUnavailable) -> None:
        """One process less. What it had goes back to its owner, and with the last one all that waits."""
        with self._change:
            self._left -= 1
            given_back = [] if self._left else list(self._waiting)
            if not self._left:
                self._waiting.clear()
        if taken is not None:
            taken[1].set_exception(error)
        for _, future in given_back:
            if future.set_running_or_notify_cancel():
                future.set_exception(error)

    def _carry_out(self, worker: Worker, tasks: list[Any], future: Future[list[Any]]) -> None:
        try:
            outcomes = self._outcomes(worker, tasks)
        except EngineUnavailable:
            if not worker.ready:
                raise
            future.set_exception(EngineUnavailable("a task cannot be sent to another process"))
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(outcomes)

    def _outcomes(self, worker: Worker, tasks: list[Any]) -> list[Any]:
        try:
            return self._asked(worker, tasks)
        except ProcessEnded:
            self._start_again(worker)
        # One of the tasks has perhaps ended the process: each alone, so that only that one is lost.
        return [self._alone(worker, task) for task in tasks]

    def _alone(self, worker: Worker, task: Any) -> Any:
        try:
            return self._asked(worker, [task])[0]
        except ProcessEnded:
            self._start_again(worker)
            return self._job.lost(task)

    def _asked(self, worker: Worker, tasks: list[Any]) -> list[Any]:
        return [self._job.unpack(one) for one in worker.ask([self._job.pack(task) for task in tasks])]

    def _start_again(self, worker: Worker) -> None:
        if self._closing:
            worker.ready = False
            raise EngineUnavailable("the work is over")
        worker.start_again()


class Worker:
    """One process that is given its job, says that it is ready, and then carries out what it is sent."""

    def __init__(self, start: bytes, signature: str) -> None:
        self._start = start
        self._signature = signature
        self.ready = False
        self._process = self._started()

    def begin(self) -> None:
        """Give the process its job, and wait until it can be asked."""
        try:
            with self._process.deadline(READY_SECONDS):
                self._process.send(self._start)
                said = unpickled(self._process.receive())
        except ProcessEnded as error:
            raise EngineUnavailable(f"a process ended as it was started: {error}") from error
        if said != ("ready", self._signature):
            raise EngineUnavailable(f"a process cannot do this, or would do it otherwise: {said}")
        self.ready = True

    def ask(self, tasks: list[Any]) -> list[Any]:
        """What the process answers. A process that dies over it raises `ProcessEnded`."""
        try:
            content = pickled(tasks)
        except Exception as error:  # a function may have answered with anything
            raise EngineUnavailable(f"this cannot be sent: {error}") from error
        self._process.send(content)
        kind, said = unpickled(self._process.receive())
        if kind == "raised":
            raise said
        if kind == "unreadable":
            raise EngineUnavailable(f"this cannot be read elsewhere: {said}")
        found: list[Any] = said
        return found

    def start_again(self) -> None:
        self.ready = False
        self.end()
        self._process = self._started()
        self.begin()

    def kill(self) -> None:
        """Kill the process; a reader of its pipe sees the end."""
        self._process.kill()

    def end(self) -> None:
        """End the process and let go of its pipes, from which nobody may be reading."""
        self._process.end()

    def _started(self) -> ChildProcess:
        try:
            return ChildProcess(__name__)
        except OSError as error:
            raise EngineUnavailable(str(error)) from error


# --- in a worker process -----------------------------------------------------------------------------


def serve(parent: ParentPipe) -> None:
    """Take a job, then tasks, until this process is ended."""
    try:
        prepare, given = unpickled(parent.receive())
        module, _, name = prepare.partition(":")
        signature, carry_out = getattr(import_module(module), name)(given)
    except Exception as error:
        parent.send(pickled(("cannot start", describe_error(error))))
        return
    parent.send(pickled(("ready", signature)))
    while True:
        message = parent.receive()
        try:
            tasks = unpickled(message)
        except Exception as error:  # something of a class that is only known where it was made
            parent.send(pickled(("unreadable", describe_error(error))))
            continue
        try:
            answer = pickled(("done", [carry_out(task) for task in tasks]))
        except Exception as error:
            answer = pickled_failure(error)
        parent.send(answer)
