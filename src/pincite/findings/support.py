"""Does what is cited support what is claimed (PIN201, PIN202, PIN203, PIN205, PIN206)?

A claim with several citations is first judged on each alone and on all together: each may carry a part of it.
A citation that does not support the claim alone is excused when all together do, and better than the others
without it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection

import msgspec
from msgspec import Struct

from pincite.findings.number_fix import NUMBER_CAUSES, mended, number_fix, value_fix
from pincite.findings.places import Places, excerpt_of
from pincite.findings.questions import Questions, told
from pincite.findings.reading import CitedTarget, Reading
from pincite.findings.relocate import (
    SURE,
    marker_fix,
    mostly_inside,
    moved_target,
    moved_whole,
    named_place,
    other_places,
    other_wholes,
)
from pincite.findings.shown import passages_for
from pincite.judges.values import judge_value
from pincite.records import (
    Citation,
    Claim,
    Explanation,
    Finding,
    Fix,
    Match,
    Pair,
    Passage,
    PathTarget,
    Severity,
    SourceExcerpt,
    Span,
    Target,
    Verdict,
)
from pincite.sources.locate import shared_passage
from pincite.text.terms import find_terms

ADDS = 0.1
"""How much a citation must add to what the others support, to be no idle one."""

DOUBTED: Severity = "warning"
"""What an unsupported claim is when the judge only finds it likely."""
UNTOLD: Severity = "note"
"""What it would be with so small a doubt that it is counted and not told."""

MOST_TOGETHER = 30
"""A claim with more targets than this has a heap of them behind it: each must support it alone."""


class Meeting:
    """One claim and one of its targets, with what was asked about them."""

    def __init__(self, claim: int, span: Span, cited: CitedTarget, passages: tuple[Passage, ...]) -> None:
        self.claim = claim
        self.span = span
        """Where the claim stands."""
        self.cited = cited
        self.passages = passages
        self.pair: Pair | None = None
        """What the judge is asked about, or would be."""
        self.alone: int | None = None
        self.value: Verdict | None = None
        """Decided without the judge: a value in JSON is compared, not read, and dots support nothing."""
        self.together: int | None = None
        self.others: int | None = None
        """All targets of the claim but this one."""
        self.elsewhere: list[tuple[Match, int]] = []
        self.fix: Fix | None = None
        """The source's number instead of the claim's."""
        self.fixed: int | Verdict | None = None
        """What the judge says of the claim with that number: the ticket of the question, or the verdict."""


class SupportCase(Struct, frozen=True):
    meetings: tuple[Meeting, ...]
    explained: frozenset[int]
    """Targets whose quote is already known to be wrong: only a sure contradiction is news about them."""


class Judged(Struct, frozen=True):
    findings: tuple[Finding, ...]
    decided: int
    unjudged: int
    doubtful: tuple[Finding, ...] = ()
    """What would be told if the doubt were larger."""


def ask(
    reading: Reading, questions: Questions, explained: Collection[int], quoted: Collection[int] = ()
) -> SupportCase:
    """Ask about every claim and each of its targets, alone and together.

    `explained` are the targets whose quote is wrong, `quoted` those at which a quote stands.
    """
    meetings: list[Meeting] = []
    for index, claim in enumerate(told("looking up what is cited", reading.claims, reading.tell)):
        cited_here = [cited for cited in reading.targets_of[index] if cited.evidence.status == "found"]
        shown = {cited.target: cited for cited in cited_here}
        passages = {
            target: passages_for(claim.text, cited, reading, cited.ordinal in quoted)
            for target, cited in shown.items()
        }
        group = [Meeting(index, claim.span, cited, passages[cited.target]) for cited in cited_here]
        ends = sorted(cited.citation.end for cited in reading.targets_of[index])
        for meeting in group:
            meeting.pair = Pair(claim.text, meeting.passages)
            if isinstance(meeting.cited.target, PathTarget):
                before = _before_marker(meeting.cited.citation, claim, ends, reading.answer.text)
                meeting.value = judge_value(meeting.passages, claim.text, before)
            elif not any(_has_words(found.text) for found in meeting.passages):
                meeting.value = Verdict(
                    "not_enough", 0.0, "the cited place contains no words", cause="coverage"
                )
            if meeting.value is None:
                meeting.alone = questions.ask(meeting.pair)
        if 1 < len(group) <= MOST_TOGETHER:
            joint = questions.ask(Pair(claim.text, _all_passages(group)))
            for meeting in group:
                meeting.together = joint
        meetings += group
    return SupportCase(tuple(meetings), frozenset(explained))


def ask_again(case: SupportCase, reading: Reading, questions: Questions) -> None:
    """Ask, about what failed alone, whether the others do without it, whether another place would do, and
    whether the source's number would."""
    by_claim: dict[int, list[Meeting]] = {}
    for meeting in case.meetings:
        by_claim.setdefault(meeting.claim, []).append(meeting)
    for meeting in told("looking for better places", case.meetings, reading.tell):
        if _alone(meeting, questions).outcome not in ("not_enough", "contradicted"):
            continue
        claim = reading.claims[meeting.claim]
        _try_number(meeting, claim, reading, questions)
        if meeting.together is not None and questions.verdict(meeting.together).outcome == "supported":
            rest = [other for other in by_claim[meeting.claim] if other is not meeting]
            meeting.others = questions.ask(Pair(claim.text, _all_passages(rest)))
        if isinstance(meeting.cited.target, PathTarget):
            continue
        if meeting.cited.evidence.whole:
            cited_here = [other.cited for other in by_claim[meeting.claim]]
            if _alone(meeting, questions).outcome == "not_enough" and len(cited_here) <= MOST_TOGETHER:
                for match, passages in other_wholes(claim.text, meeting.cited, cited_here, reading):
                    meeting.elsewhere.append((match, questions.ask(Pair(claim.text, passages))))
            continue
        source = reading.library.get(meeting.cited.evidence.document or "")
        if source is None or not meeting.passages:
            continue
        cited_place = Span(meeting.passages[0].start, meeting.passages[0].end)
        beside = _places_beside(meeting, by_claim[meeting.claim])
        for match in other_places(claim.text, source, cited_place, reading):
            # Moving there would cite the same place twice.
            if any(mostly_inside(match, span) for span in beside):
                continue
            pair = Pair(claim.text, (shared_passage(source, match.start, match.end),))
            meeting.elsewhere.append((match, questions.ask(pair)))


