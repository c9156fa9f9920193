"""Who may ask, and what a browser may do with the answer.

- A request must name this server: a foreign name that was made to point here (DNS rebinding) is refused.
- A token is demanded, since every user of this machine can reach its ports. It is exchanged for a cookie that
  no script and no other site can use, and leaves the address at once.
- A page of another site, or of another server on this machine, may not ask anything.
- Whatever changes something carries a token against forged requests, in the form or in a header.
- A page may load its own scripts and styles, and nothing else.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pincite.web.pages import error_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

CSRF_FIELD = "csrf"
CSRF_HEADER = "x-csrf-token"
CSRF = "pincite.csrf"
"""Where a request has the token that its changes must carry."""
WITHOUT_COOKIE = "pincite.without_cookie"
"""Whether a request came with the token in a header, which no other site can send."""
_SAFE = ("GET", "HEAD", "OPTIONS")
_TOKEN = "token"  # noqa: S105 - the name of a parameter
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::[0-9]{1,5})?")
_SESSION = re.compile(r"[A-Za-z0-9_-]{43}")
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not `no-referrer`: forms would then be sent with the origin `null`, as those of a foreign page may be.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine only."""
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """What a server lets in: the names it is called by, its token, and the keys of forms.

    Only a server for this machine may go without a token.
    """

    def __init__(
        self, host: str = "127.0.0.1", port: int = 0, token: str | None = None, names: Iterable[str] = ()
    ) -> None:
        self.token = token
        self._local = is_loopback(host)
        if not self._local and token is None:
            raise ValueError("an address beyond this machine needs a token")
        self._given = {name.lower().rstrip(".") for name in names}
        self._names = {"localhost", host.lower(), *self._given}
        self._secret = secrets.token_bytes(32)
        self._single: set[str] = set()
        self.pass_key = hmac.new((token or "").encode(), b"pincite cookie", "sha256").hexdigest()
        """What the cookie of somebody who was let in holds: the token itself is kept by no browser."""
        # Cookies do not tell ports apart, and two servers must not take each other's.
        self.session_cookie = f"pincite_session_{port}"
        self.token_cookie = f"pincite_token_{port}"

    def admits_host(self, header: str | None) -> bool:
        """Whether a Host header names this server. A number cannot be pointed elsewhere, a name can."""
        found = _HOST.fullmatch(header or "")
        if found is None:
            return False
        name = found[1].strip("[]").lower().rstrip(".")
        if name in self._names:
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or not self._local

    def admits_origin(self, origin: str | None, host: str | None) -> bool:
        """Whether a page that asks is one of this server, called `host`; a program has no origin.

        Another port is another server. Behind a proxy the server may be called otherwise than its pages.
        """
        if origin is None:
            return True
        scheme, _, place = origin.lower().partition("://")
        found = _HOST.fullmatch(place)
        if scheme not in ("http", "https") or found is None:
            return False
        usual = ":443" if scheme == "https" else ":80"
        if place.removesuffix(usual) == (host or "").lower().removesuffix(usual):
            return True
        return found[1].rstrip(".") in self._given

    def admits_token(self, given: str | None) -> bool:
        """In constant time, so that a token cannot be guessed letter by letter."""
        return self.token is None or _same(given, self.token)

    def admits_pass(self, cookie: str | None) -> bool:
        """Whether a cookie is that of somebody who had the token."""
        return self.token is None or _same(cookie, self.pass_key)

    def single_token(self) -> str:
        """A token that lets in once: other users can read the arguments of a browser that is started."""
        made = secrets.token_urlsafe(32)
        self._single.add(made)
        return made

    def takes_token(self, given: str) -> bool:
        """Whether a token of an address lets in; one for a single use is used up by this."""
        if given in self._single:
            self._single.discard(given)
            return True
        return self.admits_token(given)

    def csrf(self, session: str) -> str:
        """What forms of this session must carry."""
        return hmac.new(self._secret, session.encode(), "sha256").hexdigest()


