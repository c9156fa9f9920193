"""Threads that a function under test runs in, used again: what it keeps by thread, it makes but once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TypeVar

T = TypeVar("T")
Job = Callable[[], None]


class Threads:
    """As many threads as there are calls at once. One that does not come back is left behind."""

    def __init__(self) -> None:
        self._idle: list[SimpleQueue[Job | None]] = []
        self._closed = False

    async def run(self, work: Callable[[], T], failure: Callable[[BaseException], Exception]) -> T:
        """The result of `work`; what it raises, also `SystemExit`, comes back as `failure` makes it."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[T] = loop.create_future()

        def tell(result: T | None, error: BaseException | None) -> None:
            if waiting.done():
                return  # nobody waits any longer
            if error is not None:
                waiting.set_exception(failure(error))
            else:
                waiting.set_result(result)  # type: ignore[arg-type]

        def job() -> None:
            result, error = None, None
            try:
                result = work()
            except BaseException as raised:
                error = raised
            try:
                loop.call_soon_threadsafe(tell, result, error)
            except RuntimeError:
                pass  # the run is over

        (self._idle.pop() if self._idle else self._begin()).put(job)
        return await waiting

    def close(self) -> None:
        self._closed = True
        while self._idle:
            self._idle.pop().put(None)

    def _begin(self) -> SimpleQueue[Job | None]:
        self._closed = False
        jobs: SimpleQueue[Job | None] = SimpleQueue()
        threading.Thread(target=self._serve, args=(jobs,), name="pincite-target", daemon=True).start()
        return jobs

    def _serve(self, jobs: SimpleQueue[Job | None]) -> None:
        while (job := jobs.get()) is not None:
            job()
            del job  # with all that it holds
            if self._closed:
                return
            self._idle.append(jobs)
