"""Answers beside their sources: every claim and marker with its verdict, every finding with its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from msgspec import Struct

from pincite.findings import RULES, Rule, combine
from pincite.records import ClaimStanding, Finding, JudgedCitation, Report, SourceExcerpt, Standing, Summary
from pincite.reports.display import where
from pincite.reports.findings.summary import Presentation, count_lines, usage_lines, verdict_line
from pincite.reports.html.marks import MarkKind, Piece, SourceMarks, TextMark, cut
from pincite.reports.html.page import render_file
from pincite.sources import Library

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


class ShownFinding(Struct, frozen=True):
    """A finding with what its card shows."""

    anchor: str
    finding: Finding
    rule: Rule | None
    claim: list[Piece[str]]
    """The judged claim; marked are the words that decided."""
    source: list[Piece[str]]
    document: str
    """That the finding is about; empty where it is about none."""
    source_name: str
    source_link: str
    diff: tuple[str, str] | None
    """What a fix takes out and puts in."""


class AnswerView(Struct, frozen=True):
    """One answer in pieces, with its findings."""

    anchor: str
    name: str
    query: str
    pieces: list[Piece[InAnswer]]
    findings: list[ShownFinding]
    unjudged: list[tuple[str, str]]
    """Citations that nobody could judge, each with the reason."""
    skipped: list[tuple[str, str]]
    summary: Summary


def write_answer_page(reports: Sequence[Report], how: Presentation) -> str:
    """All answers of a check in one page."""
    return render_file("answers.html", **answer_values(reports, how))


def answer_values(reports: Sequence[Report], how: Presentation) -> dict[str, Any]:
    """What `answers.html` shows."""
    sources = _marks_of(reports, how)
    answers = [_answer(f"a{number}", report, sources) for number, report in enumerate(reports, start=1)]
    findings = [shown.finding for answer in answers for shown in answer.findings]
    codes = sorted({finding.code for finding in findings})
    return {
        "title": f"Pincite: {verdict_line(reports)}",
        "verdict": verdict_line(reports),
        "lines": [*count_lines(reports, how.settings), *usage_lines(reports, how.usage)],
        "total": combine(report.summary for report in reports),
        "answers": answers,
        "sources": sources.render_views(),
        "claim_words": CLAIM_WORDS,
        "codes": codes,
        "severities": [
            name for name in ("error", "warning", "note") if any(f.severity == name for f in findings)
        ],
        "documents": sorted({one.document for answer in answers for one in answer.findings if one.document}),
        "rules": [RULES[code] for code in codes if code in RULES],
        "unread": sorted({(one.name, one.reason) for report in reports for one in report.unread}),
    }


def _marks_of(reports: Sequence[Report], how: Presentation) -> SourceMarks:
    given = how.library or Library()
    came_with = [source for report in reports for source in report.answer.sources]
    library = given.extended(came_with) if came_with else given
    # Only what the user gave may name a file: a source that came with an answer may say anything.
    return SourceMarks(library, drawn_from=given, limits=how.settings.limits)


def _answer(anchor: str, report: Report, sources: SourceMarks) -> AnswerView:
    text = report.answer.text
    at_place = {(one.start, one.end): one for one in report.judged.citations}
    findings = [
        _finding(f"{anchor}-f{number}", finding, text, at_place.get((finding.start, finding.end)), sources)
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
        [(text[one.start : one.end], one.role.replace("_", "-")) for one in judged.skipped],
        report.summary,
    )


def _answer_marks(
    anchor: str, report: Report, findings: Sequence[ShownFinding], sources: SourceMarks
) -> Iterable[TextMark[InAnswer]]:
    # The first finding about each claim and at each place; a page may have thousands of both.
    of_claim = {f.finding.claim.start: f.anchor for f in reversed(findings) if f.finding.claim is not None}
    at_place = {f.finding.start: f.anchor for f in reversed(findings)}
    for number, claim in enumerate(report.judged.claims):
        symbol, words = CLAIM_WORDS[claim.standing]
        here, first = f"{anchor}-c{number}", of_claim.get(claim.start, "")
        mark = InAnswer("claim", claim.standing, symbol, words, anchor=here, finding=first)
        yield TextMark(claim.start, claim.end, mark)
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
        link, first = next(filter(None, links), ""), at_place.get(start, "")
        mark = InAnswer("marker", worst.standing, symbol, words, title, link, finding=first)
        yield TextMark(start, end, mark)
    for found in findings:
        severity, here = found.finding.severity, f"{found.anchor}-here"
        mark = InAnswer("finding", severity, anchor=here, finding=found.anchor)
        yield TextMark(found.finding.start, found.finding.end, mark)


def _link(citation: JudgedCitation, sources: SourceMarks) -> str:
    """TextMark what is cited and what was found there; the anchor to show first."""
    cited = [sources.mark(citation.document, "cited", one.start, one.end) for one in citation.cited]
    located = [sources.mark(citation.document, "located", one.start, one.end) for one in citation.located]
    return next(filter(None, (*cited, *located)), sources.top(citation.document))


def _finding(
    anchor: str, finding: Finding, text: str, citation: JudgedCitation | None, sources: SourceMarks
) -> ShownFinding:
    claim = finding.claim.of(text) if finding.claim is not None else text[finding.start : finding.end]
    source, link, name = finding.source or _cited_there(citation, sources), "", ""
    if source is not None:
        name = where(source)
        link = sources.top(source.document)
        if source.start is not None and source.end is not None:
            kind: MarkKind = "located" if source is finding.source else "cited"
            link = sources.mark(source.document, kind, source.start, source.end) or link
    fix = finding.fix
    return ShownFinding(
        anchor,
        finding,
        RULES.get(finding.code),
        _quoted(claim, finding.mark),
        _quoted(source.text, source.mark) if source is not None else [],
        "" if source is None else source.document,
        name,
        link,
        (text[fix.start : fix.end], fix.replacement) if fix is not None else None,
    )


def _cited_there(citation: JudgedCitation | None, sources: SourceMarks) -> SourceExcerpt | None:
    """What stands at the cited place, for a finding that quotes no source, such as a wrong quotation."""
    source = None if citation is None else sources.source(citation.document)
    if citation is None or source is None or not (spans := citation.cited or citation.located):
        return None
    start, end = spans[0].start, spans[0].end
    return SourceExcerpt(source.name, citation.page, start, end, source.text[start:end])


def _quoted(text: str, words: str | None) -> list[Piece[str]]:
    """The text, cut to a readable length around the words that decided, which are marked."""
    at = text.find(words) if words else -1
    low = max(0, at - QUOTED // 2) if at >= 0 and len(text) > QUOTED else 0
    high = min(len(text), low + QUOTED)
    marks = [TextMark(at - low, at - low + len(words or ""), "mark")] if at >= 0 else []
    pieces = cut(text[low:high], marks)
    cut_off: Piece[str] = Piece(0, 0, "…")
    return [*([cut_off] if low else []), *pieces, *([cut_off] if high < len(text) else [])]
