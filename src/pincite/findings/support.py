"""Does what is cited support what is claimed (PIN201, PIN202, PIN203, PIN205, PIN206)?

Whether it does is decided in `reading.worth`. Here it is put into words, and a way to mend it is looked for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import Struct

from pincite.findings import relocate
from pincite.findings.number_fix import NUMBER_CAUSES, mended, number_fix, value_fix
from pincite.findings.places import Places, excerpt_at, excerpt_of
from pincite.judges import judge_value
from pincite.reading import (
    MOST_TOGETHER,
    CitedClaim,
    Meeting,
    Questions,
    Reading,
    Weighed,
    asked_alone,
    needs_others,
    told,
    verdict_alone,
)
from pincite.records import (
    Claim,
    Explanation,
    Finding,
    Fix,
    Match,
    Pair,
    PathTarget,
    Severity,
    SourceExcerpt,
    Span,
    Target,
    Verdict,
)
from pincite.sources import shared_passage
from pincite.text import find_terms

DOUBTED: Severity = "warning"
"""What an unsupported claim is when the judge only finds it likely."""
UNTOLD: Severity = "note"
"""What it would be with so small a doubt that it is counted and not told."""


class Remedy:
    """What may mend a citation that failed, with what was asked about it."""

    def __init__(self) -> None:
        self.elsewhere: list[tuple[Match, Pair]] = []
        """Other places that may support the claim."""
        self.fix: Fix | None = None
        """The source's number instead of the claim's."""
        self.fixed: Pair | Verdict | None = None
        """The claim with that number, as the judge is asked about it, or what is known of it already."""


Remedies = dict[tuple[int, int], Remedy]
"""By claim and target."""


class SupportFindings(Struct, frozen=True):
    findings: tuple[Finding, ...]
    decided: int
    unjudged: int
    doubtful: tuple[Finding, ...] = ()
    """What would be told if the doubt were larger."""


def ask(reading: Reading, questions: Questions) -> None:
    """Ask about every claim and each of its targets, alone and together."""
    questions.ask_all(asked_alone(reading))
    questions.ask_all(cited.together for cited in reading.cited_claims if cited.together is not None)


def ask_again(reading: Reading, questions: Questions) -> Remedies:
    """Ask, about what failed alone, whether the others do without it, whether another place would do, and
    whether the source's number would."""
    remedies: Remedies = {}
    for cited_claim in told("looking for better places", reading.cited_claims, reading.tell):
        for meeting in cited_claim.meetings:
            if verdict_alone(meeting, questions.verdicts).outcome not in ("not_enough", "contradicted"):
                continue
            if needs_others(meeting, cited_claim, questions.verdicts):
                others = cited_claim.without(meeting)
                assert others is not None
                questions.ask(others)
            remedy = remedies[meeting.claim, meeting.cited.ordinal] = Remedy()
            _try_number(meeting, remedy, cited_claim.claim, reading, questions)
            if not isinstance(meeting.cited.target, PathTarget):
                _try_elsewhere(meeting, remedy, cited_claim, reading, questions)
    return remedies


def _try_elsewhere(
    meeting: Meeting, remedy: Remedy, cited_claim: CitedClaim, reading: Reading, questions: Questions
) -> None:
    """Ask whether another place supports the claim."""
    claim = cited_claim.claim.text
    cited = meeting.cited
    if cited.evidence.whole:
        verdict = verdict_alone(meeting, questions.verdicts)
        if verdict.outcome == "not_enough" and len(cited_claim.meetings) <= MOST_TOGETHER:
            cited_here = [other.cited for other in cited_claim.meetings]
            for match, passages in relocate.other_wholes(claim, cited, cited_here, reading):
                remedy.elsewhere.append((match, questions.ask(Pair(claim, passages))))
        return
    source = reading.library.get(cited.evidence.document or "")
    if source is None or not meeting.passages:
        return
    cited_place = Span(meeting.passages[0].start, meeting.passages[0].end)
    beside = _places_beside(meeting, cited_claim)
    for match in relocate.other_places(claim, source, cited_place, reading):
        # Moving there would cite the same place twice.
        if any(relocate.mostly_inside(match, span) for span in beside):
            continue
        pair = Pair(claim, (shared_passage(source, match.start, match.end),))
        remedy.elsewhere.append((match, questions.ask(pair)))


def _try_number(
    meeting: Meeting, remedy: Remedy, claim: Claim, reading: Reading, questions: Questions
) -> None:
    """Ask whether the claim would pass with the source's number: no fix is offered that does not help."""
    verdict, text = verdict_alone(meeting, questions.verdicts), reading.answer.text
    if verdict.cause not in NUMBER_CAUSES:
        return
    if meeting.value is None:
        remedy.fix = number_fix(verdict, claim, text, meeting.passages)
        if remedy.fix is not None:
            remedy.fixed = questions.ask(Pair(mended(claim.text, verdict), meeting.passages))
        return
    words, instead = verdict.claim_text, verdict.evidence_text
    sentence = text[claim.start : claim.end]
    if words and instead and sentence.count(words) == 1:
        # A value stands alone; the marker says what it is the value of.
        remedy.fix = value_fix(words, instead, claim, sentence)
        remedy.fixed = judge_value(meeting.passages, mended(claim.text, verdict), instead)


