"""The places that an answer of a run cites: found in its markers, or in the list that came with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pincite.citations.parse import parse
from pincite.records import ItemResult, ScoredSpan, Source, SpanTarget
from pincite.reports.html.source_marks import MarkKind, SourceMarks
from pincite.sources.library import Library, page_span
from pincite.sources.span_evidence import Offsets


def cited_spans(item: ItemResult) -> list[ScoredSpan]:
    """What the answer cites: by the list that came with it, or else by the markers in its text."""
    if item.citations is not None:
        return [_cited(one) for one in item.citations]
    return [
        ScoredSpan(target.document, target.page, target.start, target.end)
        for citation in parse(item.answer or "").citations
        for target in citation.targets
        if isinstance(target, SpanTarget)
    ]


def _cited(citation: Mapping[str, Any]) -> ScoredSpan:
    """A citation as a system gave it: nothing in it is certain."""
    names = (citation.get(key) for key in ("file_name", "document_id", "file_path", "title", "text"))
    name = next((one for one in names if isinstance(one, str) and one), "")
    page, start, end = (_whole_number(citation.get(key)) for key in ("page_number", "start_char", "end_char"))
    return ScoredSpan(name, page, start, end)


def _whole_number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def find_source(library: Library, name: str) -> Source | None:
    """The document that a name means, where that leaves no doubt."""
    if (known := library.get(name)) is not None:
        return known
    found = library.find(name) if name else ()
    return found[0] if len(found) == 1 else None


def mark_span(
    marks: SourceMarks, library: Library, kind: MarkKind, span: ScoredSpan, offsets: Offsets
) -> str:
    """Mark a span where its document is at hand, a page alone as a whole; the anchor to go to."""
    source = find_source(library, span.document)
    if source is None:
        return ""
    page = None if span.page is None else page_span(source, span.page)
    if span.start is None or span.end is None:
        return marks.top(source.name) if page is None else marks.mark(source.name, kind, page.start, page.end)
    base = page.start if offsets == "page" and page is not None else 0
    start, end = base + span.start, base + span.end
    return (
        marks.mark(source.name, kind, start, end)
        if start < end <= len(source.text)
        else marks.top(source.name)
    )


def told_place(span: ScoredSpan) -> str:
    """`report.pdf, page 3, characters 10–20`."""
    page = f"page {span.page}" if span.page is not None else ""
    place = f"characters {span.start}–{span.end}" if span.start is not None and span.end is not None else ""
    return ", ".join(filter(None, (span.document or "no document", page, place)))


PlaceKey = tuple[str, int | None, int | None, int | None]


def place_key(library: Library, span: ScoredSpan, offsets: Offsets) -> PlaceKey:
    """The same for every way to name one place; a page beside offsets of the document adds nothing."""
    source = find_source(library, span.document)
    page = span.page if span.start is None or offsets == "page" else None
    return (span.document if source is None else source.name), page, span.start, span.end
