"""All of an answer as it was judged: every claim and every citation, not only those with a finding."""

from __future__ import annotations

from collections.abc import Iterable

from pincite.reading import Reading, Weighed, WeighedMeeting, WeighedTarget
from pincite.records import (
    ClaimStanding,
    Finding,
    Judged,
    JudgedCitation,
    JudgedClaim,
    SkippedSentence,
    Span,
    Standing,
    Verdict,
)

MOST_PLACES = 20
"""Places of one citation that a report can show; a page of scattered passages has no more to tell."""


def describe(reading: Reading, weighed: Weighed, doubtful: Iterable[Finding]) -> Judged:
    """What each claim and each citation of the answer is worth, with the places it rests on."""
    doubted = {ordinal for finding in doubtful for ordinal in finding.targets}
    meetings: dict[tuple[int | None, int], WeighedMeeting] = {}
    by_claim: dict[int, list[WeighedMeeting]] = {}
    for one in weighed.meetings:
        meetings[one.meeting.claim, one.meeting.cited.ordinal] = one
        by_claim.setdefault(one.meeting.claim, []).append(one)
    citations = tuple(
        _citation(target, meetings.get((target.claim, target.cited.ordinal)), doubted)
        for target in weighed.targets
    )
    uncited = set(reading.uncited)
    claims = tuple(
        JudgedClaim(
            claim.start,
            claim.end,
            "uncited" if index in uncited else _claim_standing(by_claim.get(index, ()), doubted),
            tuple(cited.ordinal for cited in reading.targets_of[index]),
        )
        for index, claim in enumerate(reading.claims)
    )
    skipped = tuple(SkippedSentence(one.start, one.end, one.role) for one in reading.skipped)
    return Judged(claims, citations, skipped)


def _citation(target: WeighedTarget, met: WeighedMeeting | None, doubted: set[int]) -> JudgedCitation:
    cited = target.cited
    passages = cited.evidence.passages
    standing: Standing = target.standing
    if standing == "incorrect" and cited.ordinal in doubted:
        standing = "doubtful"
    places: tuple[Span, ...] = ()
    if not cited.evidence.whole:
        places = tuple(Span(one.start, one.end) for one in passages[:MOST_PLACES])
    return JudgedCitation(
        cited.citation.start,
        cited.citation.end,
        cited.target.key,
        standing,
        target.reason,
        target.document,
        next((one.page for one in passages if one.page is not None), None),
        places,
        () if met is None else _located(met, cited.evidence.whole),
        target.score,
        target.claim,
    )


def _located(met: WeighedMeeting, whole: bool) -> tuple[Span, ...]:
    verdict: Verdict = met.verdict
    passages = met.meeting.passages
    if verdict.passage is not None and verdict.span is not None and verdict.passage < len(passages):
        start = passages[verdict.passage].start
        return (Span(start + verdict.span.start, start + verdict.span.end),)
    return tuple(Span(one.start, one.end) for one in passages[:MOST_PLACES]) if whole else ()


def _claim_standing(meetings: Iterable[WeighedMeeting], doubted: set[int]) -> ClaimStanding:
    """The best that any citation does for the claim, unless one contradicts it."""
    standings = {one.standing for one in meetings}
    if "contradicted" in standings:
        return "contradicted"
    if "correct" in standings:
        return "supported"
    if "incorrect" in standings:
        wrong = [one.meeting.cited.ordinal for one in meetings if one.standing == "incorrect"]
        return "doubtful" if all(ordinal in doubted for ordinal in wrong) else "unsupported"
    return "unjudged"
