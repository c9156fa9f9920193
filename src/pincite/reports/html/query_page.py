"""One query of a run: its answer beside the documents, with what was cited, judged, and right.

The verdicts are those that the run kept. Nothing is judged again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from pincite.records import ItemResult, JudgedPair, ScoredSpan
from pincite.reports.html.answer_page import CLAIM_WORDS
from pincite.reports.html.marking import TextMark, cut
from pincite.reports.html.page import render_file
from pincite.reports.html.query_sources import cited_spans, find_source, mark_span, told_place
from pincite.reports.html.run_page import query_row
from pincite.reports.html.source_marks import SourceMarks
from pincite.sources.library import Library
from pincite.sources.span_evidence import Offsets

OUTCOMES = {
    "supported": CLAIM_WORDS["supported"],
    "not_enough": CLAIM_WORDS["unsupported"],
    "contradicted": CLAIM_WORDS["contradicted"],
    "unjudged": CLAIM_WORDS["unjudged"],
}
"""The symbol and the words of a verdict."""
STYLES = {"not_enough": "unsupported"}
MOST_DOCUMENTS = 20


class ShownVerdict(Struct, frozen=True):
    """A verdict as the page shows it."""

    anchor: str
    pair: JudgedPair
    style: str
    symbol: str
    words: str
    places: list[tuple[str, str]]
    """Of its evidence: the anchor, where the document is at hand, and the words."""


class KnownTruth(Struct, frozen=True):
    """What the dataset says about a query, and its documents."""

    library: Library
    gold: tuple[ScoredSpan, ...] | None = None
    other_gold: tuple[tuple[ScoredSpan, ...], ...] = ()
    expected: str | None = None
    offsets: str = "document"
    note: str = ""


def write_query(item: ItemResult, run_title: str, truth: KnownTruth | None = None) -> str:
    """The page as one file."""
    return render_file("query.html", **query_values(item, run_title, truth))


def query_values(item: ItemResult, run_title: str, truth: KnownTruth | None = None) -> dict[str, Any]:
    """What `query.html` shows."""
    library = Library() if truth is None else truth.library
    offsets: Offsets = "page" if truth is not None and truth.offsets == "page" else "document"
    marks = SourceMarks(library, most=MOST_DOCUMENTS)
    for cited in cited_spans(item):
        mark_span(marks, library, "cited", cited, offsets)
    for gold in (truth.gold or ()) if truth is not None else ():
        mark_span(marks, library, "gold", gold, offsets)
    verdicts = [_verdict(number, pair, marks, library) for number, pair in enumerate(item.verdicts, start=1)]
    for document in (*item.documents, *item.cited_documents):
        if (source := find_source(library, document)) is not None:
            marks.top(source.name)
    answer = item.answer or ""
    return {
        "title": f"Pincite: {item.query_id}",
        "run_title": run_title,
        "item": item,
        "row": query_row(item),
        "pieces": cut(answer, _claim_marks(answer, verdicts)),
        "verdicts": verdicts,
        "sources": marks.views(),
        "truth": truth,
        "gold": [] if truth is None else [told_place(span) for span in truth.gold or ()],
        "other_gold": []
        if truth is None
        else [[told_place(span) for span in one] for one in truth.other_gold],
    }


def _verdict(number: int, pair: JudgedPair, marks: SourceMarks, library: Library) -> ShownVerdict:
    symbol, words = OUTCOMES.get(pair.outcome, ("", pair.outcome.replace("_", " ")))
    places = []
    for one in pair.evidence:
        source = find_source(library, one.document)
        anchor = "" if source is None else marks.mark(source.name, "located", one.start, one.end)
        places.append((anchor, one.text))
    style = STYLES.get(pair.outcome, pair.outcome if pair.outcome in OUTCOMES else "unjudged")
    return ShownVerdict(f"v{number}", pair, style, symbol, words, places)


def _claim_marks(answer: str, verdicts: Iterable[ShownVerdict]) -> list[TextMark[tuple[ShownVerdict, ...]]]:
    """Where the judged claims stand in the answer, each with what was said of it."""
    by_claim: dict[str, list[ShownVerdict]] = {}
    for verdict in verdicts:
        by_claim.setdefault(verdict.pair.claim, []).append(verdict)
    found = []
    for claim, all_said in by_claim.items():
        # Whether it is supported is what a reader looks for; the list below has what else was asked.
        said = [one for one in all_said if one.pair.question == "support"] or all_said
        # A claim is judged without its marker, which may stand before the full stop.
        for words in filter(str.strip, (claim, claim.rstrip(" .!?"))):
            start = answer.find(words)
            if start >= 0:
                found.append(TextMark(start, start + len(words), tuple(said)))
                break
    return found
