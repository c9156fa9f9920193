"""The sources of a query: what the answer cites, what the judge read, and what is right by the dataset."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from pincite.datasets.items import scored_spans
from pincite.errors import InputError
from pincite.records import ItemResult, ScoredSpan
from pincite.reports.html.marking import Piece
from pincite.reports.html.query_answer import (
    JudgedStretch,
    ShownVerdict,
    answer_pieces,
    cited_spans,
    mark_span,
    place_key,
    show_verdicts,
    told_place,
)
from pincite.reports.html.source_marks import MarkKind, SourceMarks, SourceView
from pincite.sources.library import Library
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
    """What a query's row shows of its answer and its sources."""

    places: list[NamedPlace]
    pieces: list[Piece[JudgedStretch]] = []
    """The answer, with its claims and markers."""
    verdicts: list[ShownVerdict] = []
    sources: list[SourceView] = []
    expected: str = ""
    """The answer that the dataset holds for right."""
    note: str = ""


def places_only(item: ItemResult, prefix: str = "", note: str = "") -> QuerySources:
    """What the history knows without the dataset: the names and offsets of what is cited."""
    verdicts = show_verdicts(item, SourceMarks(Library()), Library(), prefix)
    return QuerySources(
        [NamedPlace("cited", told_place(one)) for one in cited_spans(item)],
        answer_pieces(item, verdicts, {}, Library()),
        verdicts,
        note=note,
    )


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
            found[name] = places_only(item, f"{name}-", "The dataset has no such query.")
    return found


def _of_query(
    prefix: str, item: ItemResult, query: EvaluationQuery, dataset: Dataset, offsets: Offsets
) -> QuerySources:
    if query.query_text != item.query_text:
        told = "The query has another text in the dataset: gold is not shown."
        return places_only(item, f"{prefix}-", told)
    sets = [query.citations or (), *query.alternative_citations]
    # Gold first: its documents are what the answer should have cited.
    given: list[tuple[MarkKind, ScoredSpan]] = [("gold", one) for of in sets for one in scored_spans(of)]
    given += [("cited", one) for one in cited_spans(item)]
    judged = [place for verdict in item.verdicts for place in verdict.evidence]
    names = {span.document for _, span in given} | {place.document for place in judged}
    library = dataset.library_for(names)
    marks = SourceMarks(library, prefix=f"{prefix}-", whole=WHOLE, around=AROUND)
    anchors = [(kind, span, mark_span(marks, library, kind, span, offsets)) for kind, span in given]
    places = [NamedPlace(kind, told_place(span), anchor) for kind, span, anchor in anchors]
    links = {place_key(library, span, offsets): anchor for kind, span, anchor in anchors if kind == "cited"}
    verdicts = show_verdicts(item, marks, library, f"{prefix}-")
    return QuerySources(
        list(dict.fromkeys(places)),
        answer_pieces(item, verdicts, links, library, offsets),
        verdicts,
        marks.views(),
        query.ground_truth_answer or "",
        _gold_note(query),
    )


def _gold_note(query: EvaluationQuery) -> str:
    if query.citations is None:
        return "The dataset does not say what should be cited here."
    if not query.citations:
        return "By the dataset, nothing should be cited here."
    more = len(query.alternative_citations)
    return f"Gold shows {more + 1} sets of citations that are equally right." if more else ""
