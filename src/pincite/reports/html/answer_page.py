"""Answers beside their sources: every claim and marker with its verdict, every finding with its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from msgspec import Struct

from pincite.config import Limits
from pincite.findings.catalogue import RULES, Rule
from pincite.findings.summary import combine
from pincite.records import (
    ClaimStanding,
    Finding,
    JudgedCitation,
    Report,
    SkippedSentence,
    Source,
    Span,
    Standing,
    Summary,
)
from pincite.reports.findings.totals import Presentation, count_lines, usage_lines, verdict_line
from pincite.reports.html.marking import Gap, Piece, TextMark, cut, keep_near
from pincite.reports.html.page import render_file
from pincite.reports.wording import where
from pincite.sources.library import Library
from pincite.sources.page_pictures import PageBox, PagePicture, draw_marked_pages
from pincite.sources.readers.pdf_process import shared_process

WHOLE = 40_000
"""A source up to this length is shown whole; of a longer one only what lies near a mark."""
AROUND = 1_500
"""Characters before and after a mark that are shown of a long source."""
PICTURES, PICTURES_OF_SOURCE = 30, 10
"""Pages of PDFs that a file shows as pictures, and those of one source. Each weighs up to 200 kB."""
QUOTED = 300
"""Characters of a claim or a passage that a finding quotes."""

CLAIM_WORDS: dict[ClaimStanding, tuple[str, str]] = {
    "supported": ("✓", "supported"),
    "doubtful": ("≈", "probably supported"),
    "unsupported": ("✗", "not supported"),
    "contradicted": ("≠", "contradicted"),
    "unjudged": ("?", "not judged"),
    "uncited": ("○", "no citation"),
}
"""A symbol and words for each verdict: colour alone says nothing to many readers."""
CITATION_WORDS: dict[Standing, tuple[str, str]] = {
    "behind_no_claim": ("–", "cited for no claim"),
    "correct": ("✓", "supports the claim"),
    "doubtful": ("≈", "probably supports the claim"),
    "unjudged": ("?", "not judged"),
    "incorrect": ("✗", "does not support the claim"),
    "contradicted": ("≠", "contradicts the claim"),
    "misquoted": ("”", "misquoted"),
    "broken": ("⌀", "points nowhere"),
}
"""Worst last: a marker with several targets shows the worst of them."""


class InAnswer(Struct, frozen=True):
    """What a stretch of an answer is marked as."""

    kind: Literal["claim", "marker", "finding"]
    style: str
    symbol: str = ""
    words: str = ""
    title: str = ""
    link: str = ""
    """The anchor of the cited place, or of the finding."""
    anchor: str = ""
    finding: str = ""
    """The anchor of the first finding here."""


class InSource(Struct, frozen=True):
    """What a stretch of a source is marked as."""

    kind: Literal["cited", "located", "gold", "page"]
    anchor: str
    words: str = ""
    page: int = 0
    """Of a page's begin, its number."""


class PageView(Struct, frozen=True):
    """The picture of a page, with what is marked on it."""

    anchor: str
    picture: PagePicture
    boxes: list[tuple[InSource, PageBox]]


class ShownFinding(Struct, frozen=True):
    """A finding as the page shows it."""

    anchor: str
    finding: Finding
    rule: Rule | None
    claim: list[Piece[str]]
    """The judged claim; marked are the words that decided."""
    source: list[Piece[str]]
    source_name: str
    source_link: str
    diff: tuple[str, str] | None
    """What a fix takes out and puts in."""


class AnswerView(Struct, frozen=True):
    """One answer of the page."""

    anchor: str
    name: str
    query: str
    pieces: list[Piece[InAnswer]]
    findings: list[ShownFinding]
    unjudged: list[tuple[str, str]]
    """Citations that nobody could judge, each with the reason."""
    skipped: list[tuple[str, str]]
    summary: Summary


class SourceView(Struct, frozen=True):
    """One source of the page."""

    anchor: str
    name: str
    title: str
    pieces: list[Piece[InSource] | Gap]
    characters: int
    pages: dict[int, PageView] = {}
    """The pictures of a PDF's pages, by page."""
    pages_note: str = ""
    """Why there are no pictures, or no more."""


def write(reports: Sequence[Report], how: Presentation) -> str:
    """All answers of a check in one page."""
    return render_file("answers.html", **answer_values(reports, how))


