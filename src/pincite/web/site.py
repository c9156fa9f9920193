"""The parts of a site: sections, each a table of routes with a place in the navigation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from pincite.reports.html.page import FOLDER
from pincite.web.static_files import StaticFiles

HERE = Path(__file__).parent
MOST_BYTES = 1024 * 1024
"""Of a request's body, where a route does not say otherwise."""

Endpoint = Callable[[Request], Response | Awaitable[Response]]


class WebRoute(Struct, frozen=True):
    """An address of the site. A function that is not `async` runs in a thread.

    A request that would change something is checked before `endpoint` sees it: see `security.is_forged`.
    """

    path: str
    endpoint: Endpoint
    methods: tuple[str, ...] = ("GET",)
    most_bytes: int = MOST_BYTES


class Section(Struct, frozen=True):
    """A part of the site, with its place in the navigation; without a title it has none."""

    routes: tuple[WebRoute, ...]
    title: str = ""
    address: str = ""


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
