"""The connections of a caller: one client for each event loop, open while calls are under way in it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from weakref import WeakKeyDictionary


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
        try:
            await asyncio.wait_for(self._settled.wait(), 1.0)
        except TimeoutError:
            pass


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
