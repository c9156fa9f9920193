"""What the page of the work asks for and sends, as JSON.

Each request names its person and its item; a change also the revision that it was made to. A stale change
is answered with 409 and the newer state, what is against the rules with 403.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from pincite.annotation import Conflicted, ItemKey, ItemState, StaleChange, Workspace, read_key
from pincite.errors import InputError
from pincite.web.annotation.shown import document_value, item_value, state_value, window_value
from pincite.web.site import Section, WebRoute


def api_section(work: Workspace) -> Section:
    """The addresses below `/api/annotation/`."""
    asking = _Asking(work)
    routes: list[WebRoute] = [
        WebRoute("/api/annotation/next", _answered(asking.next)),
        WebRoute("/api/annotation/item", _answered(asking.item)),
        WebRoute("/api/annotation/documents", _answered(asking.documents)),
        WebRoute("/api/annotation/window", _answered(asking.window)),
    ]
    for name, change in (("begin", asking.begin), ("change", asking.change), ("undo", asking.undo)):
        routes.append(WebRoute(f"/api/annotation/{name}", _sent(work, change), methods=("POST",)))
    return Section(tuple(routes))


class _Asking:
    """The answers, each a plain value."""

    def __init__(self, work: Workspace) -> None:
        self._work = work

    def next(self, asked: Request) -> dict[str, Any]:
        """The next item of a person that is not one of `leave`, or what there is when all is done."""
        person, leave = asked.query_params.get("as", ""), set(asked.query_params.getlist("leave"))
        every = self._work.remaining(person)
        left = [one for one in every if str(one) not in leave]
        if not left:
            return {"key": None, "left": len(every)}
        key = left[0]
        return item_value(self._work, self._work.open(person, key), len(left))

    def item(self, asked: Request) -> dict[str, Any]:
        person, key = asked.query_params.get("as", ""), read_key(asked.query_params.get("item", ""))
        left = len(self._work.remaining(person))
        return item_value(self._work, self._work.open(person, key), left)

    def documents(self, asked: Request) -> dict[str, Any]:
        listed, more = self._work.documents.listed(asked.query_params.get("words", "")[:1000])
        return {"documents": [document_value(one) for one in listed], "more": more}

    def window(self, asked: Request) -> dict[str, Any]:
        start = asked.query_params.get("start", "0")
        number = int(start) if start.isascii() and start.isdecimal() and len(start) < 16 else -1
        found = self._work.documents.window(asked.query_params.get("document", ""), number)
        if found is None:
            raise InputError("there is no such place in the documents")
        return window_value(found)

    def begin(self, person: str, key: ItemKey, given: dict[str, Any]) -> ItemState:
        return self._work.begin(person, key, _window(given))

    def change(self, person: str, key: ItemKey, given: dict[str, Any]) -> ItemState:
        seconds = given.get("seconds")
        return self._work.change(
            person,
            key,
            _revision(given),
            given.get("said"),
            given.get("done") is True,
            float(seconds) if isinstance(seconds, int | float) and abs(seconds) < 1e9 else 0.0,
            _window(given),
        )

    def undo(self, person: str, key: ItemKey, given: dict[str, Any]) -> ItemState:
        return self._work.undo(person, key, _revision(given))


def _window(given: dict[str, Any]) -> str:
    """The window that sent a change, by which it knows its own again."""
    by = given.get("by")
    return by if isinstance(by, str) and by.isascii() and len(by) <= 40 else ""


def _revision(given: dict[str, Any]) -> int:
    revision = given.get("revision")
    if not isinstance(revision, int) or isinstance(revision, bool):
        raise InputError("a change needs the revision that it was made to")
    return revision


def _answered(answer: Callable[[Request], dict[str, Any]]) -> Callable[[Request], Response]:
    def respond(request: Request) -> Response:
        try:
            return _json(answer(request))
        except Conflicted as error:
            return _json({"error": str(error)}, 403)

    return respond


def _sent(work: Workspace, change: Callable[[str, ItemKey, dict[str, Any]], ItemState]) -> Any:
    """An address that changes something: the body is a JSON object."""

    async def respond(request: Request) -> Response:
        return await run_in_threadpool(_change, await request.body())

    def _change(body: bytes) -> Response:
        try:
            given = json.loads(body)
        except (ValueError, RecursionError):
            raise InputError("a change is a JSON object") from None
        if not isinstance(given, dict) or not all(
            isinstance(given.get(name), str) for name in ("as", "item")
        ):
            raise InputError("a change is a JSON object that says who makes it, as `as`, and of which `item`")
        person, key = given["as"], read_key(given["item"])
        status, more = 200, {}
        try:
            change(person, key, given)
        except StaleChange as stale:
            status, more = 409, {"error": str(stale)}
        except Conflicted as error:
            return _json({"error": str(error)}, 403)
        return _json(state_value(work, work.open(person, key)) | more, status)

    return respond


def _json(value: dict[str, Any], status: int = 200) -> Response:
    # ASCII: half a character in the name of a document has a form as an escape only.
    return Response(json.dumps(value), status, media_type="application/json")
