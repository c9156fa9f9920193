"""Citation recall and precision as ALCE defines them (Gao et al. 2023, "Enabling Large Language Models to
Generate Text with Citations").

A statement is recalled when everything that is cited for it, read together, entails it. A citation is precise
unless it is irrelevant: it does not entail the statement alone, and the others entail it without this one. A
citation of a statement that is not recalled is not precise. All these questions are declared up front.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pincite.measured import Result
from pincite.metrics.case import Case
from pincite.metrics.judged import NO_CITATIONS, UNCITED, JudgedMetric, Tally
from pincite.metrics.meetings import (
    UNKNOWABLE,
    Meeting,
    Statement,
    asked_alone,
    asked_together,
    asked_without,
    said,
    statements,
    verdict_alone,
    verdict_together,
)
from pincite.metrics.metric import Verdicts
from pincite.records import Pair

CANNOT_BE_READ = "what is cited cannot be read here"
NOT_RECALLED = "what is cited does not entail the statement"


class AlceRecall(JudgedMetric, frozen=True, kw_only=True):
    """Statements that everything cited for them entails together ÷ statements."""

    title: ClassVar[str] = "alce_recall"
    unit: ClassVar[str] = "statements entailed"
    place: ClassVar[str] = "citation_metrics.alce"
    figure: ClassVar[str] = "recall"
    pooled: ClassVar[bool] = False

    def pairs(self, case: Case) -> Sequence[Pair]:
        return asked_together(case)

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = Tally()
        for statement in statements(case):
            recalled = entailed(statement, verdicts)
            if recalled is None:
                tally.no_verdict(why_unjudged(statement, verdicts), statement.claim.text)
            else:
                tally.add(float(recalled), told_together(statement, verdicts), statement.claim.text)
        return self.finish(case, tally)


class AlcePrecision(JudgedMetric, frozen=True, kw_only=True):
    """Citations that are not irrelevant, of statements that are entailed ÷ citations."""

    title: ClassVar[str] = "alce_precision"
    unit: ClassVar[str] = "citations precise"
    place: ClassVar[str] = "citation_metrics.alce"
    figure: ClassVar[str] = "precision"
    pooled: ClassVar[bool] = False

    def pairs(self, case: Case) -> Sequence[Pair]:
        return [*asked_together(case), *asked_alone(case), *asked_without(case)]

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = Tally()
        for statement in statements(case):
            recalled = entailed(statement, verdicts)
            met = {meeting.cited.ordinal: meeting for meeting in statement.meetings}
            for cited in statement.targets:
                about = (statement.claim.text, cited)
                if recalled is None:
                    tally.no_verdict(why_unjudged(statement, verdicts), *about)
                elif not recalled:
                    tally.add(0.0, NOT_RECALLED, *about)
                elif cited.evidence.status in UNKNOWABLE:
                    tally.no_verdict(UNKNOWABLE[cited.evidence.status], *about)
                elif cited.ordinal not in met:
                    tally.add(0.0, f"the others entail it without this one: {cited.evidence.reason}", *about)
                else:
                    worth, reason = _needed(met[cited.ordinal], statement, verdicts)
                    if worth is None:
                        tally.no_verdict(reason, *about)
                    else:
                        tally.add(worth, reason, *about)
        return self.finish(case, tally, nothing=NO_CITATIONS)


class AlceF1(JudgedMetric, frozen=True, kw_only=True):
    """The harmonic mean of an answer's ALCE precision and recall."""

    title: ClassVar[str] = "alce_f1"
    unit: ClassVar[str] = "answer"
    place: ClassVar[str] = "citation_metrics.alce"
    figure: ClassVar[str] = "f1"
    pooled: ClassVar[bool] = False

    def pairs(self, case: Case) -> Sequence[Pair]:
        return AlcePrecision().pairs(case)

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        return self.of_two(case, AlcePrecision().score(case, verdicts), AlceRecall().score(case, verdicts))


def _needed(meeting: Meeting, statement: Statement, verdicts: Verdicts) -> tuple[float | None, str]:
    """Whether a citation of an entailed statement is precise, and why; None when nobody could tell."""
    alone = verdict_alone(meeting, verdicts)
    if alone.outcome == "supported":
        return 1.0, "it entails the statement alone"
    if len(statement.meetings) == 1:
        return 1.0, "it is all that is cited"
    if alone.outcome == "unjudged":
        return None, alone.reason
    if meeting.others is None:
        return 0.0, "one of too many to be read together, and alone it does not entail the statement"
    others = said(meeting.others, verdicts)
    if others.outcome == "unjudged":
        return None, others.reason
    if others.outcome == "supported":
        return 0.0, "the others entail the statement without it"
    return 1.0, "the others do not entail the statement without it"


def told_together(statement: Statement, verdicts: Verdicts) -> str:
    """Why what is cited for a statement bears it out or not, in the judge's words where it has any."""
    verdict = verdict_together(statement, verdicts)
    if verdict is not None:
        return verdict.reason
    return statement.targets[0].evidence.reason if statement.targets else UNCITED


def entailed(statement: Statement, verdicts: Verdicts) -> bool | None:
    """Whether what is cited for a statement entails it together; None when nobody could tell."""
    verdict = verdict_together(statement, verdicts)
    if verdict is not None and verdict.outcome == "supported":
        return True
    if statement.partly_unknown or (verdict is not None and verdict.outcome == "unjudged"):
        return None
    return False


def why_unjudged(statement: Statement, verdicts: Verdicts) -> str:
    """Why nobody could tell whether a statement is entailed."""
    verdict = verdict_together(statement, verdicts)
    if verdict is not None and verdict.outcome == "unjudged":
        return verdict.reason
    return CANNOT_BE_READ
