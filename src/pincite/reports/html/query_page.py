"""One query of a run: its answer beside the documents, with what was cited, judged, and right.

The verdicts are those that the run kept. Nothing is judged again.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from pincite.records import ItemResult, ScoredSpan
from pincite.reports.html.page import render_file
from pincite.reports.html.queries import (
    NamedPlace,
    answer_pieces,
    cited_spans,
    find_source,
    mark_span,
    place_key,
    show_verdicts,
    told_place,
)
from pincite.reports.html.run_page import query_row
from pincite.reports.html.source_marks import SourceMarks
from pincite.sources.library import Library
from pincite.sources.span_evidence import Offsets

MOST_DOCUMENTS = 20


class KnownTruth(Struct, frozen=True):
    """What the dataset says about a query, and its documents."""

    library: Library
    gold: tuple[ScoredSpan, ...] | None = None
    other_gold: tuple[tuple[ScoredSpan, ...], ...] = ()
    expected: str | None = None
    offsets: str = "document"
    note: str = ""


def write_query(item: ItemResult, run_title: str, truth: KnownTruth | None = None) -> str:
    return render_file("query.html", **query_values(item, run_title, truth))


def query_values(item: ItemResult, run_title: str, truth: KnownTruth | None = None) -> dict[str, Any]:
    """What `query.html` shows."""
    library = Library() if truth is None else truth.library
    offsets: Offsets = "page" if truth is not None and truth.offsets == "page" else "document"
    marks = SourceMarks(library, most=MOST_DOCUMENTS)
    links = {
        place_key(library, cited, offsets): mark_span(marks, library, "cited", cited, offsets)
        for cited in cited_spans(item)
    }
    gold = [
        NamedPlace("gold", told_place(span), mark_span(marks, library, "gold", span, offsets))
        for span in (() if truth is None else truth.gold or ())
    ]
    verdicts = show_verdicts(item, marks, library)
    for document in (*item.documents, *item.cited_documents):
        if (source := find_source(library, document)) is not None:
            marks.top(source.name)
    return {
        "title": f"Pincite: {item.query_id}",
        "run_title": run_title,
        "item": item,
        "row": query_row(item),
        "pieces": answer_pieces(item, verdicts, links, library, offsets),
        "verdicts": verdicts,
        "sources": marks.views(),
        "truth": truth,
        "gold": gold,
        "first": next(filter(None, (*links.values(), *(one.link for one in gold))), ""),
        "other_gold": [[told_place(span) for span in one] for one in (truth.other_gold if truth else ())],
    }
