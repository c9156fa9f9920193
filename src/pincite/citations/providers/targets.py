"""Targets from what payloads say about a source: a document, a page, a stretch of it, or an address."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from pincite.citations.formats import web
from pincite.citations.formats.span_places import span_target
from pincite.records import SpanTarget, WebTarget


def document_target(
    document: str,
    page: int | None = None,
    start: int | None = None,
    end: int | None = None,
    end_page: int | None = None,
    blocks: tuple[int, int] | None = None,
) -> SpanTarget:
    """A document as a whole, or a page, a stretch of characters or a run of blocks in it."""
    target = span_target(document, page, start, end)
    key = target.key
    if end_page is not None and end_page != page:
        key += f"–{end_page}"
    if blocks is not None:
        key += f"#{blocks[0]}-{blocks[1]}"
    given = {"end_page": end_page, "blocks": blocks}
    return replace(target, key=key, **{name: value for name, value in given.items() if value is not None})


def web_target(url: str, title: str | None = None) -> WebTarget:
    """A page on the web."""
    return WebTarget(key=web.read_web_target(url)[0].key, url=url, title=title or UNSET)


def is_web_address(text: str | None) -> bool:
    """Whether a source's identifier is an address, so that it can be looked up as one."""
    return text is not None and text[:8].lower().startswith(("http://", "https://"))


_TEXT_FIELDS = ("text", "snippet", "content", "page_content", "snippets", "body")
_NAME_FIELDS = frozenset({"id", "url", "uri", "title"})


def text_of_document(document: dict[str, Any]) -> str:
    """The text of a document that is a free set of fields: its text field, or every field a line."""
    for name in _TEXT_FIELDS:
        found = _flatten(document.get(name))
        if found:
            return found
    lines = [(name, _flatten(value)) for name, value in document.items() if name not in _NAME_FIELDS]
    return "\n".join(f"{name}: {value}" for name, value in lines if value)


def _flatten(value: Any) -> str:
    """The strings in a value, one a line; lists of lists are how some tools send snippets."""
    found: list[str] = []
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, list):
            stack.extend(reversed(item))
        elif isinstance(item, dict):
            stack.extend(reversed(list(item.values())))
        elif isinstance(item, (int, float)):
            found.append(str(item))
    return "\n".join(found)
