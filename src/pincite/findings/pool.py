"""A long check on all cores: processes that judge pairs, or check whole answers, while this one does so too.

What they are given is decided here: little enough that none is idle at the end, and nothing at all where a
check is short. Whatever goes wrong with one of them costs only time, since its work is done here instead.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from pincite.config import Settings
from pincite.judges.judge import Judge
from pincite.processes import MOST_MODELS, Closed, PoolUnavailable, Worker, cores, start_of
from pincite.records import Answer
from pincite.sources.library import Library

MODULE = "pincite.findings.worker"
QUICK_CHARACTERS = 200_000
CHARACTERS = 20_000
"""Starting a process takes about as long as checking so much text with rules, or with a model."""
QUICK_PAIRS = 250
PAIRS = 25
"""Pairs that a process gets at once: a few tenths of a second's work."""
MOST_COPIED = 16 * 1024 * 1024
"""Characters of sources that the processes hold together, each a copy of its own."""


class Batch:
    """Something that is to be done, here or elsewhere."""

    def __init__(self, kind: Literal["pairs", "answers"], work: Sequence[Any]) -> None:
        self.kind = kind
        self.work = work
        self.found: Any = None
        """What a process found, or None where none could."""
        self.done = threading.Event()


class CheckPool:
    """The processes of one check, which start in the background when they are first given something."""

    def __init__(self, settings: Settings, judge: Judge, library: Library | None, count: int) -> None:
        self.pairs = QUICK_PAIRS if judge.quick else PAIRS
        self.characters = (QUICK_CHARACTERS if judge.quick else CHARACTERS) // 4
        """Of answers that a process gets at once."""
        self.library = library
        """What the processes can hold answers against; None where they can only judge pairs."""
        self._settings = settings
        self._judge = judge.name
        self._left = count
        """Processes that work, or will when they are started."""
        self._workers: list[Worker] = []
        self._threads: list[threading.Thread] = []
        self._waiting: deque[Batch] = deque()
        self._change = threading.Condition()
        self._closing = False

    @property
    def hungry(self) -> bool:
        """Whether a process would soon have nothing to do."""
        return len(self._waiting) < self._left

    def begin(self, kind: Literal["pairs", "answers"], work: Sequence[Any]) -> Batch:
        """Hand work out."""
        if not self._threads:
            self._start()
        batch = Batch(kind, work)
        with self._change:
            if self._left:
                self._waiting.append(batch)
                self._change.notify()
            else:
                batch.done.set()
        return batch

    def finish(self, batch: Batch) -> Any:
        """What was found. None where no process has begun with it, or could: it is the caller's again."""
        with self._change:
            if batch in self._waiting:
                self._waiting.remove(batch)
                return None
        batch.done.wait()
        return batch.found

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        with self._change:
            self._closing = True
            self._change.notify_all()
        for worker in self._workers:
            worker.kill()
        for thread in self._threads:
            thread.join()
        for worker in self._workers:
            worker.end()

    def _start(self) -> None:
        try:
            start = start_of((self._settings, self.library))
            for _ in range(self._left):
                self._workers.append(Worker(MODULE, start, self._judge))
        except Exception:  # there is no other Python to be had, or something that cannot be sent
            self._left = len(self._workers)
        for worker in self._workers:
            thread = threading.Thread(target=self._serve, args=(worker,), name="pincite-check", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, worker: Worker) -> None:
        batch: Batch | None = None
        try:
            worker.begin()
            while (batch := self._next()) is not None:
                kind, found = worker.ask((batch.kind, batch.work))
                batch.found = found if kind == "found" else None
                batch.done.set()
        except (Closed, OSError, PoolUnavailable):
            self._give_up(batch)

    def _next(self) -> Batch | None:
        with self._change:
            while not self._waiting and not self._closing:
                self._change.wait()
            return None if self._closing else self._waiting.popleft()

    def _give_up(self, batch: Batch | None) -> None:
        """One process less. With the last one goes what waits."""
        with self._change:
            self._left -= 1
            given_back = [] if self._left else list(self._waiting)
            if not self._left:
                self._waiting.clear()
        for one in (*given_back, *([batch] if batch is not None else [])):
            one.done.set()


@contextmanager
def pool_for(
    answers: Sequence[Answer], library: Library, judge: Judge, settings: Settings
) -> Iterator[CheckPool | None]:
    """The processes that help with these answers; None where they would not pay, or cannot be used."""
    count = _how_many(answers, judge, settings)
    if count < 1:
        yield None
        return
    copied = sum(len(source.text) for source in library.sources) * count if len(answers) > 1 else 0
    pool = CheckPool(settings, judge, library if 0 < copied <= MOST_COPIED else None, count)
    try:
        yield pool
    finally:
        pool.close()


def _how_many(answers: Sequence[Answer], judge: Judge, settings: Settings) -> int:
    """Processes beside this one."""
    if judge.placement != "process" or not settings.performance.parallel_evaluation or not settings.enabled:
        return 0
    if settings.evaluation.workers:
        return settings.evaluation.workers - 1
    quick = judge.quick
    if sum(len(answer.text) for answer in answers) < (QUICK_CHARACTERS if quick else CHARACTERS):
        return 0
    return (cores() if quick else min(cores(), MOST_MODELS)) - 1
