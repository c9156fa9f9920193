"""A long check on all cores: processes that judge pairs, or check whole answers, while this one does so too.

What they are given is decided here: little enough that none is idle at the end, and nothing at all where a
check is short. Whatever goes wrong with one of them costs only time, since its work is done here instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pincite.base import cores
from pincite.config import Settings
from pincite.engine import MOST_MODELS, EngineUnavailable, Job
from pincite.judges import Judge
from pincite.records import Answer
from pincite.sources import Library

if TYPE_CHECKING:
    from concurrent.futures import Future

    from pincite.engine import LocalEngine

QUICK_CHARACTERS = 200_000
CHARACTERS = 20_000
"""Starting a process takes about as long as checking so much text with rules, or with a model."""
QUICK_PAIRS = 250
PAIRS = 25
"""Pairs that a process gets at once: a few tenths of a second's work."""
MOST_COPIED = 16 * 1024 * 1024
"""Characters of sources that the processes hold together, each a copy of its own."""


class Batch(NamedTuple):
    """Something that is to be done, here or elsewhere."""

    kind: Literal["pairs", "answers"]
    work: Sequence[Any]
    future: Future[list[Any]]


class CheckPool:
    """The workers of one check, which start in the background when they are first given something."""

    def __init__(self, settings: Settings, judge: Judge, library: Library | None, count: int) -> None:
        self.pairs = QUICK_PAIRS if judge.quick else PAIRS
        self.characters = (QUICK_CHARACTERS if judge.quick else CHARACTERS) // 4
        """Of answers that a worker gets at once."""
        self.library = library
        """What the workers can hold answers against; None where they can only judge pairs."""
        self.count = count
        self._job = Job("pincite.findings.many:prepare", (settings, library), judge.name)
        self._engine: LocalEngine | None = None

    @property
    def hungry(self) -> bool:
        """Whether a worker would soon have nothing to do."""
        if self._engine is None:
            return self.count > 0
        return self._engine.waiting < self._engine.workers

    def begin(self, kind: Literal["pairs", "answers"], work: Sequence[Any]) -> Batch:
        """Hand work out."""
        from concurrent.futures import Future

        if self._engine is None and self.count:
            from pincite.engine import LocalEngine

            try:
                self._engine = LocalEngine(self._job, self.count)
            except EngineUnavailable:  # there is no other Python to be had, or something cannot be sent
                self.count = 0
        if self._engine is not None:
            return Batch(kind, work, self._engine.submit([(kind, work)]))
        nowhere: Future[list[Any]] = Future()
        nowhere.cancel()
        return Batch(kind, work, nowhere)

    def finish(self, batch: Batch) -> Any:
        """What was found. None where no worker has begun with it, or could: it is the caller's again."""
        if batch.future.cancel():
            return None
        try:
            return batch.future.result()[0]
        except Exception:  # it is tried again by whoever asked, and told there
            return None

    def close(self) -> None:
        """End the workers, whatever they are doing."""
        if self._engine is not None:
            self._engine.close()


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
    if judge.placement != "process" or judge.computes_together:
        return 0  # a judge that reads pairs together does so on all cores by itself
    if not settings.performance.parallel_evaluation or not settings.enabled:
        return 0
    if settings.evaluation.workers:
        return settings.evaluation.workers - 1
    quick = judge.quick
    if sum(len(answer.text) for answer in answers) < (QUICK_CHARACTERS if quick else CHARACTERS):
        return 0
    return (cores() if quick else min(cores(), MOST_MODELS)) - 1
