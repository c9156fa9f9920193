"""Citation recall, precision and F1 as LongBench-Cite has them (Zhang et al. 2024, "LongCite").

Recall is the mean over statements of how far everything cited for one supports it: full 1, partial 0.5, none
0; a statement that needs a citation and has none is 0. Our claims are the sentences that need one. Precision
is the mean over citations of whether each alone bears on its statement, at least in part: 1 or 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec import structs

from pincite.metrics.case import Case
from pincite.metrics.citations.alce import told_together, why_unjudged
from pincite.metrics.citations.judged import NO_CITATIONS, Tally
from pincite.metrics.citations.levels import FULL, NONE, GradedMetric
from pincite.metrics.metric import Verdicts
from pincite.reading.cited_claims import (
    UNKNOWABLE,
    CitedClaim,
    asked_alone,
    asked_together,
    said,
    verdict_alone,
)
from pincite.records import Pair, Result


class LongCiteRecall(GradedMetric, frozen=True, kw_only=True):
    """Levels of support by everything cited ÷ statements."""

    title: ClassVar[str] = "longcite_recall"
    unit: ClassVar[str] = "statements, by level"
    place: ClassVar[str] = "citation_metrics.longcite"
    figure: ClassVar[str] = "recall"
    pooled: ClassVar[bool] = False

    def pairs(self, case: Case) -> Sequence[Pair]:
        return asked_together(case.reading)

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = Tally()
        for statement in case.reading.cited_claims:
            level = self._level_together(statement, verdicts)
            about = statement.claim.text
            if level is None or (level != FULL and statement.partly_unknown):
                tally.no_verdict(why_unjudged(statement, verdicts), about)
            else:
                tally.add(level, told_together(statement, verdicts), about)
        return self.finish(case, tally)

    def _level_together(self, statement: CitedClaim, verdicts: Verdicts) -> float | None:
        """The level of all that is cited; of a heap, too much for one reading, the best of them."""
        if statement.together is not None:
            return self.level(said(statement.together, verdicts))
        levels = [self.level(verdict_alone(meeting, verdicts)) for meeting in statement.meetings]
        if FULL in levels or None not in levels:
            return max((level for level in levels if level is not None), default=NONE)
        return None


class LongCitePrecision(GradedMetric, frozen=True, kw_only=True):
    """Citations that bear on their statement alone, at least in part ÷ citations."""

    title: ClassVar[str] = "longcite_precision"
    unit: ClassVar[str] = "citations that bear"
    place: ClassVar[str] = "citation_metrics.longcite"
    figure: ClassVar[str] = "precision"
    pooled: ClassVar[bool] = False

    def pairs(self, case: Case) -> Sequence[Pair]:
        return asked_alone(case.reading)

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = Tally()
        for statement in case.reading.cited_claims:
            met = {meeting.cited.ordinal: meeting for meeting in statement.meetings}
            for cited in statement.targets:
                about = (statement.claim.text, cited)
                if cited.evidence.status in UNKNOWABLE:
                    tally.no_verdict(UNKNOWABLE[cited.evidence.status], *about)
                elif cited.ordinal not in met:
                    tally.add(0.0, cited.evidence.reason, *about)
                else:
                    verdict = verdict_alone(met[cited.ordinal], verdicts)
                    level = self.level(verdict)
                    if level is None:
                        tally.no_verdict(verdict.reason, *about)
                    else:
                        tally.add(1.0 if level > NONE else 0.0, verdict.reason, *about)
        return self.finish(case, tally, nothing=NO_CITATIONS)


class LongCiteF1(GradedMetric, frozen=True, kw_only=True):
    """The harmonic mean of an answer's LongCite precision and recall."""

    title: ClassVar[str] = "longcite_f1"
    unit: ClassVar[str] = "answer"
    place: ClassVar[str] = "citation_metrics.longcite"
    figure: ClassVar[str] = "f1"
    pooled: ClassVar[bool] = False

    def pairs(self, case: Case) -> Sequence[Pair]:
        return [*asked_together(case.reading), *asked_alone(case.reading)]

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        levels = {"full": self.full, "partial": self.partial}
        precision = structs.replace(LongCitePrecision(), **levels).score(case, verdicts)
        recall = structs.replace(LongCiteRecall(), **levels).score(case, verdicts)
        return self.of_two(case, precision, recall)