def _try_number(meeting: Meeting, claim: Claim, reading: Reading, questions: Questions) -> None:
    """Ask whether the claim would pass with the source's number: no fix is offered that does not help."""
    verdict, text = _alone(meeting, questions), reading.answer.text
    if verdict.outcome == "supported" or verdict.cause not in NUMBER_CAUSES:
        return
    if meeting.value is None:
        meeting.fix = number_fix(verdict, claim, text, meeting.passages)
        if meeting.fix is not None:
            meeting.fixed = questions.ask(Pair(mended(claim.text, verdict), meeting.passages))
        return
    words, instead = verdict.claim_text, verdict.evidence_text
    sentence = text[claim.start : claim.end]
    if words and instead and sentence.count(words) == 1:
        # A value stands alone; the marker says what it is the value of.
        meeting.fix = value_fix(words, instead, claim, sentence)
        meeting.fixed = judge_value(meeting.passages, mended(claim.text, verdict), instead)


def _passing_fix(meeting: Meeting, questions: Questions) -> Fix | None:
    """The number's fix, if nothing would be told about the claim that it makes."""
    fixed = questions.verdict(meeting.fixed) if isinstance(meeting.fixed, int) else meeting.fixed
    passes = fixed is not None and (fixed.outcome == "supported" or fixed.doubtful)
    return meeting.fix if passes else None


def _places_beside(meeting: Meeting, group: list[Meeting]) -> list[Span]:
    """What the claim's other targets cite in the same source, characters only and no whole documents."""
    if len(group) > MOST_TOGETHER:
        return []
    document = meeting.cited.evidence.document
    return [
        Span(found.start, found.end)
        for other in group
        if other is not meeting
        and other.cited.evidence.document == document
        and not other.cited.evidence.whole
        for found in other.passages
    ]


def tell(case: SupportCase, reading: Reading, questions: Questions, place: Places) -> Judged:
    """One finding a meeting that failed."""
    findings: list[Finding] = []
    doubtful: list[Finding] = []
    # Markers that close a paragraph share its sentences out among them: each sentence needs one of them, and
    # each of them a sentence.
    supported = [m for m in case.meetings if _alone(m, questions).outcome == "supported"]
    borne = {meeting.claim for meeting in supported}
    bearing = {meeting.cited.ordinal for meeting in supported}
    decided = unjudged = 0
    for meeting in case.meetings:
        verdict = _alone(meeting, questions)
        if verdict.outcome == "unjudged":
            unjudged += 1
            findings.append(_explained(_finding("PIN206", verdict.reason, meeting, place), meeting, verdict))
            continue
        decided += 1
        if verdict.outcome == "supported" or _excused(meeting, questions):
            continue
        if verdict.outcome == "not_enough" and meeting.claim in borne and meeting.cited.ordinal in bearing:
            continue
        finding = _explained(_failed(meeting, verdict, reading, questions, place), meeting, verdict)
        news = verdict.sure and finding.code in ("PIN202", "PIN203")
        if meeting.cited.ordinal in case.explained and not news:
            continue
        (doubtful if finding.severity == "note" else findings).append(finding)
    return Judged(tuple(findings), decided, unjudged, tuple(doubtful))


def _explained(finding: Finding, meeting: Meeting, verdict: Verdict) -> Finding:
    assert meeting.pair is not None
    return msgspec.structs.replace(finding, explanation=Explanation(meeting.pair, verdict))


def _alone(meeting: Meeting, questions: Questions) -> Verdict:
    if meeting.value is not None:
        return meeting.value
    assert meeting.alone is not None
    return questions.verdict(meeting.alone)


