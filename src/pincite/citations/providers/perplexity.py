"""Perplexity: markers `[1]` in the text, which count from 1 in the payload's `citations` or `search_results`.

The payload does not say what text a marker speaks for, so the span of a citation is the marker itself. The
newer Agent API answers in the shape of OpenAI's Responses and is read as that.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from pincite.citations.providers import openai_responses
from pincite.citations.providers.entries import Collector, PayloadEntry, Sources, web_target
from pincite.citations.providers.offsets import Unit
from pincite.citations.providers.openai_chat import assemble, is_chat
from pincite.citations.providers.payload import Node
from pincite.records import Citation, NumberTarget

UNIT: Unit = "code_point"


def looks_like(data: Any) -> bool:
    """Whether a payload is a chat completion with a list of pages beside it."""
    events = data if isinstance(data, list) else [data]
    return is_chat(data) and any(
        isinstance(event, dict) and ("citations" in event or "search_results" in event) for event in events
    )


def read(root: Node, collector: Collector, request: Node | None) -> None:
    """A chat completion, or the list of chunks that streamed it."""
    from pincite.citations.parser import parse

    if openai_responses.looks_like(root.value):
        openai_responses.read(root, collector, request)
        return
    if isinstance(root.value, list):
        root = assemble(root)
    pages = _read_pages(root)
    for page in pages:
        url = page.string("url")
        collector.sources.add(url, page.string("snippet"), page.string("title"), url)
    for choice in root.need("choices").items()[:1]:
        text = _text_of(choice.need("message").get("content"))
        span = collector.add_text(text)
        markers = [citation for citation in parse(text).citations if citation.family == "number"]
        collector.cite(span, [_read_marker(marker, pages, root) for marker in markers])


def _text_of(content: Node | None) -> str:
    if content is None:
        return ""
    if isinstance(content.value, str):
        return content.value
    return "".join(chunk.string("text") or "" for chunk in content.items() if chunk.string("type") == "text")


def _read_pages(root: Node) -> list[Node]:
    """The pages that markers count in, in order, with their titles and snippets where they were sent."""
    results = root.objects("search_results")
    by_url = {result.string("url"): result for result in results}
    addresses = root.each("citations")
    if not addresses:
        return results
    pages = []
    for address in addresses:
        if isinstance(address.value, dict):
            pages.append(address)
        elif isinstance(address.value, str):
            pages.append(by_url.get(address.value) or Node({"url": address.value}, address.pointer))
        else:
            raise address.fail("expected the address of a page")
    return pages


def _read_marker(marker: Citation, pages: list[Node], root: Node) -> PayloadEntry:
    numbers = [target.number for target in marker.targets if isinstance(target, NumberTarget)]
    sources = Sources()
    results: list[Any] = []
    for number in numbers:
        page = pages[number - 1] if number is not None and 0 < number <= len(pages) else None
        if page is None:
            sources.problems.append(f"{marker.text} is not in the list of {len(pages)} pages")
            continue
        url = page.string("url")
        if not url:
            sources.problems.append(f"page {number} has no address")
            continue
        sources.add(web_target(url, page.string("title")), page.string("title"))
        results.append(page.value)
    entry = {"marker": marker.text, "start": marker.start, "end": marker.end, "results": results}
    read = sources.entry(Node(entry, root.pointer), marker.start, marker.end, marker.text)
    return replace(read, marker=True)
