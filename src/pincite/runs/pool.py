"""Processes that score answers, one a core. A process that dies costs no result: its items are done again."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any

from pincite.datasets.files.read import is_large
from pincite.datasets.items import make_item
from pincite.datasets.load import Dataset
from pincite.errors import JudgeError
from pincite.measured import ItemResult, RecordedAnswer
from pincite.processes import MOST_MODELS, Closed, PoolUnavailable, Worker, cores, start_of
from pincite.runs.plan import Plan, Task
from pincite.runs.results.storable import decode

CHUNK = 32
FEWEST_QUICK = 200
FEWEST = 50
"""Starting a process takes about as long as scoring this many answers, or this many with a model."""
MOST_COPIED = 16 * 1024 * 1024
"""Characters of documents that the processes for a large dataset hold together, each a copy of its own."""

Answered = tuple[Task, RecordedAnswer]
Found = list[ItemResult] | BaseException
"""The results of a chunk, or why there are none."""
Tell = Callable[[Found], None]


def workers_for(plan: Plan) -> int:
    """How many processes to score in; 1 is this one alone."""
    if not plan.settings.performance.parallel_evaluation:
        return 1
    if plan.judge.placement != "process":
        return 1  # it cannot be made again in another process, or would gain nothing there
    wanted = plan.settings.evaluation.workers
    if wanted:
        return wanted
    quick = plan.judge.quick
    if plan.total < (FEWEST_QUICK if quick else FEWEST):
        return 1
    return min(cores(), sys.maxsize if quick else MOST_MODELS, _affordable(plan.dataset))


def _affordable(dataset: Dataset) -> int:
    """In how many processes the documents of a large dataset may be held at once."""
    if not dataset.in_memory or dataset.path is None or not is_large(dataset.path):
        return sys.maxsize
    characters = sum(len(source.text) for source in dataset.library().sources)
    return max(1, MOST_COPIED // max(1, characters))


class Pool:
    """The processes of one run. They start in the background, and whatever is handed in meanwhile waits."""

    def __init__(self, plan: Plan, workers: int, at_first: int | None = None) -> None:
        self._plan = plan
        self._most = workers
        self._in: queue.SimpleQueue[tuple[list[Answered], Tell] | None] = queue.SimpleQueue()
        self._closing = False
        library = plan.dataset.library() if plan.dataset.in_memory else None
        try:
            self._start = start_of((plan.settings, plan.metrics, library, workers > 1))
        except Exception as error:
            raise PoolUnavailable(str(error)) from error
        self._workers: list[Worker] = []
        self._threads: list[threading.Thread] = []
        try:
            for _ in range(workers if at_first is None else at_first):
                self._add_worker()
        except BaseException:
            self.close()
            raise

    @property
    def ready(self) -> int:
        """How many of the processes can be given work."""
        return sum(worker.ready for worker in self._workers)

    def grow(self) -> None:
        """Start one process more, unless there are enough, or one is still starting."""
        if self.ready == len(self._workers) < self._most:
            try:
                self._add_worker()
            except PoolUnavailable:
                self._most = len(self._workers)

    def submit(self, chunk: list[Answered], tell: Tell) -> None:
        """Have a chunk measured; `tell` is called in another thread with its results, or with what failed."""
        self._in.put((chunk, tell))

    def measure(self, answered: Iterable[Answered]) -> Iterator[ItemResult]:
        """A result for each, in the order in which they become ready. Few wait at any time."""
        found: queue.SimpleQueue[Found] = queue.SimpleQueue()
        under_way = 0
        for chunk in _chunks(answered, CHUNK):
            while under_way >= 2 * len(self._workers):
                yield from _told(found.get())
                under_way -= 1
            self.submit(chunk, found.put)
            under_way += 1
        for _ in range(under_way):
            yield from _told(found.get())

    def close(self) -> None:
        """End the processes, whatever they are doing."""
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

    def _add_worker(self) -> None:
        worker = Worker("pincite.runs.worker", self._start, self._plan.judge.name)
        thread = threading.Thread(target=self._serve, args=(worker,), name="pincite-pool", daemon=True)
        self._workers.append(worker)
        self._threads.append(thread)
        thread.start()

    def _serve(self, worker: Worker) -> None:
        problem: PoolUnavailable | None = None
        try:
            worker.begin()
        except PoolUnavailable as error:
            problem = error
        while (given := self._in.get()) is not None and not self._closing:
            chunk, tell = given
            try:
                if problem is not None:
                    raise problem
                tell(self._scored(worker, chunk))
            except PoolUnavailable as error:
                problem = error  # and of every later one
                tell(error)
            except BaseException as error:
                tell(error)

    def _scored(self, worker: Worker, chunk: list[Answered]) -> list[ItemResult]:
        try:
            return _asked(worker, self._packed(chunk))
        except (Closed, OSError):
            self._start_again(worker)
        # Something in the chunk has perhaps killed the process: each alone, so that only that one is lost.
        return [self._scored_alone(worker, one) for one in chunk]

    def _scored_alone(self, worker: Worker, one: Answered) -> ItemResult:
        try:
            return _asked(worker, self._packed([one]))[0]
        except (Closed, OSError):
            self._start_again(worker)
            return _died(*one)

    def _start_again(self, worker: Worker) -> None:
        if self._closing:
            raise PoolUnavailable("the run is over")
        worker.start_again()

    def _packed(self, chunk: list[Answered]) -> list[tuple[Task, RecordedAnswer, Any]]:
        if self._plan.dataset.in_memory:
            return [(task, recorded, None) for task, recorded in chunk]
        settings = self._plan.settings
        return [
            (task, recorded, self._plan.library_for(make_item(task.query, recorded, settings)))
            for task, recorded in chunk
        ]


def _asked(worker: Worker, packed: list[tuple[Task, RecordedAnswer, Any]]) -> list[ItemResult]:
    kind, content = worker.ask(packed)
    if kind == "judge":
        raise JudgeError(content)
    if kind == "unreadable":
        raise PoolUnavailable(f"an answer cannot be read elsewhere: {content}")
    return [decode(one) for one in content]


def _told(found: Found) -> list[ItemResult]:
    if isinstance(found, BaseException):
        raise found
    return found


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