def _same(given: str | None, wanted: str) -> bool:
    return hmac.compare_digest((given or "").encode("utf-8", "replace"), wanted.encode())


def is_safe(method: str) -> bool:
    """Whether a request of this method changes nothing."""
    return method in _SAFE


async def is_forged(request: Request, most_bytes: int) -> bool:
    """Whether a request that changes something did not come from one of our pages, nor from a program."""
    if request.scope.get(WITHOUT_COOKIE):
        return False
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    given = request.headers.get(CSRF_HEADER)
    if given is None:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind in ("application/x-www-form-urlencoded", "multipart/form-data"):
            field = (await request.form(max_part_size=most_bytes)).get(CSRF_FIELD)
            given = field if isinstance(field, str) else None
    return not hmac.compare_digest((given or "").encode(), request.scope[CSRF].encode())


class GuardedApp:
    """The outermost layer: checks each request, and writes the headers of each response."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._app = app
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # no page opens a socket, and there is nothing to start or end
            return
        guard, request = self._guard, Request(scope)
        cookies = _cookies(request.headers)
        session = cookies.get(guard.session_cookie, "")
        new = [] if _SESSION.fullmatch(session) else [secrets.token_urlsafe(32)]
        scope[CSRF] = guard.csrf(new[0] if new else session)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
                if new:
                    headers.append("set-cookie", _cookie(guard.session_cookie, new[0]))
            await send(message)

        await (self._refused(request, cookies) or self._app)(scope, receive, send_guarded)

    def _refused(self, request: Request, cookies: dict[str, str]) -> Response | None:
        guard = self._guard
        if not guard.admits_host(request.headers.get("host")):
            return Response(
                "This server is not called by that name. Use the address that it printed, or start it with "
                "--allow-host NAME.\n",
                403,
                media_type="text/plain",
            )
        if not self._admits_origin(request.headers):
            return Response("A page of another site may not ask this server.\n", 403, media_type="text/plain")
        in_address = [value for name, value in _query(request) if name == _TOKEN]
        has_pass = guard.admits_pass(cookies.get(guard.token_cookie))
        kind, _, bearer = request.headers.get("authorization", "").partition(" ")
        if guard.token is not None and kind.lower() == "bearer" and guard.admits_token(bearer.strip()):
            request.scope[WITHOUT_COOKIE] = has_pass = True
        if has_pass:
            return _without_token(request) if in_address and is_safe(request.method) else None
        if is_safe(request.method) and any(guard.takes_token(one) for one in in_address):
            answer = _without_token(request)
            answer.headers.append("set-cookie", _cookie(guard.token_cookie, guard.pass_key))
            return answer
        return error_response(
            request, 401, "This server needs its token. Open the address that it printed, with ?token= in it."
        )

    def _admits_origin(self, headers: Headers) -> bool:
        origin = headers.get("origin")
        if origin == "null":  # a browser that keeps it to itself may still say where a request is from
            return headers.get("sec-fetch-site") == "same-origin"
        return self._guard.admits_origin(origin, headers.get("host"))


def _query(request: Request) -> list[tuple[str, str]]:
    return parse_qsl(request.url.query, keep_blank_values=True)


def _without_token(request: Request) -> Response:
    """To the address without the token, which should stay in no history, no page and no shared link."""
    rest = [(name, value) for name, value in _query(request) if name != _TOKEN]
    path = "/" + quote(request.url.path.lstrip("/\\"))
    answer = RedirectResponse(f"{path}?{urlencode(rest)}" if rest else path, 303)
    answer.headers["referrer-policy"] = "no-referrer"
    return answer


def _cookies(headers: Headers) -> dict[str, str]:
    try:
        return {name: one.value for name, one in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def _cookie(name: str, value: str) -> str:
    return f"{name}={value}; Path=/; HttpOnly; SameSite=Strict"
