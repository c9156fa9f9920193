"""Answers that were just given, measured: at once, in a thread, or alongside the questions still open.

Each way has `add`, which takes an answer and comes back when the next question may be asked, and `run`, which
works until `close` was called and nothing waits any more.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from pincite import doorway
from pincite.measured import ItemResult, RecordedAnswer
from pincite.processes import PoolUnavailable
from pincite.runs.plan import Plan, Task, measure
from pincite.runs.pool import Answered, Found, Pool

AT_ONCE = 8
"""Answers that a process gets together, where that many wait: so few that none waits long for the others."""

Keep = Callable[[ItemResult], None]


def measuring_for(plan: Plan, pool: Pool | None, most_waiting: int, keep: Keep) -> Measuring:
    """The way that suits the judge."""
    if plan.judge.waits:
        return Measuring(plan, keep)
    if not plan.judge.quick:
        return Apart(plan, keep)
    if not plan.settings.performance.parallel_evaluation:
        return Measuring(plan, keep)
    return Alongside(plan, keep, pool, most_waiting)


class Measuring:
    """Each answer at once, before the next question is asked: for a judge that waits itself, or where nothing
    is to be done beside anything else."""

    def __init__(self, plan: Plan, keep: Keep) -> None:
        self._plan = plan
        self._keep = keep
        self._closed = asyncio.Event()

    async def add(self, task: Task, recorded: RecordedAnswer) -> None:
        self._keep(await measure(self._plan, task, recorded))

    async def run(self) -> None:
        await self._closed.wait()

    def close(self) -> None:
        """No more answers come."""
        self._closed.set()


class Apart(Measuring):
    """In a thread, for a model: one that computes for long would hold up every answer that arrives meanwhile,
    and make a system look slower than it is."""

    def __init__(self, plan: Plan, keep: Keep) -> None:
        super().__init__(plan, keep)
        self._thread = ThreadPoolExecutor(1, "pincite-judge")

    async def add(self, task: Task, recorded: RecordedAnswer) -> None:
        coroutine = measure(self._plan, task, recorded)
        loop = asyncio.get_running_loop()
        self._keep(await loop.run_in_executor(self._thread, _straight_through, coroutine))

    async def run(self) -> None:
        try:
            await super().run()
        finally:
            self._thread.shutdown(wait=False, cancel_futures=True)


class Alongside(Measuring):
    """While the system is asked on, for rules: in the pool's processes, and here as long as those are not
    ready or have more than enough to do. Here it is one answer at a time, so that none that arrives meanwhile
    has to wait for more than one."""

    def __init__(self, plan: Plan, keep: Keep, pool: Pool | None, most_waiting: int) -> None:
        super().__init__(plan, keep)
        self._pool = pool
        self._room = asyncio.Semaphore(most_waiting)
        """Whoever asks waits for it: a system that is faster than we are must not fill the memory."""
        self._waiting: deque[Answered] = deque()
        self._given = 0
        """Chunks that the pool has."""
        self._taken: deque[tuple[list[Answered], Found]] = deque()
        """Chunks that came back from it."""
        self._news = asyncio.Event()

    async def add(self, task: Task, recorded: RecordedAnswer) -> None:
        self._waiting.append((task, recorded))  # first of all: Ctrl-C must not lose what was answered
        self._news.set()
        if self._pool is not None and self._room.locked():
            self._pool.grow()  # the system is asked more slowly than it might be, because of us
        await self._room.acquire()

    async def run(self) -> None:
        while True:
            self._news.clear()
            while self._taken:
                self._take(*self._taken.popleft())
            self._hand_over()
            if self._waiting and (not self._given or len(self._waiting) >= AT_ONCE):
                self._done(await measure(self._plan, *self._waiting.popleft()))
                await asyncio.sleep(0)  # answers that have arrived meanwhile come first
            elif self._waiting or self._given or not self._closed.is_set():
                await self._news.wait()
            else:
                return

    def close(self) -> None:
        super().close()
        self._news.set()

    def _hand_over(self) -> None:
        """Give each process one chunk to work on and one to go on with."""
        pool = self._pool
        while pool is not None and self._waiting and self._given < 2 * pool.ready:
            chunk = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
            self._given += 1
            pool.submit(chunk, partial(self._tell, asyncio.get_running_loop(), chunk))

    def _tell(self, loop: asyncio.AbstractEventLoop, chunk: list[Answered], found: Found) -> None:
        """Called in a thread of the pool."""
        self._taken.append((chunk, found))
        try:
            loop.call_soon_threadsafe(self._news.set)
        except RuntimeError:
            pass  # the run is over

    def _take(self, chunk: list[Answered], found: Found) -> None:
        self._given -= 1
        if isinstance(found, PoolUnavailable):
            self._pool = None  # from now on all is measured here
            self._waiting.extendleft(reversed(chunk))
        elif isinstance(found, BaseException):
            raise found
        else:
            for result in found:
                self._done(result)

    def _done(self, result: ItemResult) -> None:
        self._keep(result)
        self._room.release()


def _straight_through(coroutine: Coroutine[Any, Any, ItemResult]) -> ItemResult:
    return doorway.run(coroutine, waits=False)
