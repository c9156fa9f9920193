"""The site as an application: every route behind the same checks."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pincite.errors import InputError, PinciteError, StoreError, TooLargeError
from pincite.web.pages import csrf_of, error_response
from pincite.web.security import Guard, GuardedApp, is_forged, is_safe
from pincite.web.site import Section, Site, WebRoute, site_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


_STATUSES = {TooLargeError: 413, InputError: 400, StoreError: 503, PinciteError: 500}
"""Those that are kinds of others come first."""


def create_app(
    sections: Iterable[Section], guard: Guard | None = None, tell: Callable[[str], None] | None = None
) -> ASGIApp:
    """The site as an ASGI application; without a guard it serves this machine only."""
    site = Site(tuple(sections), tell or _tell)
    own = (WebRoute("/static/{version}/{name:path}", site.static.respond), WebRoute("/api/session", _session))
    routes = [
        Route(route.path, GuardedRoute(route, site), methods=list(route.methods))
        for route in (*own, *(route for section in site.sections for route in section.routes))
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: explained})
    app.router.redirect_slashes = False
    app.state.site = site
    return GuardedApp(app, guard or Guard())


async def _session(request: Request) -> Response:
    """For a program: the token that a change must carry in `X-CSRF-Token`, beside the cookie."""
    return JSONResponse({"csrf": csrf_of(request)})


def explained(request: Request, error: Exception) -> Response:
    """What went wrong, in words; of a defect only that there is one."""
    if isinstance(error, HTTPException):
        usual = HTTPStatus(error.status_code).phrase
        said = "" if error.detail == usual else error.detail
        return error_response(request, error.status_code, said, error.headers)
    for kind_of_error, status in _STATUSES.items():
        if isinstance(error, kind_of_error):
            return error_response(request, status, str(error))
    where, kind = f"{request.method} {request.url.path[:200]!r}", type(error).__name__
    site_of(request).tell(f"{where}: this is a bug in Pincite, please report it: {kind}: {error!s:.300}")
    return error_response(request, 500, "The server could not make this page. Its terminal says why.")


class GuardedRoute:
    """One route: the size of the body, forged requests, and errors are seen to here, for all of them."""

    def __init__(self, route: WebRoute, site: Site) -> None:
        self._route = route
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, _limited(receive, self._route.most_bytes), send)
        try:
            response = await self._respond(request)
        except ClientDisconnect:
            return
        except Exception as error:
            response = explained(request, error)
        finally:
            await request.close()
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        route = self._route
        declared = request.headers.get("content-length", "0")
        if not declared.isdecimal() or int(declared[:20]) > route.most_bytes:
            raise too_large(route.most_bytes)
        if route.turns is None:
            return await self._answered(request)
        chunked = "transfer-encoding" in request.headers
        with route.turns.place(route.most_bytes if chunked else int(declared)):
            return await self._answered(request)

    async def _answered(self, request: Request) -> Response:
        if not is_safe(request.method) and await is_forged(request, self._route.most_bytes):
            raise HTTPException(
                403, "The form is too old, or did not come from this site. Reload the page and try again."
            )
        if inspect.iscoroutinefunction(self._route.endpoint):
            made: Response = await self._route.endpoint(request)
            return made
        if self._route.turns is not None:
            return await self._route.turns.run(request, self._route.endpoint, request)  # type: ignore[arg-type]
        return await run_in_threadpool(self._route.endpoint, request)  # type: ignore[arg-type]


def too_large(most_bytes: int) -> HTTPException:
    return HTTPException(413, f"At most {most_bytes / 1024 / 1024:g} MB can be sent here.")


def _limited(receive: Receive, most_bytes: int) -> Receive:
    """A body that does not say how long it is must end in time, too."""
    seen = 0

    async def receive_some() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most_bytes:
            raise too_large(most_bytes)
        return message

    return receive_some


def _tell(said: str) -> None:
    from pincite.reports import safe

    print(safe(said), file=sys.stderr)
