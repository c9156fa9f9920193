"""Processes that score answers, one a core. A process that dies costs no result: its items are done again.

The processes are started as programs of their own and talk over pipes, not through `multiprocessing`: that
would run the main module of whoever calls `pincite.evaluate` a second time.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any

from pincite.datasets.files import is_large
from pincite.datasets.items import make_item
from pincite.datasets.load import Dataset
from pincite.errors import JudgeError
from pincite.measured import ItemResult, RecordedAnswer
from pincite.runs.pipes import Closed, receive, send
from pincite.runs.plan import Plan, Task
from pincite.runs.storable import decode

CHUNK = 32
FEWEST = 200
"""Starting a process takes about as long as scoring this many answers."""
READY_SECONDS = 60.0
MOST_COPIED = 16 * 1024 * 1024
"""Characters of documents that the processes for a large dataset hold together, each a copy of its own."""

Answered = tuple[Task, RecordedAnswer]


class PoolUnavailable(Exception):
    """Processes cannot be started here, or cannot be given what they need."""


def workers_for(plan: Plan) -> int:
    """How many processes to score in; 1 is this one alone."""
    wanted = plan.settings.evaluation.workers
    if (wanted == 0 and plan.total < FEWEST) or not plan.settings.performance.parallel_evaluation:
        return 1
    if plan.settings.judge != "rules" or not plan.judge.name.startswith("rules"):
        return 1  # a model uses all cores already
    if wanted:
        return wanted
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, _affordable(plan.dataset))


def _affordable(dataset: Dataset) -> int:
    """In how many processes the documents of a large dataset may be held at once."""
    if not dataset.in_memory or dataset.path is None or not is_large(dataset.path):
        return sys.maxsize
    characters = sum(len(source.text) for source in dataset.library().sources)
    return max(1, MOST_COPIED // max(1, characters))


class Pool:
    """The processes of one run."""

    def __init__(self, plan: Plan, workers: int) -> None:
        self._plan = plan
        self._in: queue.Queue[list[Answered] | None] = queue.Queue()
        self._out: queue.Queue[list[ItemResult] | BaseException] = queue.Queue()
        library = plan.dataset.library() if plan.dataset.in_memory else None
        try:
            self._start = pickle.dumps((sys.path, plan.settings, plan.metrics, library))
        except Exception as error:
            raise PoolUnavailable(str(error)) from error
        self._workers: list[_Worker] = []
        self._threads: list[threading.Thread] = []
        self._closing = False
        try:
            for _ in range(workers):
                self._workers.append(_Worker(self._start))
            for worker in self._workers:
                worker.wait_until_ready()
        except BaseException as error:
            self.close()
            if isinstance(error, OSError | Closed):
                raise PoolUnavailable(str(error)) from error
            raise
        self._threads = [
            threading.Thread(target=self._serve, args=(worker,), name="pincite-pool", daemon=True)
            for worker in self._workers
        ]
        for thread in self._threads:
            thread.start()

    def measure(self, answered: Iterable[Answered]) -> Iterator[ItemResult]:
        """A result for each, in the order in which they become ready. Few wait at any time."""
        under_way = 0
        for chunk in _chunks(answered, CHUNK):
            while under_way >= 2 * len(self._workers):
                yield from self._next()
                under_way -= 1
            self._in.put(chunk)
            under_way += 1
        for _ in range(under_way):
            yield from self._next()

    def close(self) -> None:
        self._closing = True
        for _ in self._workers:
            self._in.put(None)
        for worker in self._workers:
            worker.kill()
        for thread in self._threads:
            thread.join()
        for worker in self._workers:
            worker.end()

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _next(self) -> list[ItemResult]:
        found = self._out.get()
        if isinstance(found, BaseException):
            raise found
        return found

    def _serve(self, worker: _Worker) -> None:
        while (chunk := self._in.get()) is not None and not self._closing:
            try:
                self._out.put(self._scored(worker, chunk))
            except BaseException as error:
                self._out.put(error)

    def _scored(self, worker: _Worker, chunk: list[Answered]) -> list[ItemResult]:
        try:
            return worker.score(self._packed(chunk))
        except (Closed, OSError):
            if self._closing:
                raise
            worker.start_again()
        if len(chunk) == 1:
            return [_died(*chunk[0])]
        # Something in the chunk has perhaps killed the process: each alone, so that only that one is lost.
        return [result for one in chunk for result in self._scored(worker, [one])]

    def _packed(self, chunk: list[Answered]) -> list[tuple[Task, RecordedAnswer, Any]]:
        if self._plan.dataset.in_memory:
            return [(task, recorded, None) for task, recorded in chunk]
        settings = self._plan.settings
        return [
            (task, recorded, self._plan.library_for(make_item(task.query, recorded, settings)))
            for task, recorded in chunk
        ]


class _Worker:
    """One process."""

    def __init__(self, start: bytes) -> None:
        self._start = start
        self._process = self._started()

    def wait_until_ready(self) -> None:
        timer = threading.Timer(READY_SECONDS, self._process.kill)
        timer.start()
        try:
            said = receive(self._process.stdout)
        finally:
            timer.cancel()
        if said != "ready":
            raise PoolUnavailable(str(said))

    def score(self, packed: list[tuple[Task, RecordedAnswer, Any]]) -> list[ItemResult]:
        send(self._process.stdin, packed)
        kind, content = receive(self._process.stdout)
        if kind == "judge":
            raise JudgeError(content)
        return [decode(one) for one in content]

    def start_again(self) -> None:
        self.end()
        self._process = self._started()
        self.wait_until_ready()

    def kill(self) -> None:
        """End the process; whoever reads from it sees its end."""
        self._process.kill()

    def end(self) -> None:
        """End the process and let go of its pipes, from which nobody may be reading."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:
                pass  # what was not sent yet is of no use any more

    def _started(self) -> subprocess.Popen[bytes]:
        if not sys.executable:
            raise PoolUnavailable("it is not known which Python this is")
        process = subprocess.Popen(
            [sys.executable, "-m", "pincite.runs.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            process_group=0,  # Ctrl-C is for us: we end them in order
        )
        try:
            send(process.stdin, self._start)
        except OSError as error:
            process.kill()
            process.wait()
            raise PoolUnavailable(str(error)) from error
        return process


def _chunks(answered: Iterable[Answered], size: int) -> Iterator[list[Answered]]:
    chunk: list[Answered] = []
    for one in answered:
        chunk.append(one)
        if len(chunk) >= size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _died(task: Task, recorded: RecordedAnswer) -> ItemResult:
    return ItemResult(
        key=task.key,
        position=task.position,
        query_id=task.query.query_id,
        query_text=task.query.query_text,
        failure="the process that scored this answer died, twice",
        answer=recorded.answer,
    )
