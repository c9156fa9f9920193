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
from pincite.metrics.judged import NO_CITATIONS, JudgedMetric, Tally
from pincite.metrics.meetings import (
    UNKNOWABLE,
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
                tally.no_verdict(why_unjudged(statement, verdicts))
            else:
                tally.add(float(recalled))
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
                if recalled is None:
                    tally.no_verdict(why_unjudged(statement, verdicts))
                elif not recalled:
                    tally.add(0.0)
                elif cited.evidence.status in UNKNOWABLE:
                    tally.no_verdict(UNKNOWABLE[cited.evidence.status])
                elif cited.ordinal not in met:
                    tally.add(0.0)  # it points nowhere, and the others entail the statement without it
                else:
                    meeting = met[cited.ordinal]
                    alone = verdict_alone(meeting, verdicts)
                    if alone.outcome == "supported" or len(statement.meetings) == 1:
                        tally.add(1.0)
                    elif alone.outcome == "unjudged":
                        tally.no_verdict(alone.reason)
                    elif meeting.others is None:
                        tally.add(0.0)  # one of a heap too large to be read together
                    else:
                        others = said(meeting.others, verdicts)
                        if others.outcome == "unjudged":
                            tally.no_verdict(others.reason)
                        else:
                            tally.add(0.0 if others.outcome == "supported" else 1.0)
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
