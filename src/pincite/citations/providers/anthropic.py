"""Anthropic Messages: each text block carries the citations that speak for it.

A citation points into a document by characters, pages or content blocks, or at a search result. The answer
has no offsets of its own: a citation covers the text block that it is attached to. Characters of a document
are counted in code points; pages count from 1, and the end of every range is exclusive.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from pincite.citations.providers.entries import (
    Collector,
    PayloadEntry,
    document_target,
    is_web_address,
    web_target,
)
from pincite.citations.providers.offsets import Unit, place_spans
from pincite.citations.providers.payload import Node
from pincite.records import Target

UNIT: Unit = "code_point"

_EVENTS = ("message_start", "content_block_start", "content_block_delta", "message_delta")


def looks_like(data: Any) -> bool:
    """Whether a payload has the shape of a message, or of its stream."""
    if isinstance(data, list):
        return any(isinstance(event, dict) and event.get("type") in _EVENTS for event in data)
    if not isinstance(data.get("content"), list):
        return False
    by_role = data.get("role") == "assistant" and "object" not in data and "choices" not in data
    return by_role or data.get("type") == "message"


def read(root: Node, collector: Collector, request: Node | None) -> None:
    """A message, or the list of events that streamed it."""
    if isinstance(root.value, list):
        root = Node(_assemble(root))
    documents = _Documents(collector, request)
    for block in root.need("content").items():
        if block.string("type") != "text":
            continue
        span = collector.add_text(block.string("text") or "")
        entries = [_read_entry(node, len(span), documents) for node in block.objects("citations")]
        collector.cite(span, entries)


def _read_entry(node: Node, length: int, documents: _Documents) -> PayloadEntry:
    title = node.string("document_title", "title")
    targets, source_span, problem = _read_location(node, title, documents)
    entry = PayloadEntry(node, targets, 0, length, document_title=title, problem=problem)
    return replace(entry, cited_text=node.string("cited_text"), source_span=source_span)


_Location = tuple[tuple[Target, ...], tuple[int, int] | None, str | None]


def _document_name(node: Node, title: str | None, documents: _Documents) -> str:
    """A document is known by its title; without one, by its place among the request's documents."""
    index = node.number("document_index")
    if index is not None:
        return documents.names.get(index) or title or f"#{index}"
    index = node.number("search_result_index")
    return node.string("source") or title or (f"#{index}" if index is not None else "")


_RANGES = {
    "char_location": ("characters", "start_char_index", "end_char_index"),
    "page_location": ("pages", "start_page_number", "end_page_number"),
    "content_block_location": ("blocks", "start_block_index", "end_block_index"),
    "search_result_location": ("blocks", "start_block_index", "end_block_index"),
}


def _read_location(node: Node, title: str | None, documents: _Documents) -> _Location:
    kind = node.string("type") or ""
    if kind == "web_search_result_location":
        url = node.string("url")
        return ((web_target(url, title),), None, None) if url else ((), None, "the citation has no URL")
    if kind not in _RANGES:
        return (), None, f"unknown citation type {kind[:60]!r}"
    what, first_field, end_field = _RANGES[kind]
    name, start, end = _document_name(node, title, documents), node.raw(first_field), node.raw(end_field)
    bad = not all(type(bound) is int and bound >= 0 for bound in (start, end))
    if bad or (what != "characters" and end <= start) or (what == "pages" and start < 1):
        whole = (document_target(name),) if name else ()
        return whole, None, f"the {what} {start!r} to {end!r} are not a range"[:200]
    if not name:
        return (), (start, end) if what == "characters" else None, "the citation names no document"
    if what == "pages":
        return (document_target(name, page=start, end_page=end - 1),), None, None
    if what == "blocks":
        span = documents.block_span(name, start, end)
        first, stop = span or (None, None)
        return (document_target(name, start=first, end=stop, blocks=(start, end)),), span, None
    start, end, problem = _true_characters(start, end, documents.text(name), node.string("cited_text"))
    return (document_target(name, start=start, end=end),), (start, end), problem


