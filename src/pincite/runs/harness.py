"""Many items: as many at once as the target and the judge allow, each result kept as it comes.

Nothing that a target, a judge or a metric does ends a run: a failure is a result that says why. What ends it
is a judge that cannot be started at all, or Ctrl-C; what was done by then is kept.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Literal

from pincite.base import allow_time, run_sync
from pincite.engine import EngineUnavailable, LocalEngine, SubmittingEngine
from pincite.errors import InputError
from pincite.records import ItemResult
from pincite.runs.journal import Journal, storable
from pincite.runs.plan import RunPlan, Task
from pincite.runs.targets.target import ask
from pincite.runs.workers import Answered, chosen_engine, measuring_job, workers_for

if TYPE_CHECKING:
    from pincite.engine import Inline
import time

from pincite.judges import Judge

TURN_SECONDS = 0.0005
WRITING_SECONDS = 60.0
"""How long the figures of a run may take that was interrupted. Whoever cannot wait interrupts once more."""
Ending = Literal["finished", "interrupted"]


def run_items(plan: RunPlan, journal: Journal, progress: Progress) -> Ending:
    """Answer and measure every item that the journal does not know yet."""
    ending = _run_items(plan, journal, progress)
    if ending == "interrupted":
        allow_time(WRITING_SECONDS)
    return ending


def _run_items(plan: RunPlan, journal: Journal, progress: Progress) -> Ending:
    try:
        if plan.target.waits or plan.judge.waits:
            with _quick_turns(), _helping(plan) as engine:
                return run_sync(_side_by_side(plan, engine, journal, progress))
        workers = workers_for(plan)
        if workers != 1:
            try:
                with chosen_engine(plan, workers) as engine:
                    for result in engine.map(_answered(plan, journal, progress)):
                        _keep(result, journal, progress)
                return "finished"
            except EngineUnavailable as error:
                if plan.settings.evaluation.engine != "local":
                    # Somebody has a cluster for it: this process alone would perhaps take days.
                    raise InputError(
                        f"the engine {plan.settings.evaluation.engine} failed: {error}"
                    ) from None
                progress.start_over()  # what is left is done in this process
        for task, recorded in _answered(plan, journal, progress):
            measured = run_sync(plan.measure(task, recorded), waits=False)
            _keep(storable(measured), journal, progress)
        return "finished"
    except KeyboardInterrupt:
        return "interrupted"
    finally:
        journal.flush()


@contextmanager
def _quick_turns() -> Iterator[None]:
    """Let threads take turns more often while answers are waited for.

    A function under test runs in a thread of its own. With the usual turns of 5 ms it would wait that long
    whenever we compute, and seem slower than it is.
    """
    usual = sys.getswitchinterval()
    sys.setswitchinterval(min(usual, TURN_SECONDS))
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


@contextmanager
def _helping(plan: RunPlan) -> Iterator[SubmittingEngine | None]:
    """Processes that measure while this one asks; None if they would not help, or cannot be started.

    A model is asked in a thread of this one instead, where it computes on all cores.

    A system takes its time, so that one is mostly enough: more are started when they are needed.
    """
    others = workers_for(plan) - 1 if plan.judge.quick else 0
    engine = None
    if others:
        with suppress(EngineUnavailable):
            engine = LocalEngine(measuring_job(plan, others), others, at_first=1)
    with engine or nullcontext() as helping:
        yield helping


def _open_tasks(plan: RunPlan, journal: Journal, progress: Progress) -> Iterator[Task]:
    for task in plan.tasks(journal.done):
        if task is None:
            progress.skip()
        else:
            yield task


def _keep(result: ItemResult, journal: Journal, progress: Progress) -> None:
    journal.append(result)
    progress.add(result)


def _answered(plan: RunPlan, journal: Journal, progress: Progress) -> Iterator[Answered]:
    """What is left to do, with its answer, from a system that is not waited for."""
    for task in _open_tasks(plan, journal, progress):
        recorded = task.recorded
        if recorded is None:
            recorded = run_sync(ask(plan.target, task.query, plan.settings), waits=False)
        yield task, recorded


# --- side by side, for what waits ----------------------------------------------------------------


async def _side_by_side(
    plan: RunPlan, engine: SubmittingEngine | None, journal: Journal, progress: Progress
) -> Ending:
    import asyncio

    tasks = _open_tasks(plan, journal, progress)
    parallel = plan.settings.performance.parallel_evaluation
    most = plan.target.at_once or plan.total
    at_once = min(plan.settings.evaluation.max_in_flight, most, max(1, plan.total)) if parallel else 1

    def keep(result: ItemResult) -> None:
        _keep(storable(result), journal, progress)

    measuring = _measuring(plan, engine, at_once, keep)

    async def work() -> None:
        for task in tasks:
            recorded = task.recorded
            if recorded is None:
                recorded = await ask(plan.target, task.query, plan.settings)
            await measuring.add((task, recorded))

    askers = [asyncio.create_task(work()) for _ in range(at_once)]
    asking = asyncio.gather(*askers)
    asking.add_done_callback(lambda _: measuring.close())
    measured = asyncio.create_task(measuring.run())
    try:
        await asyncio.gather(asking, asyncio.shield(measured))
        return "finished"
    except asyncio.CancelledError:
        return "interrupted"  # Ctrl-C: asyncio cancels first and only interrupts the second time
    finally:
        for asker in askers:
            asker.cancel()
        await asyncio.gather(*askers, return_exceptions=True)
        await asyncio.gather(measured, return_exceptions=True)  # what was answered is not lost
        await plan.target.close()


def _measuring(
    plan: RunPlan, engine: SubmittingEngine | None, most_waiting: int, keep: Callable[[ItemResult], None]
) -> Inline[Answered, ItemResult]:
    """How answers that just came are measured: where the judge likes to be asked."""
    from pincite.engine import Alongside, Inline, InThread

    async def measured(answered: Answered) -> ItemResult:
        return await plan.measure(*answered)

    if plan.judge.waits:
        return Inline(measured, keep)
    if not plan.judge.quick:
        return InThread(measured, keep)
    if not plan.settings.performance.parallel_evaluation:
        return Inline(measured, keep)
    return Alongside(measured, keep, engine, most_waiting)


# --- progress -------------------------------------------------------------------------------------


class Progress:
    """Counts what is done; `tell` is called after each item."""

    def __init__(
        self, total: int, judge: Judge | None = None, tell: Callable[[Progress], None] | None = None
    ) -> None:
        self.total = total
        self.done = 0
        """Of this time and of an earlier one that was interrupted."""
        self.resumed = 0
        self.failed = 0
        self.unjudged = 0
        """Queries in which something could not be judged."""
        self._judge = judge
        self._tell = tell
        self._begun = time.monotonic()

    def add(self, result: ItemResult) -> None:
        self.done += 1
        self.failed += result.failure is not None
        self.unjudged += any(verdict.outcome == "unjudged" for verdict in result.verdicts)
        self._told()

    def skip(self) -> None:
        """One that was done before. Finding those again is no part of the rate."""
        if self.done == self.resumed:
            self._begun = time.monotonic()
        self.done += 1
        self.resumed += 1
        self._told()

    def start_over(self) -> None:
        """The items are gone through once more; what is done already will be skipped."""
        self.done = self.resumed = self.failed = self.unjudged = 0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begun

    @property
    def rate(self) -> float:
        """Items a second, of this time."""
        return (self.done - self.resumed) / max(self.seconds, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """None as long as nothing can be said."""
        if not self.rate or self.done - self.resumed < 3:
            return None
        return max(0, self.total - self.done) / self.rate

    @property
    def cost(self) -> float | None:
        """US dollars that the judge took so far; None when the price is not known."""
        return self._judge.usage.cost if self._judge is not None else 0.0

    def _told(self) -> None:
        if self._tell is not None:
            self._tell(self)
