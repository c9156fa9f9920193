"""A server for the site: its socket, its token, its connections, and its end.

uvicorn ends a connection that is idle after a response, and no other: one that never asks anything, one whose
headers or body come byte by byte. Here a request must come in at a rate that any line has. Connections beyond
a number take the place of the one that has been silent for longest: without that, a crowd of them takes every
file that this process may open, and no page is served.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import re
import secrets
import signal
import socket
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from pincite.errors import InputError
from pincite.web.app import create_app
from pincite.web.security import Guard, is_loopback
from pincite.web.site import Section

if TYPE_CHECKING:
    from types import FrameType

    from starlette.types import ASGIApp


GRACE_SECONDS = 0.3
"""How long requests under way may take after Ctrl-C; a stream of progress would never end by itself."""
TOKEN = "PINCITE_WEB_TOKEN"  # noqa: S105 - the name of a variable
SHORTEST_TOKEN = 16
_TOKEN_FORM = re.compile(rf"[A-Za-z0-9_-]{{{SHORTEST_TOKEN},200}}")


def serve_site(
    sections: Iterable[Section],
    *,
    host: str,
    port: int,
    names: Iterable[str] = (),
    with_token: bool = True,
    announce: Callable[[str], object],
    tell: Callable[[str], None] | None = None,
    open_browser: bool = False,
    path: str = "/",
) -> None:
    """Serve until Ctrl-C.

    `announce` is given the address, once, with the token; `tell`, what goes wrong later.
    """
    token = _token(host, with_token)
    with bind(host, port) as bound:
        port = bound.getsockname()[1]
        own = () if is_loopback(host) else (socket.gethostname(), socket.getfqdn())
        guard = Guard(host, port, token, (*names, *own))
        app = create_app(sections, guard, tell)
        address = f"http://{_reachable(host)}:{port}{path}"
        # From here on Ctrl-C is how it ends.
        with contextlib.suppress(KeyboardInterrupt):
            announce(f"serving at {_with_token(address, token)} (Ctrl-C ends it)")
            if open_browser:
                import webbrowser

                webbrowser.open(_with_token(address, token and guard.single_token()))
            make_server(app).run(sockets=[bound])


def _token(host: str, wanted: bool) -> str | None:
    """The token of the environment, which stays when a server is started again, or a new one."""
    if not wanted and not is_loopback(host):
        raise InputError("--no-token serves this machine only: leave out either it or --host")
    if not wanted:
        return None
    given = os.environ.get(TOKEN)
    if given and not _TOKEN_FORM.fullmatch(given):
        raise InputError(
            f"{TOKEN} has at least {SHORTEST_TOKEN} letters, digits, dashes and underscores; "
            "leave it out to have one made"
        )
    return given or secrets.token_urlsafe(32)


def _with_token(address: str, token: str | None) -> str:
    return f"{address}?token={token}" if token else address


class _Server(uvicorn.Server):
    """Ends when it is told to. uvicorn would raise the signal once more then, like a second Ctrl-C."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def make_server(app: ASGIApp) -> uvicorn.Server:
    """A quiet server: no log has an address in it, which may hold a token."""
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    PatientProtocol.most = connections_allowed()
    return _Server(
        uvicorn.Config(
            app,
            http=PatientProtocol,
            # As many are accepted before the first of them can be looked at.
            backlog=max(4, min(128, PatientProtocol.most // 8)),
            log_config=None,
            log_level="critical",
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=GRACE_SECONDS,  # type: ignore[arg-type]  # it is only waited for
        )
    )


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens there; why there is none is an `InputError`."""
    if not 0 <= port <= 65_535:
        raise InputError(f"--port is a number from 0 to 65535, not {port}")
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=128)
    except (socket.gaierror, UnicodeError):
        raise InputError(f"there is no address {host!r:.100} on this machine") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise InputError(
                f"port {port} of {host} is in use: end the program that uses it, or give another --port "
                "(0 takes any that is free)"
            ) from None
        raise InputError(f"cannot listen at {host} port {port}: {error.strerror or error}") from None


def _reachable(host: str) -> str:
    """The address that a browser on this machine can open."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - not bound, only shown
    return f"[{host}]" if ":" in host else host


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
