"""Tasks that come one by one while something else is waited for: done at once, in a thread, or alongside.

Each way has `add`, which takes a task and returns when the next may be fetched, and `run`, which works until
`close` was called and nothing waits any more.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, Generic, TypeVar

from pincite.base import run_sync
from pincite.engine.engine import EngineUnavailable, SubmittingEngine

AT_ONCE = 8
"""Tasks that a worker gets together, where that many wait: so few that none waits long for the others."""

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")
CarryOut = Callable[[Task], Coroutine[Any, Any, Outcome]]


class Inline(Generic[Task, Outcome]):
    """Each task at once, before the next is fetched: for one that waits itself."""

    def __init__(self, carry_out: CarryOut[Task, Outcome], keep: Callable[[Outcome], None]) -> None:
        self._carry_out = carry_out
        self._keep = keep
        self._closed = asyncio.Event()

    async def add(self, task: Task) -> None:
        self._keep(await self._carry_out(task))

    async def run(self) -> None:
        await self._closed.wait()

    def close(self) -> None:
        """No more tasks come."""
        self._closed.set()


class InThread(Inline[Task, Outcome]):
    """In a thread, for a task that computes for long: here it would hold up all that arrives meanwhile."""

    def __init__(self, carry_out: CarryOut[Task, Outcome], keep: Callable[[Outcome], None]) -> None:
        super().__init__(carry_out, keep)
        self._thread = ThreadPoolExecutor(1, "pincite-judge")

    async def add(self, task: Task) -> None:
        loop = asyncio.get_running_loop()
        straight = partial(run_sync, waits=False)
        self._keep(await loop.run_in_executor(self._thread, straight, self._carry_out(task)))

    async def run(self) -> None:
        try:
            await super().run()
        finally:
            self._thread.shutdown(wait=False, cancel_futures=True)


class Alongside(Inline[Task, Outcome]):
    """By the workers of an engine, and here as long as those are not ready or have more than enough to do.

    Here it is one task at a time, so that nothing that arrives meanwhile waits for more than one.
    """

    def __init__(
        self,
        carry_out: CarryOut[Task, Outcome],
        keep: Callable[[Outcome], None],
        engine: SubmittingEngine | None,
        most_waiting: int,
    ) -> None:
        super().__init__(carry_out, keep)
        self._engine = engine
        self._room = asyncio.Semaphore(most_waiting)
        """`add` waits for it: tasks that come faster than they are done must not fill the memory."""
        self._waiting: deque[Task] = deque()
        self._given = 0
        """Chunks that the engine has."""
        self._taken: deque[tuple[list[Task], Future[list[Outcome]]]] = deque()
        """Chunks that came back from it."""
        self._news = asyncio.Event()

    async def add(self, task: Task) -> None:
        self._waiting.append(task)  # first of all: Ctrl-C must not lose it
        self._news.set()
        if self._engine is not None and self._room.locked():
            self._engine.grow()  # tasks are fetched more slowly than they might be, because of us
        await self._room.acquire()

    async def run(self) -> None:
        while True:
            self._news.clear()
            while self._taken:
                self._take(*self._taken.popleft())
            self._hand_over()
            if self._waiting and (not self._given or len(self._waiting) >= AT_ONCE):
                self._done(await self._carry_out(self._waiting.popleft()))
                await asyncio.sleep(0)  # what has arrived meanwhile comes first
            elif self._waiting or self._given or not self._closed.is_set():
                await self._news.wait()
            else:
                return

    def close(self) -> None:
        super().close()
        self._news.set()

    def _hand_over(self) -> None:
        """Give each worker one chunk to work on and one to continue with."""
        engine = self._engine
        while engine is not None and self._waiting and self._given < 2 * engine.ready:
            chunk = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
            self._given += 1
            tell = partial(self._tell, asyncio.get_running_loop(), chunk)
            engine.submit(chunk).add_done_callback(tell)

    def _tell(
        self, loop: asyncio.AbstractEventLoop, chunk: list[Task], future: Future[list[Outcome]]
    ) -> None:
        """Called in a thread of the engine."""
        self._taken.append((chunk, future))
        with suppress(RuntimeError):  # the run is over
            loop.call_soon_threadsafe(self._news.set)

    def _take(self, chunk: list[Task], future: Future[list[Outcome]]) -> None:
        self._given -= 1
        try:
            for outcome in future.result():
                self._done(outcome)
        except EngineUnavailable:
            self._engine = None  # from now on all is done here
            self._waiting.extendleft(reversed(chunk))

    def _done(self, outcome: Outcome) -> None:
        self._keep(outcome)
        self._room.release()