def _passing_fix(remedy: Remedy, questions: Questions) -> Fix | None:
    """The number's fix, if the judge calls the claim that it makes supported."""
    fixed = questions.verdict(remedy.fixed) if isinstance(remedy.fixed, Pair) else remedy.fixed
    return remedy.fix if fixed is not None and fixed.outcome == "supported" else None


def _places_beside(meeting: Meeting, cited_claim: CitedClaim) -> list[Span]:
    """What the claim's other targets cite in the same source, characters only and no whole documents."""
    if len(cited_claim.meetings) > MOST_TOGETHER:
        return []
    document = meeting.cited.evidence.document
    return [
        Span(found.start, found.end)
        for other in cited_claim.meetings
        if other is not meeting
        and other.cited.evidence.document == document
        and not other.cited.evidence.whole
        for found in other.passages
    ]


def tell(
    weighed: Weighed, remedies: Remedies, reading: Reading, questions: Questions, place: Places
) -> SupportFindings:
    """One finding for each claim and target that failed."""
    findings: list[Finding] = []
    doubtful: list[Finding] = []
    decided = unjudged = 0
    for one in weighed.meetings:
        meeting, verdict = one.meeting, one.verdict
        if one.standing == "unjudged":
            unjudged += 1
            more = _of(meeting, verdict, reading)
            findings.append(place.about(meeting.cited, "PIN206", one.reason, **more))
            continue
        decided += 1
        if one.standing == "correct":
            continue
        remedy = remedies.get((meeting.claim, meeting.cited.ordinal)) or Remedy()
        finding = _failed(meeting, verdict, remedy, reading, questions, place)
        # Where its quote is known to be wrong, only a sure contradiction is news about a target.
        news = verdict.sure and finding.code in ("PIN202", "PIN203")
        if meeting.cited.ordinal in reading.misquoted and not news:
            continue
        (doubtful if finding.severity == "note" else findings).append(finding)
    return SupportFindings(tuple(findings), decided, unjudged, tuple(doubtful))


def _of(meeting: Meeting, verdict: Verdict, reading: Reading) -> dict[str, Any]:
    """What a finding says of the claim that was judged, and of the verdict."""
    claim = reading.claims[meeting.claim].span
    return {"claim": claim, "explanation": Explanation(meeting.pair, verdict)}


def _failed(
    meeting: Meeting, verdict: Verdict, remedy: Remedy, reading: Reading, questions: Questions, place: Places
) -> Finding:
    asked = [(questions.verdict(pair), match) for match, pair in remedy.elsewhere]
    better = [found for found in asked if found[0].outcome == "supported"]
    if verdict.outcome == "contradicted" or verdict.doubtful:
        # What speaks against the claim weighs more than another place that may be about something else, and
        # where the cited place may well do, only a place that surely does is worth a word.
        better = [found for found in better if (found[0].score or 0.0) >= relocate.SURE]
    # What a judge is not sure of must not fail a build: it is told as likely, and as a warning.
    probably, severity = ("", None) if verdict.sure else ("probably ", DOUBTED)
    more = _of(meeting, verdict, reading)
    if better:
        best, match = max(better, key=lambda found: found[0].score or 0.0)
        return _moved(meeting, match, (best.score or 0.0) >= relocate.SURE, reading, place, more)
    if verdict.doubtful:
        probably, severity = "doubtful, perhaps ", UNTOLD
    more |= {"severity": severity, "source": _shown(meeting, verdict, reading.claims[meeting.claim].text)}
    named = bool(verdict.claim_text and verdict.evidence_text)
    differs = named and verdict.cause in NUMBER_CAUSES
    if differs or (verdict.outcome == "contradicted" and not verdict.doubtful):
        message = f"{probably}contradicted: {verdict.reason}" if probably else verdict.reason
        more |= {"mark": verdict.claim_text, "fix": _passing_fix(remedy, questions) if differs else None}
        return place.about(meeting.cited, "PIN203" if differs else "PIN202", message, **more)
    return place.about(meeting.cited, "PIN201", f"{probably}not supported: {verdict.reason}", **more)


def _moved(
    meeting: Meeting, match: Match, safe: bool, reading: Reading, place: Places, more: dict[str, Any]
) -> Finding:
    source = reading.library.get(match.document)
    assert source is not None
    target: Target | None = relocate.moved_target(meeting.cited, reading, source, match.start, match.end)
    if meeting.cited.evidence.whole:
        target = relocate.moved_whole(meeting.cited, reading, source, match)
        # Another document may speak of another thing in the same words.
        safe = safe and match.document == meeting.cited.evidence.document
    message = f"the support for this claim is elsewhere: {relocate.named_place(meeting.cited, source, match)}"
    fix = relocate.marker_fix(meeting.cited, target, safe, "cite the place that supports the claim")
    return place.about(meeting.cited, "PIN205", message, source=excerpt_at(match), fix=fix, **more)


def _shown(meeting: Meeting, verdict: Verdict, claim: str) -> SourceExcerpt | None:
    """The sentence that the verdict rests on, or else the beginning of what was cited.

    Nothing where the judge names no sentence and what was cited shares no word with the claim: showing it
    would only confuse.
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
    wanted = _stems(claim)
    return any(term.stem in wanted for term in find_terms(text))


@lru_cache(maxsize=4)
def _stems(claim: str) -> frozenset[str]:
    """The words of a claim; kept for the next of its findings, since a claim may have thousands."""
    return frozenset(term.stem for term in find_terms(claim) if not term.stop)
