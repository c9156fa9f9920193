"""Citation recall and precision as ALCE defines them.

Gao et al. 2023, "Enabling Large Language Models to Generate Text with Citations".

A statement is recalled when everything that is cited for it, read together, entails it. A citation is precise
unless it is irrelevant: it does not entail the statement alone, and the others entail it without this one. A
citation of a statement that is not recalled is not precise. All these questions are declared up front.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pincite.metrics.case import Case
from pincite.metrics.metric import Verdicts
from pincite.metrics.tally import NO_CITATIONS, UNCITED, JudgedMetric, UnitTally
from pincite.reading import (
    UNKNOWABLE,
    AssessedClaim,
    CitedTarget,
    Truth,
    asked_alone,
    asked_together,
    asked_without,
    is_outcome,
    precise,
    verdict_on,
)
from pincite.records import Pair, Result, Verdict

CANNOT_BE_READ = "what is cited cannot be read here"
NOT_RECALLED = "what is cited does not entail the statement"
ALONE = "it entails the statement alone"
OTHERS_DO = "the others entail the statement without it"
OTHERS_DO_NOT = "the others do not entail the statement without it"
ONE_OF_MANY = "one of too many to read together, and alone it does not entail the statement"
NOTHING_ELSE = Verdict("not_enough", 0.0, "it is all that is cited")


class AlceRecall(JudgedMetric, frozen=True, kw_only=True):
    """Statements that everything cited for them entails together ÷ statements."""

    title: ClassVar[str] = "alce_recall"
    unit: ClassVar[str] = "statements entailed"
    place: ClassVar[str] = "citation_metrics.alce"
    figure: ClassVar[str] = "recall"
    pooled: ClassVar[bool] = False

    def pairs(self, case: Case) -> Sequence[Pair]:
        return asked_together(case.reading)

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = UnitTally()
        for statement in case.assessment(verdicts).claims:
            recalled = entailed(statement)
            reason = reason_together(statement, decided=recalled is not None)
            tally.add(recalled, reason, statement.cited.claim.text)
        return self.finish(case, tally)


class AlcePrecision(JudgedMetric, frozen=True, kw_only=True):
    """Citations that are not irrelevant, of statements that are entailed ÷ citations."""

    title: ClassVar[str] = "alce_precision"
    counted_by: ClassVar[tuple[str, ...]] = ("alce_recall", "alce_f1")
    unit: ClassVar[str] = "citations precise"
    place: ClassVar[str] = "citation_metrics.alce"
    figure: ClassVar[str] = "precision"
    pooled: ClassVar[bool] = False

    def pairs(self, case: Case) -> Sequence[Pair]:
        return [*asked_together(case.reading), *asked_alone(case.reading), *asked_without(case.reading)]

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = UnitTally()
        for statement in case.assessment(verdicts).claims:
            for cited in statement.cited.targets:
                worth, reason = _precision(cited, statement, verdicts)
                tally.add(worth, reason, statement.cited.claim.text, cited)
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


def _precision(cited: CitedTarget, statement: AssessedClaim, verdicts: Verdicts) -> tuple[Truth, str]:
    """Whether a citation is precise, and why; None when that is unknown."""
    recalled = entailed(statement)
    if recalled is False:
        return False, NOT_RECALLED
    if cited.evidence.status in UNKNOWABLE:
        return None, UNKNOWABLE[cited.evidence.status]
    alone = statement.alone.get(cited.ordinal)
    if alone is None:
        return False, f"it has no text to add to the others: {cited.evidence.reason}"
    entails = None if alone.outcome == "unjudged" else alone.outcome == "supported"
    single = len(statement.alone) == 1
    if statement.cited.together is None and not single:
        # Too many to read together: the statement is entailed when one of them entails it alone.
        return entails, alone.reason if entails is None else ALONE if entails else ONE_OF_MANY
    others = NOTHING_ELSE
    if not single:
        this = next(one for one in statement.cited.resolved if one.cited is cited)
        others = verdict_on(statement.cited.without(this), verdicts)
    worth = precise(entails, recalled, is_outcome(others, "supported"))
    if worth is None:
        missing = (one.reason for one in (alone, others) if one.outcome == "unjudged")
        return None, reason_together(statement, decided=False) if recalled is None else next(missing)
    return worth, ALONE if entails else OTHERS_DO if not worth else others.reason if single else OTHERS_DO_NOT


def entailed(statement: AssessedClaim) -> Truth:
    """Whether what is cited for a statement entails it together; None when that is unknown."""
    verdict = statement.together
    if verdict is not None and verdict.outcome == "supported":
        return True
    if statement.cited.partly_unknown or (verdict is not None and verdict.outcome == "unjudged"):
        return None
    return False


def reason_together(statement: AssessedClaim, decided: bool) -> str:
    """Why what is cited supports a statement or not, or why that is unknown."""
    verdict = statement.together
    if verdict is not None and (decided or verdict.outcome == "unjudged"):
        return verdict.reason
    if not decided:
        return CANNOT_BE_READ
    targets = statement.cited.targets
    return targets[0].evidence.reason if targets else UNCITED
