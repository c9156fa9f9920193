"""Connections that keep us waiting are given up: requests that do not end, and responses that nobody reads.

uvicorn ends a connection that is idle after a response, and no other: one that never asks anything, one whose
headers or body come byte by byte. Here a request must come in at a rate that any line has. Connections beyond
a number take the place of the one that has been silent for longest: without that, a crowd of them takes every
file that this process may open, and no page is served.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE_SECONDS = 5.0
"""How long a request may take in any case; a connection with nothing to say lasts as long."""
LEAST_RATE = 16 * 1024
"""Bytes a second that a larger one must bring."""
UNREAD_SECONDS = 30.0
"""How long a response may wait for its reader to take the next piece."""
MOST_CONNECTIONS = 500


def connections_allowed() -> int:
    """How many connections may be open at once: half of what the system allows is for files."""
    if sys.platform == "win32":
        return MOST_CONNECTIONS
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else max(8, min(MOST_CONNECTIONS, soft // 2))


def allowed_seconds(received: int, patience: float = PATIENCE_SECONDS) -> float:
    """How long so much of a request may have taken."""
    return patience + received / LEAST_RATE


class PatientProtocol(H11Protocol):
    """HTTP/1.1 with an end to waiting."""

    patience = PATIENCE_SECONDS
    unread = UNREAD_SECONDS
    most = MOST_CONNECTIONS

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._began = 0.0
        self._received = 0
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()
        if len(self.connections) > self.most:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        self._forget()
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(self.unread, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        if self._unread is not None:
            self._unread.cancel()
        super().connection_lost(exc)

    def _make_room(self) -> None:
        """Close the connection that has been silent for longest, which may be this one."""
        # Those that were closed a moment ago are still listed.
        still = [one for one in self.connections if not one.transport.is_closing()]
        silent = [one for one in still if isinstance(one, PatientProtocol) and one._timer]
        if len(still) > self.most:
            min(silent, key=lambda one: one._began).transport.abort()

    def _waits(self) -> bool:
        """Whether there is more of a request to come."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def _watch(self) -> None:
        if not self._waits():
            self._forget()
        elif self._timer is None and not self.transport.is_closing():
            self._began = self.loop.time()
            self._timer = self.loop.call_later(self.patience, self._look)

    def _forget(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._received = None, 0

    def _look(self) -> None:
        if self.flow.read_paused:  # it is the application that is slow
            self._began = self.loop.time()
        left = self._began + allowed_seconds(self._received, self.patience) - self.loop.time()
        if left > 0:
            self._timer = self.loop.call_later(left, self._look)
            return
        self._timer = None
        if self._waits():
            self.transport.abort()
