"""A server for the site: its socket, its token, and its end."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import re
import secrets
import socket
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import uvicorn

from pincite.errors import InputError
from pincite.web.app import create_app
from pincite.web.connections import PatientProtocol, connections_allowed
from pincite.web.security import Guard, is_loopback
from pincite.web.site import Section

if TYPE_CHECKING:
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
        # From here on Ctrl-C is how it ends; uvicorn raises the signal again that ended it.
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


def make_server(app: ASGIApp) -> uvicorn.Server:
    """A quiet server: no log has an address in it, which may hold a token."""
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    PatientProtocol.most = connections_allowed()
    return uvicorn.Server(
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
