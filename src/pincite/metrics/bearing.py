"""Whether each target of an answer supports what it stands behind: one outcome a target.

The rule is that of a check. A target supports its claim alone, or together with the others when those do not
without it. Markers that close a paragraph share its sentences out: each sentence needs one of them, and each
of them a sentence. What contradicts one of its claims is wrong, whatever else it supports.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from pincite.findings.reading import CitedTarget
from pincite.findings.support import ADDS
from pincite.metrics.attached import attached
from pincite.metrics.case import Case
from pincite.metrics.meetings import UNKNOWABLE, Meeting, Statement, said, statements, verdict_alone
from pincite.records import Pair, Verdict

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
    bearing: set[int] = set()
    borne: set[int] = set()
    for statement in statements(case):
        for meeting in statement.meetings:
            by_target.setdefault(meeting.cited.ordinal, []).append((meeting, statement))
            if supports(meeting, statement, verdicts):
                bearing.add(meeting.cited.ordinal)
                borne.add(meeting.claim)
    result = []
    for cited in attached(case).targets:
        status = cited.evidence.status
        if status in UNKNOWABLE:
            result.append(Borne(cited, "unjudged", UNKNOWABLE[status]))
        elif status != "found":
            result.append(Borne(cited, "broken", cited.evidence.reason, score=0.0))
        elif cited.ordinal not in by_target:
            result.append(Borne(cited, "behind_no_claim", "the citation stands behind no claim"))
        else:
            shares = cited.ordinal in bearing
            judged = [
                _met(meeting, statement, verdicts, shares and meeting.claim in borne)
                for meeting, statement in by_target[cited.ordinal]
            ]
            result.append(min(judged, key=lambda one: _ORDER.index(one.standing)))
    return tuple(result)


_ORDER: tuple[Standing, ...] = ("contradicted", "incorrect", "unjudged", "correct")
"""The worst that is known about any of its claims decides."""


def _met(meeting: Meeting, statement: Statement, verdicts: Mapping[Pair, Verdict], shared: bool) -> Borne:
    verdict = verdict_alone(meeting, verdicts)
    standing: Standing
    if verdict.outcome == "unjudged":
        standing = "unjudged"
    elif supports(meeting, statement, verdicts) or (shared and verdict.outcome == "not_enough"):
        standing = "correct"
    else:
        standing = "contradicted" if verdict.outcome == "contradicted" else "incorrect"
    return Borne(meeting.cited, standing, verdict.reason, meeting.claim, verdict.score, verdict.outcome)


def supports(meeting: Meeting, statement: Statement, verdicts: Mapping[Pair, Verdict]) -> bool:
    """Whether a target supports a claim: alone, or as a part that the others cannot do without."""
    if verdict_alone(meeting, verdicts).outcome == "supported":
        return True
    if meeting.value is not None or meeting.others is None:
        return False
    if verdict_alone(meeting, verdicts).outcome == "unjudged":
        return False
    together, others = said(statement.together, verdicts), said(meeting.others, verdicts)
    if together.outcome != "supported" or others.outcome == "unjudged":
        return False
    return others.outcome != "supported" or (others.score or 0.0) < (together.score or 0.0) - ADDS
