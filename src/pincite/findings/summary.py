"""Counts over findings: one answer, an answer less some findings, many answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import msgspec

from pincite.records import Finding, Report, Summary
from pincite.text import word_list

UNREADABLE = "PIN109"
"""An error that says nothing about its target, which the score leaves out: it could not be read."""
_SUMMED = word_list(
    "citations targets targets_left_out claims unjudged judged targets_with_error silenced doubtful"
)


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
