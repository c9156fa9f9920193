"""Cohere v2 chat: `message.citations`, each with the answer text it covers and the documents behind it.

`start` and `end` are code points of one content block, named by `content_index`; `text` is compared with the
answer. The documents come whole in each citation, and become sources.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from pincite.citations.providers.entries import (
    Collector,
    PayloadEntry,
    Sources,
    document_target,
    is_web_address,
    text_of_document,
)
from pincite.citations.providers.offsets import Unit
from pincite.citations.providers.payload import Node
from pincite.records import Span

UNIT: Unit = "code_point"

_EVENTS = ("message-start", "content-start", "content-delta", "citation-start", "message-end")


def looks_like(data: Any) -> bool:
    """Whether a payload has the shape of a v2 chat response, or of its stream."""
    if isinstance(data, list):
        return any(isinstance(event, dict) and event.get("type") in _EVENTS for event in data)
    message = data.get("message")
    said = isinstance(message, dict) and ("content" in message or "citations" in message)
    return said and "choices" not in data


def read(root: Node, collector: Collector, request: Node | None) -> None:
    """A response, or the list of events that streamed it."""
    if isinstance(root.value, list):
        root = _assemble(root)
    message = root.need("message")
    spans = _read_content(message.get("content"), collector)
    for node in message.objects("citations"):
        entry = _read_citation(node, collector)
        if entry is None:
            continue
        span, problem = _block_of(node, spans, collector)
        if problem is not None:
            entry = replace(entry, problem=f"{entry.problem}; {problem}" if entry.problem else problem)
        collector.cite(span, [entry])


def _read_content(content: Node | None, collector: Collector) -> list[Span]:
    """The span of every content block, in order; a block that is no text has an empty one."""
    if content is None:
        return []
    if isinstance(content.value, str):
        return [collector.add_text(content.value)]
    spans = []
    for block in content.items():
        is_text = block.string("type") in ("text", None)
        spans.append(collector.add_text((block.string("text") or "") if is_text else ""))
    return spans


def _block_of(node: Node, spans: list[Span], collector: Collector) -> tuple[Span, str | None]:
    """The content block that a citation speaks of: the first that has text, unless it names another."""
    index, whole = node.raw("content_index"), Span(0, collector.length)
    if index is None:
        return next((span for span in spans if len(span)), whole), None
    if type(index) is not int or not 0 <= index < len(spans):
        return whole, f"content block {str(index)[:40]} is not in the list of {len(spans)}"
    return spans[index], None


def _read_citation(node: Node, collector: Collector) -> PayloadEntry | None:
    if node.string("type") in ("THINKING_CONTENT", "PLAN"):
        # These speak of the model's plan, which is not part of the answer.
        return None
    sources = Sources()
    for number, source in enumerate(node.objects("sources")):
        facts = source.inner("document", "tool_output")
        title = facts.string("title") if isinstance(facts.fields().get("title"), str) else None
        identifier = source.string("id") or facts.raw("id")
        name = identifier if isinstance(identifier, str) and identifier else title
        if not name:
            sources.problems.append(f"source {number} has neither an id nor a title")
            continue
        url = facts.raw("url")
        address = url if isinstance(url, str) and is_web_address(url) else None
        collector.sources.add(name, text_of_document(facts.fields()), title, address, name)
        sources.add(document_target(name), title)
    return sources.entry(node, node.raw("start"), node.raw("end"), node.string("text"))


def _assemble(root: Node) -> Node:
    """The response that a list of streaming events adds up to."""
    pieces: dict[int, list[str]] = {}
    kinds: dict[int, str] = {}
    citations: list[Any] = []
    for event in root.items():
        kind = event.string("type")
        delta = event.get("delta")
        message = delta.get("message") if delta is not None else None
        if message is None:
            continue
        if kind in ("content-start", "content-delta"):
            index = event.number("index") or 0
            if not 0 <= index < 10_000:
                raise event.fail(f"no message has a content block {index}")
            content = message.get("content")
            if content is not None:
                kinds[index] = content.string("type") or kinds.get(index, "text")
                pieces.setdefault(index, []).append(content.string("text") or "")
        elif kind == "citation-start":
            citation = message.get("citations")
            if citation is not None:
                citations += citation.value if isinstance(citation.value, list) else [citation.value]
    content_blocks = [
        {"type": kinds.get(index, "text"), "text": "".join(pieces.get(index, []))}
        for index in range(max(pieces, default=-1) + 1)
    ]
    return Node({"message": {"content": content_blocks, "citations": citations}})
