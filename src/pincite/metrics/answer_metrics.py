"""How far an answer as a whole can be trusted.

Support, consistency and grounding are three questions. Support asks whether the cited text states a claim,
consistency whether anything cited contradicts it, grounding whether any source at all states it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec import structs

from pincite.config import Settings
from pincite.metrics.case import Case
from pincite.metrics.metric import Verdicts
from pincite.metrics.tally import JudgedMetric, UnitTally
from pincite.reading import any_of, is_outcome, opposite, verdict_on
from pincite.records import Pair, Result, Verdict

NOTHING_CITED = "nothing is cited that could contradict the claim"
NO_SOURCES = "no sources"


class FactualConsistency(JudgedMetric, frozen=True, kw_only=True):
    """Claims that nothing cited contradicts ÷ claims."""

    title: ClassVar[str] = "factual_consistency"
    counted_by: ClassVar[tuple[str, ...]] = ("alce_recall", "citation_completeness")
    headline: ClassVar[int] = 6
    short: ClassVar[str] = "consist."
    unit: ClassVar[str] = "claims consistent"
    place: ClassVar[str] = "answer_quality_metrics.factual_consistency"
    per_answer: ClassVar[str] = "consistency"
    usual_threshold: ClassVar[float | None] = 0.8

    def threshold_for(self, settings: Settings) -> float | None:
        return settings.thresholds.answer_consistency if self.threshold is None else self.threshold

    def pairs(self, case: Case) -> Sequence[Pair]:
        return [question for question in case.consistency if isinstance(question, Pair)]

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = UnitTally()
        scores: list[float] = []
        enough = case.settings.thresholds.answer_consistency
        consistent: set[int] = set()
        inconsistent: list[dict[str, str]] = []
        for index, (claim, question) in enumerate(zip(case.reading.claims, case.consistency, strict=True)):
            if question is None:
                tally.leave_out(NOTHING_CITED, claim.text)
                continue
            verdict = _answer(question, verdicts)
            holds = is_outcome(verdict, "supported")
            tally.add(holds, verdict.reason, claim.text)
            if holds is False:
                inconsistent.append({"claim": claim.text, "reason": verdict.reason})
            if holds is not None and verdict.score is not None:
                scores.append(verdict.score)
                if holds and verdict.score >= enough:
                    consistent.add(index)
        counts = {
            "total_claims": tally.denominator,
            "consistent_claims": tally.numerator,
            "consistency_sum": sum(scores),
            "consistency_scored": len(scores),
        }
        signals = {
            "mean_consistency": sum(scores) / len(scores) if scores else None,
            "consistency_scores": scores,
            "inconsistent_claims": inconsistent,
            "consistent_citations": sum(
                cited.evidence.status == "found"
                and bool(cited.claims)
                and consistent.issuperset(cited.claims)
                for cited in case.reading.targets
            ),
        }
        return self.finish(case, tally, counts, signals)


class HallucinationRate(JudgedMetric, frozen=True, kw_only=True):
    """Claims that no source states ÷ claims, every source searched in full. Lower is better."""

    title: ClassVar[str] = "hallucination_rate"
    headline: ClassVar[int] = 5
    short: ClassVar[str] = "halluc."
    higher_is_better: ClassVar[bool] = False
    unit: ClassVar[str] = "claims without ground"
    place: ClassVar[str] = "answer_quality_metrics.hallucination_rate"
    usual_threshold: ClassVar[float | None] = 0.1

    supported_from: float | None = None
    """The score from which a source states a claim; None leaves the decision to the judge."""

    def threshold_for(self, settings: Settings) -> float | None:
        return settings.thresholds.hallucination_tolerance if self.threshold is None else self.threshold

    def pairs(self, case: Case) -> Sequence[Pair]:
        return [pair for asked in case.grounds for pair in asked.questions()]

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = UnitTally()
        hallucinated: list[dict[str, str]] = []
        for claim, verdict in zip(case.reading.claims, case.ground_verdicts(verdicts), strict=True):
            if verdict is None:
                tally.leave_out(NO_SOURCES, claim.text)
                continue
            stated = is_outcome(verdict, "supported")
            if stated and (verdict.score or 0.0) < (self.supported_from or 0.0):
                stated = False
            tally.add(opposite(stated), verdict.reason, claim.text)
            if stated is False:
                hallucinated.append({"claim": claim.text, "reason": verdict.reason})
        counts = {"total_claims": tally.denominator, "hallucinated_claims": tally.numerator}
        return self.finish(case, tally, counts, {"hallucinated_claims": hallucinated})


class ContradictionRate(JudgedMetric, frozen=True, kw_only=True):
    """Claims that anything cited, or any other source, contradicts ÷ claims. Lower is better."""

    title: ClassVar[str] = "contradiction_rate"
    higher_is_better: ClassVar[bool] = False
    unit: ClassVar[str] = "claims contradicted"
    place: ClassVar[str] = "answer_quality_metrics.contradiction_rate"

    def pairs(self, case: Case) -> Sequence[Pair]:
        return [one for asked in _asked_of_all(case) for one in asked if isinstance(one, Pair)]

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = UnitTally()
        contradicted: list[dict[str, str]] = []
        for claim, questions in zip(case.reading.claims, _asked_of_all(case), strict=True):
            judged = [_answer(question, verdicts) for question in questions]
            if not judged:
                tally.leave_out(NO_SOURCES, claim.text)
                continue
            against = any_of(is_outcome(verdict, "contradicted") for verdict in judged)
            wanted = {True: "contradicted", None: "unjudged"}.get(against, judged[0].outcome)
            reason = next(verdict.reason for verdict in judged if verdict.outcome == wanted)
            tally.add(against, reason, claim.text)
            if against:
                contradicted.append({"claim": claim.text, "reason": reason})
        counts = {"total_claims": tally.denominator, "contradicted_claims": tally.numerator}
        return self.finish(case, tally, counts, {"contradicted_claims": contradicted})


Question = Pair | Verdict
"""What is to be asked about a claim, or what is known without asking: a cited value decides by itself."""


def _answer(question: Question, verdicts: Verdicts) -> Verdict:
    return verdict_on(question, verdicts) if isinstance(question, Pair) else question


def _asked_of_all(case: Case) -> list[list[Question]]:
    """For each claim, whether what is cited or any other source contradicts it."""
    asked = []
    for own, grounds in zip(case.consistency, case.grounds, strict=True):
        # Of any source the same passages are shown as for grounding, with another question.
        wide = None if grounds.whole is None else structs.replace(grounds.whole, question="consistency")
        asked.append([question for question in (own, wide) if question is not None])
    return asked
