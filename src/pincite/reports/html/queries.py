"""The queries of a run as pages show them: the answer, and the sources with what is cited, judged and right.

The verdicts are those that the run kept. Nothing is judged again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, cast

from msgspec import Struct

from pincite.citations import parse
from pincite.datasets import scored_spans
from pincite.errors import InputError
from pincite.metrics import spans_in
from pincite.records import ItemResult, JudgedPair, Place, Source
from pincite.reports.html.answer_page import CLAIM_WORDS
from pincite.reports.html.marks import MarkKind, Piece, SourceMarks, SourceView, TextMark, cut
from pincite.reports.html.page import render_file
from pincite.reports.runs.comparison import number
from pincite.sources import Library, Offsets, page_span

if TYPE_CHECKING:
    from pincite.datasets import Dataset, EvaluationQuery

OUTCOMES = {
    "supported": CLAIM_WORDS["supported"],
    "not_enough": CLAIM_WORDS["unsupported"],
    "contradicted": CLAIM_WORDS["contradicted"],
    "unjudged": CLAIM_WORDS["unjudged"],
}
"""The symbol and the words of a verdict."""
STYLES = {"not_enough": "unsupported"}
WHOLE, AROUND = 2_500, 500
"""As for the sources of an answer, but smaller: a page of a run shows hundreds of queries."""
MOST_DOCUMENTS = 20


class ShownVerdict(Struct, frozen=True):
    """A judged pair with the symbol and words of its verdict."""

    anchor: str
    pair: JudgedPair
    style: str
    symbol: str
    words: str
    places: list[tuple[str, str]]
    """Of its evidence: the anchor, where the document is at hand, and the words."""


class JudgedStretch(Struct, frozen=True):
    """A claim with what was said of it, or a marker with the place that it cites."""

    kind: Literal["claim", "marker"]
    style: str = ""
    """Of a claim, its verdict; empty where several passages led to different ones."""
    verdicts: tuple[ShownVerdict, ...] = ()
    link: str = ""
    """Of a marker, the anchor of the cited place."""


def show_verdicts(
    item: ItemResult, marks: SourceMarks, library: Library, prefix: str = ""
) -> list[ShownVerdict]:
    """The verdicts of a query. What the judge read is marked in its documents."""
    return [
        _shown(f"{prefix}v{number}", pair, marks, library)
        for number, pair in enumerate(item.verdicts, start=1)
    ]


def _shown(anchor: str, pair: JudgedPair, marks: SourceMarks, library: Library) -> ShownVerdict:
    symbol, words = OUTCOMES.get(pair.outcome, ("", pair.outcome.replace("_", " ")))
    places = []
    for one in pair.evidence:
        source = find_source(library, one.document) if one.start < one.end else None
        place = "" if source is None else marks.mark(source.name, "located", one.start, one.end)
        places.append((place, one.text))
    style = STYLES.get(pair.outcome, pair.outcome if pair.outcome in OUTCOMES else "unjudged")
    return ShownVerdict(anchor, pair, style, symbol, words, places)


def answer_pieces(
    item: ItemResult,
    verdicts: Iterable[ShownVerdict],
    links: Mapping[Place, str],
    library: Library,
    offsets: Offsets = "document",
) -> list[Piece[JudgedStretch]]:
    """The answer, cut where claims and markers begin and end. `links` has the anchors of what is cited."""
    answer = item.answer or ""
    return cut(answer, [*_claim_marks(answer, verdicts), *_marker_marks(answer, links, library, offsets)])


def _claim_marks(answer: str, verdicts: Iterable[ShownVerdict]) -> Iterator[TextMark[JudgedStretch]]:
    by_claim: dict[str, list[ShownVerdict]] = {}
    for verdict in verdicts:
        by_claim.setdefault(verdict.pair.claim, []).append(verdict)
    for claim, all_said in by_claim.items():
        # Whether it is supported is what a reader looks for; the list below has what else was asked.
        said = [one for one in all_said if one.pair.question == "support"] or all_said
        styles = {one.style for one in said}
        stretch = JudgedStretch("claim", styles.pop() if len(styles) == 1 else "", tuple(said))
        # A claim is judged without its marker, which may stand before the full stop.
        for words in filter(str.strip, (claim, claim.rstrip(" .!?"))):
            start = answer.find(words)
            if start >= 0:
                yield TextMark(start, start + len(words), stretch)
                break


def _marker_marks(
    answer: str, links: Mapping[Place, str], library: Library, offsets: Offsets
) -> Iterator[TextMark[JudgedStretch]]:
    for citation in parse(answer).citations if links else ():
        found = (links.get(place_key(library, span, offsets), "") for span in spans_in(citation.targets))
        if link := next(filter(None, found), ""):
            yield TextMark(citation.start, citation.end, JudgedStretch("marker", link=link))


# --- the places that an answer cites -------------------------------------------------------------


def cited_spans(item: ItemResult) -> list[Place]:
    """What the answer cites: by the list that came with it, or else by the markers in its text."""
    if item.citations is not None:
        return [_cited(one) for one in item.citations]
    return [span for one in parse(item.answer or "").citations for span in spans_in(one.targets)]


def _cited(citation: Mapping[str, Any]) -> Place:
    """A citation as a system gave it: nothing in it is certain."""
    names = (citation.get(key) for key in ("file_name", "document_id", "file_path", "title", "text"))
    name = next((one for one in names if isinstance(one, str) and one), "")
    page, start, end = (_whole_number(citation.get(key)) for key in ("page_number", "start_char", "end_char"))
    return Place(name, page, start, end)


def _whole_number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def find_source(library: Library, name: str) -> Source | None:
    """The document that a name means, where that leaves no doubt."""
    if (known := library.get(name)) is not None:
        return known
    found = library.find(name) if name else ()
    return found[0] if len(found) == 1 else None


def mark_span(marks: SourceMarks, library: Library, kind: MarkKind, span: Place, offsets: Offsets) -> str:
    """Mark a span where its document is at hand, a page alone as a whole; the anchor to go to."""
    source = find_source(library, span.document)
    if source is None:
        return ""
    page = None if span.page is None else page_span(source, span.page)
    if span.start is None or span.end is None:
        return marks.top(source.name) if page is None else marks.mark(source.name, kind, page.start, page.end)
    base = page.start if offsets == "page" and page is not None else 0
    start, end = base + span.start, base + span.end
    fits = start < end <= len(source.text)
    return marks.mark(source.name, kind, start, end) if fits else marks.top(source.name)


def told_place(span: Place) -> str:
    """`report.pdf, page 3, characters 10–20`."""
    page = f"page {span.page}" if span.page is not None else ""
    place = f"characters {span.start}–{span.end}" if span.start is not None and span.end is not None else ""
    return ", ".join(filter(None, (span.document or "no document", page, place)))


def place_key(library: Library, span: Place, offsets: Offsets) -> Place:
    """The same for every way to name one place; a page beside offsets of the document adds nothing."""
    source = find_source(library, span.document)
    page = span.page if span.start is None or offsets == "page" else None
    return Place(span.document if source is None else source.name, page, span.start, span.end)


# --- the answers beside their sources -------------------------------------------------------------


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
    given: list[tuple[MarkKind, Place]] = [("gold", one) for of in sets for one in scored_spans(of)]
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
        marks.render_views(),
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


class QueryRow(Struct, frozen=True):
    """One query of a run, opened to its answer."""

    item: ItemResult
    mean: float
    """Of its scores between 0 and 1."""
    results: list[tuple[str, str]]
    left_out: list[str]
    about: QuerySources = QuerySources([])

    @property
    def anchor(self) -> str:
        return f"q{self.item.position + 1}"


def query_row(item: ItemResult) -> QueryRow:
    scored = [(result.metric, result.score) for result in item.results if result.score is not None]
    shares = [score for _, score in scored if 0.0 <= score <= 1.0]
    mean = sum(shares) / len(shares) if shares else 0.0
    left_out = [
        f"{result.metric}: {', '.join(f'{reason} {count}' for reason, count in result.reasons.items())}"
        for result in item.results
        if result.score is None and result.reasons
    ]
    figures = [(name, number(score)) for name, score in scored]
    return QueryRow(item, mean, figures, left_out)


# --- one query on a page of its own ---------------------------------------------------------------


class KnownTruth(Struct, frozen=True):
    """What the dataset says about a query, and its documents."""

    library: Library
    gold: tuple[Place, ...] | None = None
    other_gold: tuple[tuple[Place, ...], ...] = ()
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
        "sources": marks.render_views(),
        "truth": truth,
        "gold": gold,
        "first": next(filter(None, (*links.values(), *(one.link for one in gold))), ""),
        "other_gold": [[told_place(span) for span in one] for one in (truth.other_gold if truth else ())],
    }
