"""The parts of a report: what every claim and citation is worth, and counts over the findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import msgspec

from pincite.reading import AssessedClaimTarget, AssessedTarget, Assessment, Reading
from pincite.records import (
    ClaimStanding,
    Finding,
    Judged,
    JudgedCitation,
    JudgedClaim,
    Report,
    SkippedSentence,
    Span,
    Standing,
    Summary,
    Verdict,
)
from pincite.text import word_list

UNREADABLE = "PIN109"
"""An error that says nothing about its target, which the score leaves out: it could not be read."""
_SUMMED = word_list(
    "citations targets targets_left_out claims unjudged judged targets_with_error silenced doubtful"
)
MOST_PLACES = 20
"""Places of one citation that a report can show; a page of scattered passages has no more to tell."""


def describe(reading: Reading, assessment: Assessment, doubtful: Iterable[Finding]) -> Judged:
    """What each claim and each citation of the answer is worth, with the places it rests on."""
    doubted = {ordinal for finding in doubtful for ordinal in finding.targets}
    of_claims: dict[tuple[int | None, int], AssessedClaimTarget] = {}
    by_claim: dict[int, list[AssessedClaimTarget]] = {}
    for one in assessment.claim_targets:
        of_claims[one.claim_target.claim, one.claim_target.cited.ordinal] = one
        by_claim.setdefault(one.claim_target.claim, []).append(one)
    citations = tuple(
        _citation(target, of_claims.get((target.claim, target.cited.ordinal)), doubted)
        for target in assessment.targets
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


def _citation(target: AssessedTarget, met: AssessedClaimTarget | None, doubted: set[int]) -> JudgedCitation:
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


def _located(met: AssessedClaimTarget, whole: bool) -> tuple[Span, ...]:
    verdict: Verdict = met.verdict
    passages = met.claim_target.passages
    if verdict.passage is not None and verdict.span is not None and verdict.passage < len(passages):
        start = passages[verdict.passage].start
        return (Span(start + verdict.span.start, start + verdict.span.end),)
    return tuple(Span(one.start, one.end) for one in passages[:MOST_PLACES]) if whole else ()


def _claim_standing(targets: Iterable[AssessedClaimTarget], doubted: set[int]) -> ClaimStanding:
    """The best that any citation does for the claim, unless one contradicts it."""
    standings = {one.standing for one in targets}
    if "contradicted" in standings:
        return "contradicted"
    if "correct" in standings:
        return "supported"
    if "incorrect" in standings:
        wrong = [one.claim_target.cited.ordinal for one in targets if one.standing == "incorrect"]
        return "doubtful" if all(ordinal in doubted for ordinal in wrong) else "unsupported"
    return "unjudged"


# --- counts --------------------------------------------------------------------------------------


def count(summary: Summary, findings: Sequence[Finding]) -> Summary:
    """`summary` with everything that depends on the findings counted again."""
    errors = [finding for finding in findings if finding.severity == "error" and finding.code != UNREADABLE]
    wrong = {target for finding in errors for target in finding.targets}
    return msgspec.structs.replace(
        summary,
        findings_by_code=dict(sorted(Counter(finding.code for finding in findings).items())),
        targets_with_error=len(wrong),
        score=_score(summary.targets - summary.targets_left_out, len(wrong)),
    )


def without(report: Report, indexes: Collection[int]) -> Report:
    """The report less the findings at these indexes, which count as silenced."""
    if not indexes:
        return report
    kept = tuple(finding for index, finding in enumerate(report.findings) if index not in indexes)
    summary = msgspec.structs.replace(report.summary, silenced=report.summary.silenced + len(indexes))
    return msgspec.structs.replace(report, findings=kept, summary=count(summary, kept))


def combine(summaries: Iterable[Summary]) -> Summary:
    """One summary over many answers: sums, and the score over all targets together.

    The sources are the same for every answer of a run, so their failures are not added up.
    """
    given = list(summaries)
    codes: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    for summary in given:
        codes.update(summary.findings_by_code)
        skipped.update(summary.skipped)
    summed = {name: sum(getattr(summary, name) for summary in given) for name in _SUMMED}
    return Summary(
        **summed,
        sources_failed=max((summary.sources_failed for summary in given), default=0),
        judge=next((summary.judge for summary in reversed(given) if summary.judge), ""),
        findings_by_code=dict(sorted(codes.items())),
        skipped=dict(sorted(skipped.items())),
        score=_score(summed["targets"] - summed["targets_left_out"], summed["targets_with_error"]),
    )


def _score(judged: int, wrong: int) -> float | None:
    return None if judged == 0 else (judged - wrong) / judged