def _excused(meeting: Meeting, questions: Questions) -> bool:
    if meeting.value is not None or meeting.together is None or meeting.others is None:
        return False
    together, others = questions.verdict(meeting.together), questions.verdict(meeting.others)
    if together.outcome != "supported":
        return False
    return others.outcome != "supported" or (others.score or 0.0) < (together.score or 0.0) - ADDS


def _failed(
    meeting: Meeting, verdict: Verdict, reading: Reading, questions: Questions, place: Places
) -> Finding:
    better = [
        (questions.verdict(ticket), match)
        for match, ticket in meeting.elsewhere
        if questions.verdict(ticket).outcome == "supported"
    ]
    if verdict.outcome == "contradicted" or verdict.doubtful:
        # What speaks against the claim weighs more than another place that may be about something else, and
        # where the cited place may well do, only a place that surely does is worth a word.
        better = [found for found in better if (found[0].score or 0.0) >= SURE]
    # What a judge is not sure of must not fail a build: it is told as likely, and as a warning.
    probably, severity = ("", None) if verdict.sure else ("probably ", DOUBTED)
    if better:
        best, match = max(better, key=lambda found: found[0].score or 0.0)
        return _moved(meeting, match, (best.score or 0.0) >= SURE, reading, place)
    if verdict.doubtful:
        probably, severity = "doubtful, perhaps ", UNTOLD
    shown = _shown(meeting, verdict, reading.claims[meeting.claim].text)
    named = bool(verdict.claim_text and verdict.evidence_text)
    if named and verdict.cause in NUMBER_CAUSES:
        message = f"{probably}contradicted: {verdict.reason}" if probably else verdict.reason
        fix, mark = _passing_fix(meeting, questions), verdict.claim_text
        return _finding("PIN203", message, meeting, place, shown, fix, mark, severity)
    if verdict.outcome == "contradicted" and (named or verdict.sure):
        message = f"{probably}contradicted: {verdict.reason}" if probably else verdict.reason
        return _finding("PIN202", message, meeting, place, shown, mark=verdict.claim_text, severity=severity)
    message = f"{probably}not supported: {verdict.reason}"
    return _finding("PIN201", message, meeting, place, shown, severity=severity)


def _moved(meeting: Meeting, match: Match, safe: bool, reading: Reading, place: Places) -> Finding:
    source = reading.library.get(match.document)
    assert source is not None
    target: Target | None = moved_target(meeting.cited, reading, source, match.start, match.end)
    if meeting.cited.evidence.whole:
        target = moved_whole(meeting.cited, reading, source, match)
        # Another document may speak of another thing in the same words.
        safe = safe and match.document == meeting.cited.evidence.document
    where = named_place(meeting.cited, source, match)
    shown = SourceExcerpt(match.document, match.page, match.start, match.end, match.text)
    return _finding(
        "PIN205",
        f"the support for this claim is elsewhere: {where}",
        meeting,
        place,
        shown,
        marker_fix(meeting.cited, target, safe, "cite the place that supports the claim"),
    )


def _shown(meeting: Meeting, verdict: Verdict, claim: str) -> SourceExcerpt | None:
    """The sentence that the verdict rests on, or else the beginning of what was cited.

    Nothing where the judge names no sentence and what was cited has no word of the claim: it does not bear on
    the claim, and would only puzzle.
    """
    if not meeting.passages:
        return None
    if verdict.passage is not None and verdict.passage < len(meeting.passages):
        rested = meeting.passages[verdict.passage]
        if verdict.span is not None:
            return excerpt_of(rested, verdict.span.start, verdict.span.end, verdict.evidence_text)
        return excerpt_of(rested, mark=verdict.evidence_text)
    first = meeting.passages[0]
    return excerpt_of(first) if _shares_a_word(claim, first.text) else None


def _shares_a_word(claim: str, text: str) -> bool:
    wanted = {term.stem for term in find_terms(claim) if not term.stop}
    return any(term.stem in wanted for term in find_terms(text))


def _finding(
    code: str,
    message: str,
    meeting: Meeting,
    place: Places,
    shown: SourceExcerpt | None = None,
    fix: Fix | None = None,
    mark: str | None = None,
    severity: Severity | None = None,
) -> Finding:
    citation = meeting.cited.citation
    return place.finding(
        code,
        message,
        citation.start,
        citation.end,
        citation=citation.text,
        source=shown,
        fix=fix,
        targets=(meeting.cited.ordinal,),
        mark=mark,
        severity=severity,
        claim=meeting.span,
    )


def _has_words(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _all_passages(meetings: list[Meeting]) -> tuple[Passage, ...]:
    """Every passage once, in the order of the citations."""
    return tuple(dict.fromkeys(passage for meeting in meetings for passage in meeting.passages))


def _before_marker(marker: Citation, claim: Claim, ends: list[int], text: str) -> str:
    """The claim's words between the marker before and this one: where the value should stand."""
    earlier = bisect_right(ends, marker.start)
    start = max(claim.start, ends[earlier - 1]) if earlier else claim.start
    return text[start : max(claim.start, marker.start)]