def answer_values(reports: Sequence[Report], how: Presentation) -> dict[str, Any]:
    """What `answers.html` shows."""
    sources = _SourceMarks(how.library or Library(), reports, how.settings.limits)
    answers = []
    for number, report in enumerate(reports, start=1):
        answers.append(_answer(f"a{number}", report, sources))
    findings = [shown.finding for answer in answers for shown in answer.findings]
    codes = sorted({finding.code for finding in findings})
    return {
        "title": f"Pincite: {verdict_line(reports)}",
        "verdict": verdict_line(reports),
        "lines": [*count_lines(reports, how.settings), *usage_lines(reports, how.usage)],
        "total": combine(report.summary for report in reports),
        "answers": answers,
        "sources": sources.views(),
        "claim_words": CLAIM_WORDS,
        "codes": codes,
        "severities": [
            name for name in ("error", "warning", "note") if any(f.severity == name for f in findings)
        ],
        "documents": sorted({f.source.document for f in findings if f.source is not None}),
        "rules": [RULES[code] for code in codes if code in RULES],
        "unread": sorted({(one.name, one.reason) for report in reports for one in report.unread}),
    }


class _SourceMarks:
    """The marks of all sources, gathered while the answers are read."""

    def __init__(self, library: Library, reports: Sequence[Report], limits: Limits) -> None:
        self._given, self._limits = library, limits
        came_with = [source for report in reports for source in report.answer.sources]
        self._library = library.extended(came_with) if came_with else library
        self._marks: dict[str, dict[tuple[str, int, int], TextMark[InSource]]] = {}
        self._anchors: dict[str, str] = {}

    def mark(self, document: str | None, kind: Literal["cited", "located"], start: int, end: int) -> str:
        """TextMark a place once, and give its anchor; nothing for a document that is not at hand."""
        source = None if document is None else self._library.get(document)
        if source is None or start > len(source.text):
            return ""
        key = (kind, start, end)
        anchor = f"{self._anchor(source.name)}-{kind[0]}{start}-{end}"
        self._marks[source.name].setdefault(key, TextMark(start, end, InSource(kind, anchor)))
        return anchor

    def top(self, document: str | None) -> str:
        """The anchor of the document itself."""
        source = None if document is None else self._library.get(document)
        return "" if source is None else self._anchor(source.name)

    def _anchor(self, name: str) -> str:
        self._marks.setdefault(name, {})
        return self._anchors.setdefault(name, f"s{len(self._anchors) + 1}")

    def views(self) -> list[SourceView]:
        left, made = PICTURES, []
        with shared_process():
            for name in self._marks:
                if (source := self._library.get(name)) is not None:
                    made.append(self._view(source, min(left, PICTURES_OF_SOURCE)))
                    left -= len(made[-1].pages)
        return made

    def _view(self, source: Source, most: int) -> SourceView:
        marks = list(self._marks[source.name].values())
        # Only what the user gave may name a file: a source that came with an answer may say anything.
        is_given = self._given.get(source.name) is source
        spans = [Span(one.start, one.end) for one in marks] if is_given else []
        drawn = draw_marked_pages(source, spans, self._limits, most)
        starts = source.page_starts or ()
        breaks = [
            TextMark(start, start, InSource("page", "", f"page {number}", number))
            for number, start in enumerate(starts, start=1)
        ]
        pieces: list[Piece[InSource] | Gap] = list(cut(source.text, [*breaks, *marks]))
        if len(source.text) > WHOLE:
            shown_pages = [starts[one.page - 1] for one in drawn.pictures]
            near = [*((one.start, one.end) for one in marks), *((start, start) for start in shown_pages)]
            pieces = keep_near(cut(source.text, [*breaks, *marks]), near or [(0, 0)], AROUND)
        title = source.title if source.title and source.title != source.name else ""
        pages = {
            one.page: PageView(
                f"{self._anchor(source.name)}-p{one.page}",
                one,
                [(marks[box.mark].value, box) for box in one.boxes],
            )
            for one in drawn.pictures
        }
        return SourceView(
            self._anchor(source.name), source.name, title, pieces, len(source.text), pages, drawn.note
        )


