"""Mistral: content as a list of chunks, where a reference chunk follows the text that it speaks for.

There are no offsets. A reference covers the text since the last text that another reference covered. Chat
completions send `reference` chunks, whose ids are those of the tool results in the request; conversations
send `tool_reference` chunks, which name a page themselves.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec.structs import replace

from pincite.citations.providers.entries import (
    Collector,
    PayloadEntry,
    Sources,
    document_target,
    is_web_address,
    text_of_document,
    web_target,
)
from pincite.citations.providers.offsets import Unit
from pincite.citations.providers.openai_chat import assemble, first_choice, is_chat, join_chunks
from pincite.citations.providers.payload import Node, to_plain
from pincite.records import Span

UNIT: Unit = "code_point"

# What ends the sentence before a chunk's own text stands at the start of that chunk.
_LEADING = " \t\r\n.,;:!?)]}»”’\"'"


def looks_like(data: Any) -> bool:
    """Whether a payload is a conversation, or a chat completion whose content is a list of chunks."""
    if isinstance(data, list):
        return any(_is_event(event) for event in data)
    if isinstance(data.get("outputs"), list):
        return True
    in_chunks = isinstance(first_choice(data).get("content"), list)
    return in_chunks and is_chat(data) and "search_results" not in data


def _is_event(event: Any) -> bool:
    if not isinstance(event, dict):
        return False
    data = event.get("data")
    kind = str((data if isinstance(data, dict) else event).get("type", ""))
    return (
        kind.startswith(("message.output", "conversation.response", "tool.execution"))
        or (isinstance(data, dict) and is_chat(event))
        or isinstance(first_choice(event).get("content"), list)
    )


def read(root: Node, collector: Collector, request: Node | None) -> None:
    """A chat completion, a conversation, or the list of events that streamed either."""
    if isinstance(root.value, list):
        root = assemble(root) if is_chat(root.value) else _assemble(root)
    results = _tool_results(request)
    for content in _contents(root):
        if isinstance(content.value, str):
            collector.add_text(content.value)
        else:
            _read_chunks(content.items(), results, collector)


def _contents(root: Node) -> list[Node]:
    if root.get("outputs") is not None:
        outputs = [item for item in root.objects("outputs") if item.string("type") == "message.output"]
        found = [item.get("content") for item in outputs]
    else:
        found = [choice.need("message").get("content") for choice in root.need("choices").items()[:1]]
    return [content for content in found if content is not None]


def _read_chunks(chunks: list[Node], results: dict[str, dict[str, Any]], collector: Collector) -> None:
    covered: Span | None = None
    fresh = True
    for chunk in chunks:
        kind = chunk.string("type")
        if kind == "text":
            text = chunk.string("text") or ""
            span = collector.add_text(text)
            trimmed = Span(span.end - len(text.lstrip(_LEADING)), span.end)
            # Text after a reference begins what the next one speaks for.
            covered = trimmed if fresh or covered is None else Span(covered.start, span.end)
            fresh = False
        elif kind in ("reference", "tool_reference"):
            by_id = kind == "reference"
            read = (
                _read_reference(chunk, results, collector)
                if by_id
                else _read_tool_reference(chunk, collector)
            )
            _cite(read, covered, collector)
            fresh = True


def _cite(entry: PayloadEntry, covered: Span | None, collector: Collector) -> None:
    if covered is None or not len(covered):
        where = collector.length
        problem = "there is no text before the reference"
        entry = replace(entry, problem=f"{entry.problem}; {problem}" if entry.problem else problem)
        collector.cite(Span(0, where), [replace(entry, start=where, end=where)])
    else:
        collector.cite(covered, [replace(entry, start=0, end=len(covered))])


def _read_reference(chunk: Node, results: dict[str, dict[str, Any]], collector: Collector) -> PayloadEntry:
    sources = Sources()
    for node in chunk.each("reference_ids"):
        identifier = node.value
        if type(identifier) is not int and not isinstance(identifier, str):
            sources.problems.append(f"reference id {str(identifier)[:40]} is neither a number nor a string")
            continue
        result = results.get(str(identifier))
        if results and result is None:
            sources.problems.append(f"reference {str(identifier)[:40]} is not in the request's tool results")
        title, url = _string(result, "title"), _string(result, "url")
        if result is not None:
            address = url if is_web_address(url) else None
            collector.sources.add(url or title or str(identifier), text_of_document(result), title, address)
        place = identifier if isinstance(identifier, str) else f"#{identifier}"
        sources.add(web_target(url, title) if url else document_target(title or place), title)
    return sources.entry(chunk)


def _read_tool_reference(chunk: Node, collector: Collector) -> PayloadEntry:
    title, url, sources = chunk.string("title"), chunk.string("url"), Sources()
    if url or title:
        sources.add(web_target(url, title) if url else document_target(title or ""), title)
    collector.sources.add(url or title, chunk.string("description"), title, url)
    return sources.entry(chunk)


# --- the request's tool results ------------------------------------------------------------------


def _tool_results(request: Node | None) -> dict[str, dict[str, Any]]:
    """What the tools of the request returned (an object of objects, or a list), by the ids of references."""
    found: dict[str, dict[str, Any]] = {}
    for message in request.objects("messages") if request is not None else []:
        if message.string("role") != "tool":
            continue
        content = message.raw("content")
        if isinstance(content, str):
            try:
                content = to_plain(json.loads(content))
            except (ValueError, RecursionError):
                continue
        if isinstance(content, list):
            content = dict(enumerate(content))
        if isinstance(content, dict):
            found.update({str(key): value for key, value in content.items() if isinstance(value, dict)})
    return found


def _string(result: dict[str, Any] | None, name: str) -> str | None:
    value = (result or {}).get(name)
    return value if isinstance(value, str) and value else None


def _assemble(root: Node) -> Node:
    """The conversation that a list of streaming events adds up to."""
    chunks: list[Any] = []
    for event in root.items():
        inner = event.get("data") or event
        if inner.string("type") == "message.output.delta":
            content = inner.raw("content")
            chunks += content if isinstance(content, list) else [content]
    return Node({"outputs": [{"type": "message.output", "content": join_chunks(chunks)}]})
