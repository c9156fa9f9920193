"""The parts of a site: sections of routes, static files, and turns for work too large for all at once."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, TypeVarTuple

from anyio import CancelScope, CapacityLimiter, create_task_group, to_thread
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from pincite.reports import FOLDER

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


HERE = Path(__file__).parent
MOST_BYTES = 1024 * 1024
"""Of a request's body, where a route does not say otherwise."""
_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

Endpoint = Callable[[Request], Response | Awaitable[Response]]


class WebRoute(Struct, frozen=True):
    """An address of the site. A function that is not `async` runs in a thread.

    A request that would change something is checked before `endpoint` sees it: see `security.is_forged`.
    """

    path: str
    endpoint: Endpoint
    methods: tuple[str, ...] = ("GET",)
    most_bytes: int = MOST_BYTES
    turns: Turns | None = None
    """Whose places its requests take; a function that is not `async` also waits for its turn."""


class Section(Struct, frozen=True):
    """A part of the site, with its place in the navigation; without a title it has none."""

    routes: tuple[WebRoute, ...]
    title: str = ""
    address: str = ""


class StaticFiles:
    """Scripts and styles by name, read once. Nothing in a request reaches the file system.

    Their address changes with what is in them, so that a browser keeps them.
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        self._files: dict[str, tuple[bytes, str]] = {}
        for folder in folders:
            for path in sorted(folder.rglob("*")):
                if path.suffix in _TYPES:
                    name = path.relative_to(folder).as_posix()
                    self._files[name] = (path.read_bytes(), _TYPES[path.suffix])
        # One hash for all: a module may import another by its relative name.
        digest = hashlib.sha256()
        for name, (content, _) in sorted(self._files.items()):
            digest.update(f"{name} {len(content)} ".encode() + content)
        self._version = digest.hexdigest()[:16]

    def address(self, name: str) -> str:
        """Where a file is served."""
        if name not in self._files:
            raise KeyError(f"there is no static file {name!r}")
        return f"/static/{self._version}/{name}"

    def respond(self, request: Request) -> Response:
        found = self._files.get(request.path_params["name"])
        if found is None or request.path_params["version"] != self._version:
            raise HTTPException(404)
        content, media_type = found
        return Response(
            content, media_type=media_type, headers={"cache-control": "public, max-age=31536000, immutable"}
        )


class Site:
    """What every page needs to know."""

    def __init__(self, sections: Sequence[Section], tell: Callable[[str], None]) -> None:
        self.sections = sections
        self.tell = tell
        """Says something to whoever started the server."""
        self.static = StaticFiles((FOLDER / "static", HERE / "static"))


def site_of(request: Request) -> Site:
    """What the request is served from."""
    site: Site = request.app.state.site
    return site
