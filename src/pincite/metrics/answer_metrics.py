"""How far an answer as a whole can be trusted: does anything cited speak against it, does any source bear it.

Support, consistency and grounding are three questions. Support asks whether the cited text states a claim,
consistency whether anything cited contradicts it, grounding whether any source at all states it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pincite.config import Settings
from pincite.metrics.case import Case
from pincite.metrics.citations.grounds import cited_pair, ground_of, grounding_asked, value_verdict, wide_pair
from pincite.metrics.citations.judged import JudgedMetric, Tally
from pincite.metrics.metric import Verdicts
from pincite.reading.cited_claims import said
from pincite.records import Pair, Result, Verdict

NOTHING_CITED = "nothing is cited that could contradict the claim"
NO_SOURCES = "no sources"


class FactualConsistency(JudgedMetric, frozen=True, kw_only=True):
    """Claims that nothing cited contradicts ÷ claims."""

    title: ClassVar[str] = "factual_consistency"
    unit: ClassVar[str] = "claims consistent"
    place: ClassVar[str] = "answer_quality_metrics.factual_consistency"
    per_answer: ClassVar[str] = "consistency"
    usual_threshold: ClassVar[float | None] = 0.8

    def bar(self, settings: Settings) -> float | None:
        return settings.thresholds.answer_consistency if self.threshold is None else self.threshold

    def pairs(self, case: Case) -> Sequence[Pair]:
        return _pairs(_cited(case))

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = Tally()
        scores: list[float] = []
        enough = case.settings.thresholds.answer_consistency
        consistent: set[int] = set()
        inconsistent: list[dict[str, str]] = []
        for index, questions in enumerate(_cited(case)):
            claim = _text(case, index)
            if not questions:
                tally.leave_out(NOTHING_CITED, claim)
                continue
            verdict = _answer(questions[0], verdicts)
            if verdict.outcome == "unjudged":
                tally.no_verdict(verdict.reason, claim)
                continue
            tally.add(1.0 if verdict.outcome == "supported" else 0.0, verdict.reason, claim)
            if verdict.outcome != "supported":
                inconsistent.append({"claim": claim, "reason": verdict.reason})
            if verdict.score is not None:
                scores.append(verdict.score)
                if verdict.outcome == "supported" and verdict.score >= enough:
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
    higher_is_better: ClassVar[bool] = False
    unit: ClassVar[str] = "claims without ground"
    place: ClassVar[str] = "answer_quality_metrics.hallucination_rate"
    usual_threshold: ClassVar[float | None] = 0.1

    supported_from: float | None = None
    """The score from which a source states a claim; None leaves the decision to the judge."""

    def bar(self, settings: Settings) -> float | None:
        return settings.thresholds.hallucination_tolerance if self.threshold is None else self.threshold

    def pairs(self, case: Case) -> Sequence[Pair]:
        claims = range(len(case.reading.claims))
        return [pair for index in claims for pair in grounding_asked(case, index)]

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = Tally()
        hallucinated: list[dict[str, str]] = []
        for index, _ in enumerate(case.reading.claims):
            claim = _text(case, index)
            verdict = ground_of(case, index, verdicts)
            if verdict is None:
                tally.leave_out(NO_SOURCES, claim)
                continue
            if verdict.outcome == "unjudged":
                tally.no_verdict(verdict.reason, claim)
                continue
            stated = verdict.outcome == "supported" and (verdict.score or 0.0) >= (self.supported_from or 0.0)
            tally.add(0.0 if stated else 1.0, verdict.reason, claim)
            if not stated:
                hallucinated.append({"claim": claim, "reason": verdict.reason})
        counts = {"total_claims": tally.denominator, "hallucinated_claims": tally.numerator}
        return self.finish(case, tally, counts, {"hallucinated_claims": hallucinated})


class ContradictionRate(JudgedMetric, frozen=True, kw_only=True):
    """Claims that anything cited, or any other source, contradicts ÷ claims. Lower is better."""

    title: ClassVar[str] = "contradiction_rate"
    higher_is_better: ClassVar[bool] = False
    unit: ClassVar[str] = "claims contradicted"
    place: ClassVar[str] = "answer_quality_metrics.contradiction_rate"

    def pairs(self, case: Case) -> Sequence[Pair]:
        return _pairs(_contradiction(case))

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = Tally()
        contradicted: list[dict[str, str]] = []
        for index, questions in enumerate(_contradiction(case)):
            judged = [_answer(question, verdicts) for question in questions]
            against = [verdict for verdict in judged if verdict.outcome == "contradicted"]
            failed = [verdict for verdict in judged if verdict.outcome == "unjudged"]
            claim = _text(case, index)
            if not judged:
                tally.leave_out(NO_SOURCES, claim)
            elif against:
                tally.add(1.0, against[0].reason, claim)
                contradicted.append({"claim": claim, "reason": against[0].reason})
            elif failed:
                tally.no_verdict(failed[0].reason, claim)
            else:
                tally.add(0.0, judged[0].reason, claim)
        counts = {"total_claims": tally.denominator, "contradicted_claims": tally.numerator}
        return self.finish(case, tally, counts, {"contradicted_claims": contradicted})


Question = Pair | Verdict
"""What is to be asked about a claim, or what is known without asking: a cited value decides by itself."""


def _text(case: Case, index: int) -> str:
    return case.reading.claims[index].text


def _answer(question: Question, verdicts: Verdicts) -> Verdict:
    return said(question, verdicts) if isinstance(question, Pair) else question


def _pairs(questions: list[list[Question]]) -> list[Pair]:
    return [one for of_claim in questions for one in of_claim if isinstance(one, Pair)]


def _cited(case: Case) -> list[list[Question]]:
    """For each claim what is asked of what is cited; nothing where nothing is."""
    return [
        _first(value_verdict(case, index), cited_pair(case, index))
        for index, _ in enumerate(case.reading.claims)
    ]


def _contradiction(case: Case) -> list[list[Question]]:
    return [
        value + ([] if any(isinstance(one, Verdict) for one in value) else _first(wide_pair(case, index)))
        for index, value in enumerate(_cited(case))
    ]


def _first(*questions: Question | None) -> list[Question]:
    """The first that there is."""
    return [question for question in questions if question is not None][:1]
