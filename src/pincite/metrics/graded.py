"""Metrics with three levels of support: full 1, partial 0.5, none 0. docs/metrics.md states each formula.

TREC RAG (Thakur et al. 2025, "Support Evaluation for the TREC 2024 RAG Track") judges the first citation of a
sentence and no other. LongCite (Zhang et al. 2024, LongBench-Cite) judges everything cited for a statement
together for recall, and each citation alone for precision. Our claims are the sentences that need a citation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec import structs

from pincite.metrics.alce import reason_together
from pincite.metrics.case import Case
from pincite.metrics.metric import Verdicts
from pincite.metrics.tally import NO_CITATIONS, NO_CLAIMS, UNCITED, JudgedMetric, UnitTally
from pincite.reading import UNKNOWABLE, AssessedClaim, CitedTarget, asked_alone, asked_together
from pincite.records import Pair, Result, Verdict

FULL, PARTIAL, NONE = 1.0, 0.5, 0.0


class GradedMetric(JudgedMetric, frozen=True, kw_only=True):
    """A metric with three levels of support. What contradicts a claim supports it at no score."""

    pooled: ClassVar[bool] = False

    full: float = 0.7
    """From this score on, support is full."""
    partial: float = 0.4
    """From this score on, it is partial; below, there is none."""

    def level(self, verdict: Verdict) -> float | None:
        """1 for full, 0.5 for partial, 0 for no support; None when unjudged."""
        if verdict.outcome == "unjudged" or verdict.score is None:
            return None
        if verdict.outcome == "contradicted" or verdict.score < self.partial:
            return NONE
        return FULL if verdict.score >= self.full else PARTIAL

    def levels(self, statement: AssessedClaim) -> Iterator[tuple[CitedTarget, float | None, str]]:
        """Each target of a statement with its level alone, and the reason."""
        for cited in statement.cited.targets:
            if cited.evidence.status in UNKNOWABLE:
                yield cited, None, UNKNOWABLE[cited.evidence.status]
            elif cited.ordinal not in statement.alone:
                yield cited, NONE, cited.evidence.reason
            else:
                verdict = statement.alone[cited.ordinal]
                yield cited, self.level(verdict), verdict.reason


class TrecRagPrecision(GradedMetric, frozen=True, kw_only=True):
    """Weights of support ÷ sentences with a citation."""

    title: ClassVar[str] = "trec_rag_precision"
    counted_by: ClassVar[tuple[str, ...]] = ("trec_rag_recall",)
    unit: ClassVar[str] = "cited sentences, by weight"
    place: ClassVar[str] = "citation_metrics.trec_rag"
    figure: ClassVar[str] = "weighted_precision"
    counts_uncited: ClassVar[bool] = False

    def pairs(self, case: Case) -> Sequence[Pair]:
        """The first citation of each sentence, where it points somewhere."""
        first = (
            statement.resolved[0]
            for statement in case.reading.cited_claims
            if statement.resolved and statement.resolved[0].cited.ordinal == statement.targets[0].ordinal
        )
        return [target.pair for target in first if target.value is None]

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = UnitTally()
        for statement in case.assessment(verdicts).claims:
            claim = statement.cited.claim.text
            if statement.cited.targets:
                cited, level, reason = next(self.levels(statement))
                tally.add(level, reason, claim, cited)
            elif self.counts_uncited:
                tally.add(0.0, UNCITED, claim)
        return self.finish(case, tally, nothing=NO_CLAIMS if self.counts_uncited else NO_CITATIONS)


class TrecRagRecall(TrecRagPrecision, frozen=True, kw_only=True):
    """Weights of support ÷ all sentences: one without a citation has none."""

    title: ClassVar[str] = "trec_rag_recall"
    unit: ClassVar[str] = "sentences, by weight"
    figure: ClassVar[str] = "weighted_recall"
    counts_uncited: ClassVar[bool] = True


class LongCiteRecall(GradedMetric, frozen=True, kw_only=True):
    """Levels of support by everything cited ÷ statements."""

    title: ClassVar[str] = "longcite_recall"
    unit: ClassVar[str] = "statements, by level"
    place: ClassVar[str] = "citation_metrics.longcite"
    figure: ClassVar[str] = "recall"

    def pairs(self, case: Case) -> Sequence[Pair]:
        return asked_together(case.reading)

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = UnitTally()
        for statement in case.assessment(verdicts).claims:
            level = self._level_together(statement)
            if level != FULL and statement.cited.partly_unknown:
                level = None
            reason = reason_together(statement, decided=level is not None)
            tally.add(level, reason, statement.cited.claim.text)
        return self.finish(case, tally)

    def _level_together(self, statement: AssessedClaim) -> float | None:
        """The level of all that is cited; where that is too much for one reading, the best of them."""
        if statement.cited.together is not None and statement.together is not None:
            return self.level(statement.together)
        levels = [self.level(verdict) for verdict in statement.alone.values()]
        if FULL in levels or None not in levels:
            return max((level for level in levels if level is not None), default=NONE)
        return None


class LongCitePrecision(GradedMetric, frozen=True, kw_only=True):
    """Citations that support their statement alone, at least in part ÷ citations."""

    title: ClassVar[str] = "longcite_precision"
    counted_by: ClassVar[tuple[str, ...]] = ("longcite_recall", "longcite_f1")
    unit: ClassVar[str] = "citations that bear"
    place: ClassVar[str] = "citation_metrics.longcite"
    figure: ClassVar[str] = "precision"

    def pairs(self, case: Case) -> Sequence[Pair]:
        return asked_alone(case.reading)

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = UnitTally()
        for statement in case.assessment(verdicts).claims:
            for cited, level, reason in self.levels(statement):
                worth = None if level is None else float(level > NONE)
                tally.add(worth, reason, statement.cited.claim.text, cited)
        return self.finish(case, tally, nothing=NO_CITATIONS)


class LongCiteF1(GradedMetric, frozen=True, kw_only=True):
    """The harmonic mean of an answer's LongCite precision and recall."""

    title: ClassVar[str] = "longcite_f1"
    unit: ClassVar[str] = "answer"
    place: ClassVar[str] = "citation_metrics.longcite"
    figure: ClassVar[str] = "f1"

    def pairs(self, case: Case) -> Sequence[Pair]:
        return [*asked_together(case.reading), *asked_alone(case.reading)]

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        levels = {"full": self.full, "partial": self.partial}
        precision = structs.replace(LongCitePrecision(), **levels).score(case, verdicts)
        recall = structs.replace(LongCiteRecall(), **levels).score(case, verdicts)
        return self.of_two(case, precision, recall)