def _answer(anchor: str, report: Report, sources: _SourceMarks) -> AnswerView:
    text = report.answer.text
    findings = [
        _finding(f"{anchor}-f{number}", finding, text, sources)
        for number, finding in enumerate(report.findings, start=1)
    ]
    judged = report.judged
    return AnswerView(
        anchor,
        report.answer.name,
        report.answer.query or "",
        cut(text, _answer_marks(anchor, report, findings, sources)),
        findings,
        [(text[one.start : one.end], one.reason) for one in judged.citations if one.standing == "unjudged"],
        [_skipped(one, text) for one in judged.skipped],
        report.summary,
    )


def _answer_marks(
    anchor: str, report: Report, findings: Sequence[ShownFinding], sources: _SourceMarks
) -> Iterable[TextMark[InAnswer]]:
    # The first finding about each claim and at each place; a page may have thousands of both.
    of_claim = {f.finding.claim.start: f.anchor for f in reversed(findings) if f.finding.claim is not None}
    at_place = {f.finding.start: f.anchor for f in reversed(findings)}
    for number, claim in enumerate(report.judged.claims):
        symbol, words = CLAIM_WORDS[claim.standing]
        first = of_claim.get(claim.start, "")
        yield TextMark(
            claim.start,
            claim.end,
            InAnswer("claim", claim.standing, symbol, words, anchor=f"{anchor}-c{number}", finding=first),
        )
    by_marker: dict[tuple[int, int], list[JudgedCitation]] = {}
    for citation in report.judged.citations:
        by_marker.setdefault((citation.start, citation.end), []).append(citation)
    order = list(CITATION_WORDS)
    for (start, end), citations in by_marker.items():
        links = [_link(citation, sources) for citation in citations]
        worst = max(citations, key=lambda one: order.index(one.standing))
        symbol, words = CITATION_WORDS[worst.standing]
        title = "; ".join(
            f"{one.target}: {CITATION_WORDS[one.standing][1]} ({one.reason})" for one in citations
        )
        yield TextMark(
            start,
            end,
            InAnswer(
                "marker",
                worst.standing,
                symbol,
                words,
                title,
                next(filter(None, links), ""),
                finding=at_place.get(start, ""),
            ),
        )
    for found in findings:
        finding = found.finding
        yield TextMark(
            finding.start,
            finding.end,
            InAnswer("finding", finding.severity, anchor=f"{found.anchor}-here", finding=found.anchor),
        )


def _link(citation: JudgedCitation, sources: _SourceMarks) -> str:
    """TextMark what is cited and what was found there; the anchor to show first."""
    cited = [sources.mark(citation.document, "cited", one.start, one.end) for one in citation.cited]
    located = [sources.mark(citation.document, "located", one.start, one.end) for one in citation.located]
    return next(filter(None, (*cited, *located)), sources.top(citation.document))


def _finding(anchor: str, finding: Finding, text: str, sources: _SourceMarks) -> ShownFinding:
    claim = finding.claim.of(text) if finding.claim is not None else text[finding.start : finding.end]
    source, link, name = finding.source, "", ""
    if source is not None:
        name = where(source)
        link = sources.top(source.document)
        if source.start is not None and source.end is not None:
            link = sources.mark(source.document, "located", source.start, source.end) or link
    fix = finding.fix
    return ShownFinding(
        anchor,
        finding,
        RULES.get(finding.code),
        _quoted(claim, finding.mark),
        _quoted(source.text, source.mark) if source is not None else [],
        name,
        link,
        (text[fix.start : fix.end], fix.replacement) if fix is not None else None,
    )


def _quoted(text: str, words: str | None) -> list[Piece[str]]:
    """The text, cut to a readable length around the words that decided, which are marked."""
    at = text.find(words) if words else -1
    low = max(0, at - QUOTED // 2) if at >= 0 and len(text) > QUOTED else 0
    high = min(len(text), low + QUOTED)
    marks = [TextMark(at - low, at - low + len(words or ""), "mark")] if at >= 0 else []
    pieces = cut(text[low:high], marks)
    cut_off: Piece[str] = Piece(0, 0, "…")
    return [*([cut_off] if low else []), *pieces, *([cut_off] if high < len(text) else [])]


def _skipped(one: SkippedSentence, text: str) -> tuple[str, str]:
    return text[one.start : one.end], one.role.replace("_", "-")
