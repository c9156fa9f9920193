"""OpenAI Chat Completions: `annotations` of the first choice's message, and Azure's `context.citations`.

The offsets of a `url_citation` are declared as code points, as in the Responses API. Azure OpenAI On Your
Data writes markers `[doc1]` into the text instead, which count from 1 in the list of `context.citations`.

Mistral, Perplexity and many others stream chunks of the same shape: putting them together is here, too.
"""

from __future__ import annotations

import re
from typing import Any

from pincite.citations.providers.entries import Collector, PayloadEntry, document_target, web_target
from pincite.citations.providers.offsets import Unit
from pincite.citations.providers.openai_responses import check_links, read_url_citation
from pincite.citations.providers.payload import Node
from pincite.records import Span, Target

UNIT: Unit = "code_point"

_DOC_MARKER = re.compile(r"\[doc(\d{1,9})\]")


def looks_like(data: Any) -> bool:
    """Whether a payload is a chat completion that is neither Mistral's nor Perplexity's."""
    if not is_chat(data):
        return False
    events = [event for event in (data if isinstance(data, list) else [data]) if isinstance(event, dict)]
    return not any(
        "citations" in event
        or "search_results" in event
        or isinstance(first_choice(event).get("content"), list)
        or isinstance(event.get("data"), dict)
        for event in events
    )


def read(root: Node, collector: Collector, request: Node | None) -> None:
    """A chat completion, or the list of chunks that streamed it."""
    if isinstance(root.value, list):
        root = assemble(root)
    choices = root.need("choices").items()
    if choices:
        message = choices[0].need("message")
        text = message.string("content") or ""
        span = collector.add_text(text)
        entries = [_read_annotation(node, text) for node in message.objects("annotations")]
        collector.cite(span, check_links(text, [entry for entry in entries if entry is not None]))
        context = message.get("context")
        if context is not None:
            _read_context(context, text, span, collector)


def _read_annotation(node: Node, text: str) -> PayloadEntry | None:
    kind = node.string("type") or ""
    if kind != "url_citation":
        return PayloadEntry(node=node, start=0, end=len(text), problem=f"unknown citation type {kind[:60]!r}")
    return read_url_citation(node, node.get("url_citation") or node)


def _read_context(context: Node, text: str, span: Span, collector: Collector) -> None:
    """Azure's markers and the list they count in. A marker beyond the list is kept, with its problem."""
    documents = context.objects("citations")
    for document in documents:
        name, title, url = _name_of(document), document.string("title"), document.string("url")
        collector.sources.add(name, document.string("content"), title, url)
    entries = []
    for match in _DOC_MARKER.finditer(text):
        number = int(match[1])
        document = documents[number - 1] if 0 < number <= len(documents) else Node({}, context.pointer)
        name, title, url = _name_of(document), document.string("title"), document.string("url")
        targets: tuple[Target, ...] = (document_target(name),) if name else ()
        if not targets and url:
            targets = (web_target(url, title),)
        problem = None
        if not document.value:
            document = Node(None, context.pointer)
            problem = f"{match[0]} is not in the list of {len(documents)} citations"
        entries.append(
            PayloadEntry(document, targets, *match.span(), document_title=title, problem=problem, marker=True)
        )
    collector.cite(span, entries)


def _name_of(document: Node) -> str | None:
    return document.string("filepath") or document.string("title")


# --- the stream, as others send it too ---


def first_choice(data: Any) -> dict[str, Any]:
    """The message, or the delta, of the first choice; an empty dict when there is none."""
    if not isinstance(data, dict):
        return {}
    inner = data.get("data")
    if "choices" not in data and isinstance(inner, dict):
        data = inner
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return {}
    message = choices[0].get("message") or choices[0].get("delta")
    return message if isinstance(message, dict) else {}


def is_chat(data: Any) -> bool:
    """Whether a payload is a chat completion, or a list of its chunks."""
    if isinstance(data, list):
        return any(is_chat(event) for event in data if isinstance(event, dict))
    inner = data.get("data")
    return isinstance(data.get("choices"), list) or (isinstance(inner, dict) and "choices" in inner)


def assemble(root: Node) -> Node:
    """The completion that a list of chunks adds up to."""
    pieces: list[Any] = []
    whole: Any = None
    annotations: list[Any] = []
    message: dict[str, Any] = {}
    completion: dict[str, Any] = {}
    for event in root.items():
        chunk = event.get("data") if event.get("choices") is None else event
        if chunk is None:
            continue
        for name in ("citations", "search_results"):
            if chunk.raw(name):
                completion[name] = chunk.raw(name)
        for choice in chunk.objects("choices")[:1]:
            delta = choice.get("delta")
            if delta is not None:
                pieces.append(delta.raw("content"))
                annotations += [node.value for node in delta.each("annotations")]
                if delta.raw("context") is not None:
                    message["context"] = delta.raw("context")
            full = choice.get("message")
            if full is not None and full.raw("content") is not None:
                whole = full.raw("content")
    content = _join(pieces)
    message["content"] = content if content else whole
    if annotations:
        message["annotations"] = annotations
    completion["choices"] = [{"message": message}]
    return Node(completion)


def _join(pieces: list[Any]) -> Any:
    """The text, or where any piece is a list of chunks, one list of them with their texts joined."""
    if all(isinstance(piece, str) or piece is None for piece in pieces):
        return "".join(piece for piece in pieces if piece)
    lists = [piece if isinstance(piece, list) else [piece] for piece in pieces]
    return join_chunks([chunk for chunks in lists for chunk in chunks])


def join_chunks(chunks: list[Any]) -> list[Any]:
    """Content chunks with runs of text made into one chunk each."""
    joined: list[Any] = []
    texts: list[str] = []
    for chunk in chunks:
        text = chunk if isinstance(chunk, str) else None
        if isinstance(chunk, dict) and chunk.get("type") == "text" and isinstance(chunk.get("text"), str):
            text = chunk["text"]
        if text is not None:
            texts.append(text)
            continue
        if texts:
            joined.append({"type": "text", "text": "".join(texts)})
            texts = []
        if chunk is not None:
            joined.append(chunk)
    if texts:
        joined.append({"type": "text", "text": "".join(texts)})
    return joined
