"""The sources of a query: what the answer cites, what the judge read, and what is right by the dataset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from pincite.citations.parse import parse
from pincite.datasets.items import scored_spans
from pincite.errors import InputError
from pincite.records import ItemResult, ScoredSpan, Source, SpanTarget
from pincite.reports.html.source_marks import MarkKind, SourceMarks, SourceView
from pincite.sources.library import Library, page_span
from pincite.sources.span_evidence import Offsets

if TYPE_CHECKING:
    from pincite.datasets.formats.records import EvaluationQuery
    from pincite.datasets.load import Dataset

WHOLE, AROUND = 2_500, 500
"""As for the sources of an answer, but smaller: a page of a run shows hundreds of queries."""
KINDS: tuple[MarkKind, ...] = ("cited", "located", "gold")


class NamedPlace(Struct, frozen=True):
    """A place in a document, in words."""

    kind: MarkKind
    words: str
    link: str = ""
    """The anchor of the place, where the document is at hand."""


class QuerySources(Struct, frozen=True):
    """What a query's row shows of its sources."""

    places: list[NamedPlace]
    sources: list[SourceView] = []
    expected: str = ""
    """The answer that the dataset holds for right."""
    note: str = ""


def places_only(item: ItemResult) -> QuerySources:
    """What the history knows without the dataset: the names and offsets of what is cited."""
    return QuerySources([NamedPlace("cited", told_place(one)) for one in cited_spans(item)])


def with_dataset(
    items: Iterable[tuple[str, ItemResult]], dataset: Dataset, offsets: Offsets
) -> dict[str, QuerySources]:
    """The same with the words of the sources and the gold spans, by the given name of each item."""
    if dataset.offsets in ("document", "page"):
        offsets = cast(Offsets, dataset.offsets)
    wanted = {item.query_id: (name, item) for name, item in items}
    found = {
        wanted[query.query_id][0]: _of_query(*wanted[query.query_id], query, dataset, offsets)
        for query in dataset.queries()
        if query.query_id in wanted
    }
    if wanted and not found:
        raise InputError("the dataset has none of the run's queries; give the one that the run was made with")
    for name, item in wanted.values():
        if name not in found:
            found[name] = QuerySources(places_only(item).places, note="The dataset has no such query.")
    return found


def _of_query(
    prefix: str, item: ItemResult, query: EvaluationQuery, dataset: Dataset, offsets: Offsets
) -> QuerySources:
    if query.query_text != item.query_text:
        return QuerySources(
            places_only(item).places, note="The query has another text in the dataset: gold is not shown."
        )
    sets = [query.citations or (), *query.alternative_citations]
    # Gold first: its documents are what the answer should have cited.
    given: list[tuple[MarkKind, ScoredSpan]] = [("gold", one) for of in sets for one in scored_spans(of)]
    given += [("cited", one) for one in cited_spans(item)]
    judged = [place for verdict in item.verdicts for place in verdict.evidence]
    names = {span.document for _, span in given} | {place.document for place in judged}
    library = dataset.library_for(names)
    marks = SourceMarks(library, prefix=f"{prefix}-", whole=WHOLE, around=AROUND)
    places = [
        NamedPlace(kind, told_place(span), mark_span(marks, library, kind, span, offsets))
        for kind, span in given
    ]
    for place in judged:
        if (source := find_source(library, place.document)) is not None and place.start < place.end:
            marks.mark(source.name, "located", place.start, place.end)
    return QuerySources(
        list(dict.fromkeys(places)), marks.views(), query.ground_truth_answer or "", _gold_note(query)
    )


def _gold_note(query: EvaluationQuery) -> str:
    if query.citations is None:
        return "The dataset does not say what should be cited here."
    if not query.citations:
        return "By the dataset, nothing should be cited here."
    more = len(query.alternative_citations)
    return f"Gold shows {more + 1} sets of citations that are equally right." if more else ""


# --- places --------------------------------------------------------------------------------------


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
