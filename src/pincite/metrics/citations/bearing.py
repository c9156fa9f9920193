"""Whether each target of an answer supports what it stands behind: one outcome a target.

A target supports its claim alone, or together with the others when those do not do as well without it.
Markers that close a paragraph share its sentences out: each sentence needs one of them, and each of them a
sentence. What contradicts one of its claims is wrong, whatever else it supports. Where a verdict is missing
that would decide, the target is unjudged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from pincite.findings.reading import CitedTarget
from pincite.findings.support import ADDS
from pincite.metrics.case import Case
from pincite.metrics.citations.attached import attached
from pincite.metrics.citations.decisions import (
    Truth,
    all_of,
    any_of,
    correct_for_claim,
    is_outcome,
    needed_part,
)
from pincite.metrics.citations.meetings import UNKNOWABLE, Meeting, Statement, said, statements, verdict_alone
from pincite.records import Pair, Verdict

ELSEWHERE_MISSING = Verdict("unjudged", None, "whether it supports another claim is not known", cause="error")

Standing = Literal["correct", "incorrect", "contradicted", "broken", "unjudged", "behind_no_claim"]


class Borne(Struct, frozen=True):
    """One target and what became of it."""

    cited: CitedTarget
    standing: Standing
    reason: str
    claim: int | None = None
    """The claim that decided."""
    score: float | None = None
    """How well that claim is supported; 0 for a target that points nowhere, None when unjudged."""
    outcome: str = ""
    """What the judge said of the target alone."""

    @property
    def document(self) -> str | None:
        return self.cited.evidence.document or getattr(self.cited.target, "document", None)


def bearings(case: Case, verdicts: Mapping[Pair, Verdict]) -> tuple[Borne, ...]:
    """What became of every target, in order."""
    by_target: dict[int, list[tuple[Meeting, Statement]]] = {}
    for statement in statements(case):
        for meeting in statement.meetings:
            by_target.setdefault(meeting.cited.ordinal, []).append((meeting, statement))
    result = []
    for cited in attached(case).targets:
        status = cited.evidence.status
        if status in UNKNOWABLE:
            result.append(Borne(cited, "unjudged", UNKNOWABLE[status]))
        elif status != "found":
            result.append(Borne(cited, "broken", cited.evidence.reason, score=0.0))
        elif cited.ordinal not in by_target:
            result.append(Borne(cited, "behind_no_claim", "the citation supports no claim"))
        else:
            met = by_target[cited.ordinal]
            bears = any_of(_supports(meeting, statement, verdicts) for meeting, statement in met)
            judged = [_met(meeting, statement, verdicts, bears) for meeting, statement in met]
            result.append(min(judged, key=lambda one: _ORDER.index(one.standing)))
    return tuple(result)


_ORDER: tuple[Standing, ...] = ("contradicted", "incorrect", "unjudged", "correct")
"""The worst that is known about any of its claims decides."""


def _met(meeting: Meeting, statement: Statement, verdicts: Mapping[Pair, Verdict], bears: Truth) -> Borne:
    """What a target is worth for one of its claims; `bears` says whether it supports any of them."""
    verdict = verdict_alone(meeting, verdicts)
    shared = all_of((bears, _is_borne(statement, verdicts)))
    correct = correct_for_claim(
        is_outcome(verdict, "supported"),
        is_outcome(verdict, "contradicted"),
        any_of((_is_part(meeting, statement, verdicts), shared)),
    )
    standing: Standing
    reason = verdict.reason
    if correct is None:
        standing, reason = "unjudged", _missing(meeting, statement, verdicts).reason
    elif correct:
        standing = "correct"
    else:
        standing = "contradicted" if verdict.outcome == "contradicted" else "incorrect"
    score = verdict.score if correct is not None else None
    return Borne(meeting.cited, standing, reason, meeting.claim, score, verdict.outcome)


def _supports(meeting: Meeting, statement: Statement, verdicts: Mapping[Pair, Verdict]) -> Truth:
    """Whether a target supports a claim: alone, or as a part that the others cannot do without."""
    verdict = verdict_alone(meeting, verdicts)
    return correct_for_claim(
        is_outcome(verdict, "supported"),
        is_outcome(verdict, "contradicted"),
        _is_part(meeting, statement, verdicts),
    )


def _is_part(meeting: Meeting, statement: Statement, verdicts: Mapping[Pair, Verdict]) -> Truth:
    if meeting.value is not None or meeting.others is None:
        return False
    together, others = said(statement.together, verdicts), said(meeting.others, verdicts)
    return needed_part(is_outcome(together, "supported"), _suffice(others, together))


def _suffice(others: Verdict, together: Verdict) -> Truth:
    """Whether the others support a claim without a target about as well as with it."""
    if others.outcome != "supported":
        return is_outcome(others, "supported")
    if together.outcome == "unjudged":
        # Nothing scores above 1: what is as good as that already cannot be added to.
        return True if (others.score or 0.0) >= 1.0 - ADDS else None
    return (others.score or 0.0) >= (together.score or 0.0) - ADDS


def _is_borne(statement: Statement, verdicts: Mapping[Pair, Verdict]) -> Truth:
    """Whether anything that is cited for a claim supports it, alone or all together."""
    alone = (verdict_alone(meeting, verdicts) for meeting in statement.meetings)
    together = () if statement.together is None else (said(statement.together, verdicts),)
    return any_of(is_outcome(verdict, "supported") for verdict in (*alone, *together))


def _missing(meeting: Meeting, statement: Statement, verdicts: Mapping[Pair, Verdict]) -> Verdict:
    """The first verdict that is missing, the target's own before those of others."""
    asked = (meeting.others, statement.together, *(other.alone for other in statement.meetings))
    found = (
        verdict_alone(meeting, verdicts),
        *(said(pair, verdicts) for pair in asked if pair is not None),
    )
    return next((verdict for verdict in found if verdict.outcome == "unjudged"), ELSEWHERE_MISSING)
