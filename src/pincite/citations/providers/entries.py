"""From a payload's citation entries to citations with their targets, and back.

Each citation keeps its entry in `form`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from itertools import chain
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from pincite.citations.formats import web
from pincite.citations.formats.span_places import span_target
from pincite.citations.providers.offsets import Unit, place_spans
from pincite.citations.providers.payload import Node
from pincite.errors import PayloadError
from pincite.records import Answer, Citation, Source, Span, SpanTarget, Target, WebTarget

MAX_COVERED = 200_000_000
"""Each citation holds the text that it covers; a payload that repeats a long text too often is refused."""


class PayloadEntry(Struct, frozen=True):
    """One citation as the payload gives it. `start` and `end` are whatever the payload has, not yet read."""

    node: Node
    """The entry; its value is None for a citation that the payload has no entry for."""
    targets: tuple[Target, ...] = ()
    start: object = None
    end: object = None
    covered: str | None = None
    """The answer text that the payload says is covered, where it says so."""
    cited_text: str | None = None
    source_span: tuple[int, int] | None = None
    document_title: str | None = None
    problem: str | None = None
    marker: bool = False
    """The span is a marker in the text, such as `[1]`, rather than the text that it speaks for."""


Numbered = list[tuple[int, PayloadEntry]]
"""Entries with their places in the payload."""


class Sources:
    """The sources that one entry names, and what is wrong with those that could not be read."""

    def __init__(self) -> None:
        self.targets: list[Target] = []
        self.titles: list[str | None] = []
        self.problems: list[str] = []

    def add(self, target: Target, title: str | None) -> None:
        """Keep one more source."""
        self.targets.append(target)
        self.titles.append(title)

    def entry(
        self, node: Node, start: object = None, end: object = None, covered: str | None = None
    ) -> PayloadEntry:
        """The entry with these sources. It has a title where it names one source only."""
        title = self.titles[0] if len(self.titles) == 1 else None
        problem = "; ".join(self.problems) or (None if self.targets else "the citation names no source")
        targets = tuple(self.targets)
        return PayloadEntry(node, targets, start, end, covered, document_title=title, problem=problem)


class Collector:
    """Gathers the text blocks, entries and documents of one payload, then makes the answer."""

    def __init__(self, provider: str, unit: Unit) -> None:
        self.provider = provider
        self.unit: Unit = unit
        self.sources = SourceBook()
        self.length = 0
        """How much text there is so far."""
        self._texts: list[str] = []
        self._parts: dict[Span, Numbered] = {}
        self._count = 0

    def add_text(self, text: str) -> Span:
        """Append a text block; returns its span in the answer."""
        span = Span(self.length, self.length + len(text))
        self._texts.append(text)
        self.length = span.end
        return span

    def cite(self, part: Span, entries: Sequence[PayloadEntry]) -> None:
        """Add entries whose offsets count from the start of a text block, in the provider's unit."""
        self._parts.setdefault(part, []).extend(enumerate(entries, self._count))
        self._count += len(entries)

    def answer(self, name: str, query: str | None = None) -> Answer:
        """The answer, its citations in the order of the text."""
        text = "".join(self._texts)
        parts = (_place_part(text, part, entries, self.unit) for part, entries in self._parts.items())
        citations = list(chain.from_iterable(parts))
        citations.sort(key=lambda citation: (citation.start, citation.end))
        return Answer(
            text=text,
            name=name,
            query=query,
            # Without any of the provider's own, what the model wrote into the text is still to be parsed.
            citations=tuple(citations) if self._count else None,
            sources=self.sources.sources(),
            provider=self.provider,
        )


def _place_part(text: str, part: Span, numbered: Numbered, unit: Unit) -> list[Citation]:
    block = part.of(text)
    entries = [entry for _, entry in numbered]
    spans = [(entry.start, entry.end) for entry in entries]
    places = place_spans(block, spans, unit, [entry.covered for entry in entries])
    if sum(place.end - place.start for place in places) > MAX_COVERED:
        most = f"{MAX_COVERED:,} characters in all"
        raise PayloadError(f"the citations of one text block cover more than {most}")
    return [
        Citation(
            family="provider",
            text=block[place.start : place.end],
            start=part.start + place.start,
            end=part.start + place.end,
            targets=entry.targets,
            form=json.dumps({"order": number, "marker": entry.marker, "entry": entry.node.value}),
            cited_text=entry.cited_text,
            source_span=entry.source_span,
            document_title=entry.document_title,
            problem="; ".join(filter(None, (place.problem, entry.problem))) or None,
        )
        for (number, entry), place in zip(numbered, places, strict=True)
    ]


class SourceBook:
    """The documents that came with a payload. What is sent in several pieces becomes one source."""

    def __init__(self) -> None:
        self._texts: dict[str, dict[str, None]] = {}
        self._facts: dict[str, dict[str, Any]] = {}

    def add(self, name: str | None, text: str | None, *facts: str | None) -> None:
        """Keep a document, or another piece of one. Without a name or a text there is nothing to keep.

        The facts are its title, its address and its id.
        """
        if not name or not text:
            return
        self._texts.setdefault(name, {})[text] = None
        known = self._facts.setdefault(name, {})
        for key, value in zip(("title", "url", "document_id"), facts, strict=False):
            known[key] = known.get(key) or value

    def __contains__(self, name: str | None) -> bool:
        return name in self._texts

    def text(self, name: str) -> str:
        """The pieces of a document, joined."""
        return "\n\n".join(self._texts[name])

    def sources(self) -> tuple[Source, ...]:
        """Every document as a source."""
        found = []
        for name, facts in self._facts.items():
            text = self.text(name)
            digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
            found.append(Source(name=name, text=text, sha256=digest, **facts))
        return tuple(found)


class EntryForm(Struct, frozen=True):
    """What a provider citation's `form` holds."""

    order: int
    marker: bool
    entry: Any


def read_form(citation: Citation) -> EntryForm:
    """The form of a citation that `read_response` made."""
    import msgspec

    try:
        return msgspec.convert(json.loads(citation.form), EntryForm)
    except (ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise PayloadError(f"the citation at {citation.start}–{citation.end} came from no payload") from error


# --- targets, from what payloads say about a source ---


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
