"""Work that is too large to be done for everybody at once: a few at a time, and a few more that wait.

Who waits holds no thread, so that every page is served meanwhile. Who comes when no place is left, or when
all bodies together would be too large, is asked to come again later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, TypeVarTuple

from anyio import CancelScope, CapacityLimiter, create_task_group, to_thread
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

if TYPE_CHECKING:
    from starlette.requests import Request

T = TypeVar("T")
Given = TypeVarTuple("Given")

AGAIN_SECONDS = 5
"""After how long somebody without a place should come again."""


class Turns:
    """Places for work of one kind."""

    def __init__(self, at_once: int, most: int, most_bytes: int) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._at_once = at_once
        self.placed = 0
        """How many have a place, those that work among them."""
        self._bytes = 0

    # Made at their first use: they belong to the loop that they are made in.

    @cached_property
    def _turns(self) -> CapacityLimiter:
        return CapacityLimiter(self._at_once)

    @cached_property
    def _threads(self) -> CapacityLimiter:
        return CapacityLimiter(self._at_once)

    @contextmanager
    def place(self, size: int) -> Iterator[None]:
        """A place for a request with a body of this size, from before it is read until it is answered."""
        if self.placed >= self._most or self._bytes + size > self._most_bytes:
            raise HTTPException(
                503,
                "Too many are waiting. Try again in a few seconds.",
                headers={"retry-after": str(AGAIN_SECONDS)},
            )
        self.placed += 1
        self._bytes += size
        try:
            yield
        finally:
            self.placed -= 1
            self._bytes -= size

    async def run(self, request: Request, work: Callable[[*Given], T], *given: *Given) -> T:
        """Do the work in a thread when it is the request's turn, unless its client is gone by then."""
        taken = object()
        async with create_task_group() as group:
            group.start_soon(_stop_when_gone, request, group.cancel_scope)
            await self._turns.acquire_on_behalf_of(taken)
            group.cancel_scope.cancel()
        if taken not in self._turns.statistics().borrowers:
            raise ClientDisconnect
        try:
            return await to_thread.run_sync(work, *given, limiter=self._threads)
        finally:
            self._turns.release_on_behalf_of(taken)


async def _stop_when_gone(request: Request, scope: CancelScope) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    scope.cancel()
