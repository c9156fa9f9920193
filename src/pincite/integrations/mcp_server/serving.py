"""The server: its tools, and the two ways to reach it, standard input or HTTP with a token."""

from __future__ import annotations

import contextlib
import functools
import logging
import secrets
import socket
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import ToolAnnotations
from starlette.datastructures import Headers
from starlette.responses import Response

from pincite import __version__
from pincite.errors import InputError, PinciteError
from pincite.integrations.mcp_server.tools import CitationTools
from pincite.web import Guard, bind, make_server

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

PATH = "/mcp"
MOST_BYTES = 32 * 1024 * 1024
"""Of one request: the contexts of a call, with each character written in six bytes at worst."""
SHORTEST_TOKEN = 16
INSTRUCTIONS = (
    "Pincite checks citations offline. Before you send an answer that cites sources, call check_citations "
    "with your draft and the texts that you were given (contexts), or with the server's own sources. Correct "
    "each finding, then check again. locate finds a place to cite; verify_quote says whether words are "
    "really in a source; explain_finding explains a code."
)

T = TypeVar("T")


def make_mcp_server(tools: CitationTools) -> MCPServer[Any]:
    """The server with its tools; none of them changes anything or reaches beyond the sources."""
    server: MCPServer[Any] = MCPServer(
        "pincite",
        title="Pincite",
        version=__version__,
        instructions=INSTRUCTIONS,
        log_level="CRITICAL",
        subscriptions=False,
    )
    # Drafts and sources are nobody's to find in a log.
    logging.getLogger("mcp").setLevel(logging.CRITICAL)
    hints = ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    for tool, title in (
        (tools.check_citations, "Check citations"),
        (tools.locate, "Locate a quote or claim"),
        (tools.verify_quote, "Verify a quote"),
        (tools.explain_finding, "Explain a finding"),
    ):
        server.add_tool(_telling(tool), title=title, annotations=hints, structured_output=True)
    return server


def _telling(tool: Callable[..., T]) -> Callable[..., T]:
    """The tool with every failure as an error that the assistant can read."""

    @functools.wraps(tool)
    def run(**given: Any) -> T:
        try:
            return tool(**given)
        except PinciteError as error:
            raise ToolError(str(error)) from None
        except Exception as error:
            # What else went wrong may hold anything, so only its kind is told.
            raise ToolError(f"this could not be done ({type(error).__name__})") from None

    return run


def serve_stdio(tools: CitationTools) -> None:
    """Answer on standard output until standard input ends."""
    make_mcp_server(tools).run("stdio")


def serve_http(
    tools: CitationTools,
    *,
    host: str,
    port: int,
    token: str | None,
    names: Iterable[str] = (),
    announce: Callable[[str], object],
) -> None:
    """Serve until Ctrl-C. `announce` is given the address, and the token where one was made up here."""
    if token is not None and len(token) < SHORTEST_TOKEN:
        raise InputError(f"a token has at least {SHORTEST_TOKEN} characters; leave it out to have one made")
    with bind(host, port) as bound:
        port = bound.getsockname()[1]
        secret = token or secrets.token_urlsafe(32)
        guard = Guard(host, port, secret, (*names, socket.gethostname()))
        server = make_mcp_server(tools)
        app = Gate(make_app(server), guard)
        shown = f"[{host}]" if ":" in host else host

        async def run() -> None:
            async with server.session_manager.run():
                await make_server(app).serve(sockets=[bound])

        # From here on Ctrl-C is how it ends; uvicorn raises the signal again that ended it.
        with contextlib.suppress(KeyboardInterrupt):
            announce(f"serving at http://{shown}:{port}{PATH} (Ctrl-C ends it)")
            if token is None:
                announce(f"token: {secret}")
            anyio.run(run)


def make_app(server: MCPServer[Any]) -> ASGIApp:
    """The protocol over HTTP. Who may ask is for the gate in front of it to say."""
    app: ASGIApp = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=True,
        max_request_body_size=MOST_BYTES,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return app


class Gate:
    """Lets in who calls the server by its name and knows its token, and no page of another site."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._app = app
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        await (self._refused(Headers(scope=scope)) or self._app)(scope, receive, send)

    def _refused(self, headers: Headers) -> Response | None:
        guard = self._guard
        if not guard.admits_host(headers.get("host")):
            return _plain("This server is not called by that name: start it with --allow-host NAME.", 403)
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not guard.admits_token(given.strip()):
            refused = _plain("This server needs its token, as 'Authorization: Bearer TOKEN'.", 401)
            refused.headers["www-authenticate"] = "Bearer"
            return refused
        if not guard.admits_origin(headers.get("origin"), headers.get("host")):
            return _plain("A page of another site may not ask this server.", 403)
        return None


def _plain(text: str, status: int) -> Response:
    headers = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
    return Response(f"{text}\n", status, headers, "text/plain")
