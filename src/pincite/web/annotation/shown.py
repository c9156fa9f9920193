"""Items and documents as a page gets them: plain values, with nothing that a browser would obey or hide.

Each code point of a document is shown by one code point, so that a selection has the document's offsets.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import asdict

from pincite.annotation import DocumentWindow, ListedDocument, OpenItem, Workspace
from pincite.reports import pick, visible
from pincite.sources import page_of

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
