"""OpenAI Chat Completions: `annotations` of the first choice's message, and Azure's `context.citations`.

The offsets of a `url_citation` are declared as code points, as in the Responses API. Azure OpenAI On Your
Data writes markers `[doc1]` into the text instead, which count from 1 in the list of `context.citations`.
"""

from __future__ import annotations

import re
from typing import Any

from pincite.citations.providers.chat_stream import assemble, first_choice, is_chat
from pincite.citations.providers.entries import Collector, PayloadEntry
from pincite.citations.providers.offsets import Unit
from pincite.citations.providers.openai_responses import check_links, read_url_citation
from pincite.citations.providers.payload import Node
from pincite.citations.providers.targets import document_target, web_target
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
