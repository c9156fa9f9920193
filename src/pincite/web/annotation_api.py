"""What the page of the work asks for and sends, as JSON: nothing in it that a browser would obey or hide.

Each request names its person and its item; a change also the revision that it was made to. A stale change
is answered with 409 and the newer state, what is against the rules with 403.

Each code point of a document is shown by one code point, so that a selection has the document's offsets.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from msgspec.structs import asdict
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from pincite.annotation import (
    Conflicted,
    DocumentWindow,
    ItemKey,
    ItemState,
    ListedDocument,
    OpenItem,
    StaleChange,
    Workspace,
    read_key,
)
from pincite.errors import InputError
from pincite.reports import pick, visible
from pincite.sources import page_of
from pincite.web.site import Section, WebRoute


def api_section(work: Workspace) -> Section:
    """The addresses below `/api/annotation/`."""
    answers = _Answers(work)
    routes: list[WebRoute] = [
        WebRoute("/api/annotation/next", _answered(answers.next)),
        WebRoute("/api/annotation/item", _answered(answers.item)),
        WebRoute("/api/annotation/documents", _answered(answers.documents)),
        WebRoute("/api/annotation/window", _answered(answers.window)),
    ]
    for name, change in (("begin", answers.begin), ("change", answers.change), ("undo", answers.undo)):
        routes.append(WebRoute(f"/api/annotation/{name}", _sent(work, change), methods=("POST",)))
    return Section(tuple(routes))


class _Answers:
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


MOST_QUOTED = 300
LONGEST_TEXT = 200_000
"""Of a question, an answer or a passage."""
_BREAK = re.compile(r"\r(?=\n)|\f")
"""Half of a line break, and the end of a page, which the page shows in its own way."""
OTHER = "\u2426"


def one_for_one(text: str) -> str:
    """The text with a symbol for each character that a browser would obey or hide."""
    text = _BREAK.sub(" ", text)
    return "".join(map(_one, text)) if visible(text) != text else text


def _one(character: str) -> str:
    shown = visible(character)
    return shown if len(shown) == 1 else OTHER


def state_value(work: Workspace, item: OpenItem) -> dict[str, Any]:
    """What a page must know after each change."""
    state = item.state
    value: dict[str, Any] = {
        "key": str(item.key),
        **pick(state, "revision", "said", "done", "seconds", "can_undo", "by"),
        "quotes": quotes(work, state.said),
    }
    if item.judged is not None:
        value["judged"] = {name: visible(str(held)) for name, held in item.judged.items()}
    if item.known is not None:
        value["known"] = asdict(item.known)
        value["quotes"] |= quotes(work, item.known.said)
    if item.others is not None:
        value["others"] = item.others
        for said in item.others.values():
            value["quotes"] |= quotes(work, said)
    return value


def item_value(work: Workspace, item: OpenItem, left: int) -> dict[str, Any]:
    """An item that a page shows."""
    value = state_value(work, item) | {
        "kind": item.key.kind,
        "practice": item.key.round == "train",
        "decide": item.key.round == "decide",
        "question": visible(item.question[:LONGEST_TEXT]),
        "left": left,
    }
    if item.answer is not None:
        value["answer"] = visible(item.answer[:LONGEST_TEXT])
    if item.questions is not None:
        value["questions"] = item.questions
    if item.pair is not None:
        value["pair"] = _pair(item.pair)
    listed, more = work.documents.nearest_first(item.question or (item.pair or {}).get("claim") or "")
    return value | {"documents": [document_value(one) for one in listed], "more_documents": more}


def quotes(work: Workspace, said: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The words of each marked span, by `document:start:end`, with their page."""
    found: dict[str, dict[str, Any]] = {}
    for mark in (mark for one in said.get("sets", ()) for mark in one):
        source = work.documents.get(mark["document"])
        if source is not None:
            start, end = mark["start"], mark["end"]
            found[f"{mark['document']}:{start}:{end}"] = {
                "text": visible(source.text[start : min(end, start + MOST_QUOTED)]),
                "page": page_of(source, start),
                "title": visible(source.title or source.name),
            }
    return found


def document_value(one: ListedDocument) -> dict[str, Any]:
    return asdict(one) | {"title": visible(one.title[:200])}


def window_value(window: DocumentWindow) -> dict[str, Any]:
    """A stretch of a document in blocks of `[start, text, page that begins there]`."""
    blocks = [[one.start, one_for_one(one.text), one.page] for one in window.blocks]
    return asdict(window) | {"blocks": blocks}


def _pair(pair: dict[str, Any]) -> dict[str, Any]:
    evidence = pair.get("evidence")
    passages = evidence if isinstance(evidence, list) else [evidence] if evidence else []
    documents = pair.get("documents") or [pair.get("document")]
    return {
        "claim": visible(str(pair.get("claim") or "")[:LONGEST_TEXT]),
        "sentence": visible(str(pair.get("sentence") or "")[:LONGEST_TEXT]),
        "about": str(pair.get("question") or "support"),
        "evidence": [visible(str(one)[:LONGEST_TEXT]) for one in passages],
        "documents": [visible(str(one)) for one in documents if one],
    }