def _true_characters(
    start: int, end: int, text: str | None, cited: str | None
) -> tuple[int, int, str | None]:
    """The characters; where they hold something else than was cited, those that hold it in another unit."""
    if text is not None and cited is not None and end <= len(text) and text[start:end] != cited:
        placed = place_spans(text, [(start, end)], UNIT, [cited])[0]
        if text[placed.start : placed.end] == cited:
            return placed.start, placed.end, placed.problem
    return start, end, None


# --- the request's documents ---------------------------------------------------------------------


class _Documents:
    """The documents of the request, where the file holds it, by the names that citations use."""

    def __init__(self, collector: Collector, request: Node | None) -> None:
        self._book = collector.sources
        self._blocks: dict[str, list[int]] = {}
        self.names: dict[int, str] = {}
        count = results = 0
        for block in _request_blocks(request):
            if block.string("type") == "search_result":
                self._keep_result(block, results)
                results += 1
            else:
                self._keep_document(block, count)
                count += 1

    def text(self, name: str) -> str | None:
        return self._book.text(name) if name in self._book else None

    def block_span(self, name: str, first: int, end: int) -> tuple[int, int] | None:
        """Content blocks as characters of their document: blocks are joined with nothing between them."""
        starts = self._blocks.get(name)
        return (starts[first], starts[end]) if starts is not None and end < len(starts) else None

    def _keep_document(self, block: Node, index: int) -> None:
        title = block.string("title")
        # Two documents of one title can only be told apart by their places.
        name = title if title and title not in self._book else f"#{index}"
        self.names[index] = name
        source = block.get("source")
        if source is None or source.string("type") not in ("text", "content"):
            return
        content = source.get("content")
        if content is not None and isinstance(content.value, list):
            self._keep_blocks(name, title, content, None)
        else:
            self._book.add(name, source.string("data", "content"), title)

    def _keep_result(self, block: Node, index: int) -> None:
        address = block.string("source")
        title = block.string("title")
        content = block.get("content")
        if content is not None:
            self._keep_blocks(address or title or f"#{index}", title, content, address)

    def _keep_blocks(self, name: str, title: str | None, content: Node, address: str | None) -> None:
        texts = [item.string("text") or "" for item in content.items() if item.string("type") == "text"]
        starts = [0]
        for text in texts:
            starts.append(starts[-1] + len(text))
        self._blocks[name] = starts
        self._book.add(name, "".join(texts), title, address if is_web_address(address) else None)


def _request_blocks(request: Node | None) -> list[Node]:
    """Documents and search results in the order that indices count: across messages and tool results."""
    found: list[Node] = []
    if request is None:
        return found
    for message in request.objects("messages"):
        content = message.get("content")
        if content is None or not isinstance(content.value, list):
            continue
        for block in content.items():
            kind = block.string("type")
            if kind in ("document", "search_result"):
                found.append(block)
            elif kind == "tool_result":
                inner = block.get("content")
                items = inner.items() if inner is not None and isinstance(inner.value, list) else []
                found += [item for item in items if item.string("type") in ("document", "search_result")]
    return found


# --- the stream ----------------------------------------------------------------------------------


def _assemble(root: Node) -> dict[str, Any]:
    """The message that a list of streaming events adds up to."""
    blocks: dict[int, dict[str, Any]] = {}
    pieces: dict[int, list[str]] = {}
    for event in root.items():
        kind = event.string("type")
        if kind == "error":
            raise event.fail("the stream ended in an error, so the answer is not complete")
        if kind not in ("content_block_start", "content_block_delta"):
            continue
        index = event.number("index")
        if index is None:
            raise event.fail("the event has no index")
        if kind == "content_block_start":
            block = dict(event.need("content_block").fields())
            blocks[index] = block
            pieces[index] = [event.need("content_block").string("text") or ""]
            block["citations"] = [node.value for node in event.need("content_block").each("citations")]
            continue
        delta = event.need("delta")
        if index not in blocks:
            raise event.fail(f"block {index} was never started")
        if delta.string("type") == "text_delta":
            pieces[index].append(delta.string("text") or "")
        elif delta.string("type") == "citations_delta":
            blocks[index]["citations"].append(delta.need("citation").value)
    content = []
    for index in sorted(blocks):
        block = blocks[index]
        content.append({**block, "text": "".join(pieces[index])} if block.get("type") == "text" else block)
    return {"type": "message", "content": content}
