"""One query of a run: its answer beside the documents, with what was cited, judged, and right.

The verdicts are those that the run kept. Nothing is judged again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from pincite.citations.parse import parse
from pincite.records import ItemResult, JudgedPair, ScoredSpan, Source, SpanTarget
from pincite.reports.html.answer_page import AROUND, CLAIM_WORDS, WHOLE, InSource, SourceView
from pincite.reports.html.marking import Gap, Piece, TextMark, cut, keep_near
from pincite.reports.html.page import render_file
from pincite.reports.html.run_page import query_row
from pincite.sources.library import Library

OUTCOMES = {
    "supported": CLAIM_WORDS["supported"],
    "not_enough": CLAIM_WORDS["unsupported"],
    "contradicted": CLAIM_WORDS["contradicted"],
    "unjudged": CLAIM_WORDS["unjudged"],
}
"""The symbol and the words of a verdict."""
STYLES = {"not_enough": "unsupported"}
MOST_DOCUMENTS = 20
KINDS = {"cited": "cited by the answer", "located": "read by the judge", "gold": "right by the dataset"}


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
    marks = _DocumentMarks(truth)
    for cited in cited_spans(item):
        marks.add_span("cited", cited)
    for gold in (truth.gold or ()) if truth is not None else ():
        marks.add_span("gold", gold)
    verdicts = [_verdict(number, pair, marks) for number, pair in enumerate(item.verdicts, start=1)]
    for document in (*item.documents, *item.cited_documents):
        marks.top(document)
    answer = item.answer or ""
    return {
        "title": f"Pincite: {item.query_id}",
        "run_title": run_title,
        "item": item,
        "row": query_row(item),
        "pieces": cut(answer, _claim_marks(answer, verdicts)),
        "verdicts": verdicts,
        "sources": marks.views(),
        "kinds": KINDS,
        "truth": truth,
        "gold": [] if truth is None else [_told(span) for span in truth.gold or ()],
        "other_gold": [] if truth is None else [[_told(span) for span in one] for one in truth.other_gold],
    }


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


def _cited(cited: dict[str, Any]) -> ScoredSpan:
    def whole(name: str) -> int | None:
        value = cited.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    name = str(cited.get("file_name") or cited.get("document") or "")
    return ScoredSpan(name, whole("page_number"), whole("start_char"), whole("end_char"))


def _told(span: ScoredSpan) -> str:
    page = "" if span.page is None else f", page {span.page}"
    place = "" if span.start is None else f", characters {span.start}–{span.end}"
    return f"{span.document}{page}{place}"


def _verdict(number: int, pair: JudgedPair, marks: _DocumentMarks) -> ShownVerdict:
    symbol, words = OUTCOMES.get(pair.outcome, ("", pair.outcome.replace("_", " ")))
    places = [(marks.add("located", one.document, one.start, one.end), one.text) for one in pair.evidence]
    style = STYLES.get(pair.outcome, pair.outcome if pair.outcome in OUTCOMES else "unjudged")
    return ShownVerdict(f"v{number}", pair, style, symbol, words, places)


def _claim_marks(answer: str, verdicts: Iterable[ShownVerdict]) -> list[TextMark[tuple[ShownVerdict, ...]]]:
    """Where the judged claims stand in the answer, each with all that was said of it."""
    by_claim: dict[str, list[ShownVerdict]] = {}
    for verdict in verdicts:
        by_claim.setdefault(verdict.pair.claim, []).append(verdict)
    found = []
    for claim, said in by_claim.items():
        # A claim is judged without its marker, which may stand before the full stop.
        for words in filter(str.strip, (claim, claim.rstrip(" .!?"))):
            start = answer.find(words)
            if start >= 0:
                found.append(TextMark(start, start + len(words), tuple(said)))
                break
    return found


def find_source(library: Library, name: str) -> Source | None:
    """The document that a name means, where that leaves no doubt."""
    if (found := library.get(name)) is not None:
        return found
    fitting = library.find(name) if name else ()
    return fitting[0] if len(fitting) == 1 else None


class _DocumentMarks:
    """The marks of the documents that are at hand."""

    def __init__(self, truth: KnownTruth | None) -> None:
        self._truth = truth
        self._marks: dict[str, dict[tuple[str, int, int], TextMark[InSource]]] = {}

    def top(self, document: str) -> Source | None:
        """The document, which is then shown; None where it is not at hand."""
        source = None if self._truth is None else find_source(self._truth.library, document)
        if source is None or (source.name not in self._marks and len(self._marks) >= MOST_DOCUMENTS):
            return None
        self._marks.setdefault(source.name, {})
        return source

    def add(self, kind: Any, document: str, start: int, end: int) -> str:
        source = self.top(document)
        if source is None or not 0 <= start <= end <= len(source.text):
            return ""
        number = list(self._marks).index(source.name) + 1
        anchor = f"s{number}-{kind[0]}{start}-{end}"
        self._marks[source.name].setdefault(
            (kind, start, end), TextMark(start, end, InSource(kind, anchor, KINDS[kind]))
        )
        return anchor

    def add_span(self, kind: Any, span: ScoredSpan) -> None:
        source = self.top(span.document)
        if source is None or span.start is None or span.end is None:
            return
        base = 0
        if self._truth is not None and self._truth.offsets == "page" and span.page is not None:
            starts = source.page_starts or ()
            if not 1 <= span.page <= len(starts):
                return
            base = starts[span.page - 1]
        self.add(kind, span.document, base + span.start, base + span.end)

    def views(self) -> list[SourceView]:
        library = Library() if self._truth is None else self._truth.library
        found = ((number, library.get(name)) for number, name in enumerate(self._marks, start=1))
        return [self._view(number, source) for number, source in found if source is not None]

    def _view(self, number: int, source: Source) -> SourceView:
        marks: Sequence[TextMark[InSource]] = list(self._marks[source.name].values())
        breaks = [
            TextMark(start, start, InSource("page", "", f"page {page}"))
            for page, start in enumerate(source.page_starts or (), start=1)
        ]
        whole = cut(source.text, [*breaks, *marks])
        pieces: list[Piece[InSource] | Gap] = list(whole)
        if len(source.text) > WHOLE:
            pieces = keep_near(whole, [(one.start, one.end) for one in marks] or [(0, 0)], AROUND)
        title = source.title if source.title and source.title != source.name else ""
        return SourceView(f"s{number}", source.name, title, pieces, len(source.text))
