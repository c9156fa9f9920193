"""How fast requests may follow each other, and how long to wait before one is sent again."""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any
from weakref import WeakKeyDictionary

FIRST_PAUSE = 0.5
"""Seconds before the first retry; each further pause is twice as long."""
LONGEST_PAUSE = 20.0
LONGEST_WAIT = 60.0
"""An endpoint that asks for more patience than this is not waited for."""


def backoff(attempt: int) -> float:
    """Seconds before retry `attempt`, counted from 0: doubled each time, and shaken so that callers part."""
    whole = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(attempt, 30))
    return whole * (0.5 + random.random() / 2)  # noqa: S311


class RateLimiter:
    """Keeps requests apart: so many begun in any minute, and none while the endpoint asked to wait."""

    def __init__(self, per_minute: int | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._begun: deque[float] = deque()
        self._not_before = -math.inf

    def hold(self, seconds: float) -> None:
        """Let no request begin for so long."""
        self._not_before = max(self._not_before, self._clock() + seconds)

    def held(self) -> float:
        """Seconds until a request may begin after `hold`."""
        return max(0.0, self._not_before - self._clock())

    def take_turn(self) -> float:
        """Seconds to wait before the next request, whose beginning is noted."""
        now = self._clock()
        begin = max(now, self._not_before)
        if self._per_minute is not None:
            if len(self._begun) >= self._per_minute:
                begin = max(begin, self._begun.popleft() + 60.0)
            self._begun.append(begin)
        return begin - now


class Session:
    """What may not outlive an event loop: the SDK's client and what tasks wait at."""

    def __init__(self, client: Any, max_in_flight: int) -> None:
        self.client = client
        self.turns = asyncio.Semaphore(max_in_flight)
        self.users = 0
        self._settled = asyncio.Event()

    def settle(self) -> None:
        """Wake those who wait for a request to end."""
        self._settled.set()
        self._settled = asyncio.Event()

    async def someone_settles(self) -> None:
        """Wait for a request to end, and not for ever."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._settled.wait(), 1.0)


class Sessions:
    """Gives out the session of the running loop, and closes it when its last call is done.

    Synchronous code may start a loop for every answer, so nothing that belongs to a loop is kept beyond the
    calls in it; calls at the same time share their connections.
    """

    def __init__(self, make_client: Callable[[], Any], max_in_flight: int) -> None:
        self._make_client = make_client
        self._max_in_flight = max_in_flight
        self._open: WeakKeyDictionary[asyncio.AbstractEventLoop, Session] = WeakKeyDictionary()

    @asynccontextmanager
    async def use(self) -> AsyncIterator[Session]:
        loop = asyncio.get_running_loop()
        session = self._open.get(loop)
        if session is None:
            session = self._open[loop] = Session(self._make_client(), self._max_in_flight)
        session.users += 1
        try:
            yield session
        finally:
            session.users -= 1
            if not session.users:
                self._open.pop(loop, None)
                await session.client.close()
