"""How good the citations of an answer are: complete, correct, relevant, dense, real, and faithful in quotes.

Ratios count targets: `[1-3]` is one citation with three of them. docs/metrics.md states each formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from pincite.citations import marker_spans, provided_markers
from pincite.config import Settings
from pincite.metrics.case import Case
from pincite.metrics.metric import Verdicts
from pincite.metrics.tally import NO_CITATIONS, UNCITED, JudgedMetric, UnitTally
from pincite.reading import (
    UNKNOWABLE,
    AssessedTarget,
    Reading,
    asked_alone,
    asked_together,
    asked_without,
    verdict_on,
)
from pincite.records import Pair, Result
from pincite.text import merge

FABRICATED = ("unknown_document", "no_such_page", "out_of_bounds", "bad_span", "path_not_found", "no_entry")
"""What points nowhere. An ambiguous name and a wrong page point somewhere, if not well."""

NO_QUERY = "no query"


class CitationCompleteness(JudgedMetric, frozen=True, kw_only=True):
    """Claims with a citation ÷ claims."""

    title: ClassVar[str] = "citation_completeness"
    headline: ClassVar[int] = 4
    short: ClassVar[str] = "complete"
    unit: ClassVar[str] = "claims cited"
    place: ClassVar[str] = "citation_metrics.citation_completeness"

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = UnitTally()
        reading = case.reading
        for claim, behind in zip(reading.claims, reading.targets_of, strict=True):
            tally.add(float(bool(behind)), "something is cited for it" if behind else UNCITED, claim.text)
        counts = {"total_claims": tally.denominator, "cited_claims": tally.numerator}
        uncited = [unit.claim for unit in tally.units if not unit.worth]
        return self.finish(case, tally, counts, {"uncited_claims": uncited})


class CitationCorrectness(JudgedMetric, frozen=True, kw_only=True):
    """Targets whose evidence supports their claim ÷ targets. One that points nowhere is not correct."""

    title: ClassVar[str] = "citation_correctness"
    counted_by: ClassVar[tuple[str, ...]] = ("alce_recall", "citation_completeness")
    headline: ClassVar[int] = 3
    short: ClassVar[str] = "correct"
    unit: ClassVar[str] = "targets correct"
    place: ClassVar[str] = "citation_metrics.citation_correctness"
    usual_threshold: ClassVar[float | None] = 0.7

    def threshold_for(self, settings: Settings) -> float | None:
        if self.threshold is None and settings.fail_under is not None:
            return settings.fail_under
        return super().threshold_for(settings)

    def pairs(self, case: Case) -> Sequence[Pair]:
        return [*asked_together(case.reading), *asked_alone(case.reading), *asked_without(case.reading)]

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = UnitTally()
        found = case.assessment(verdicts).targets
        reading = case.reading
        for one in found:
            about = (None if one.claim is None else reading.claims[one.claim].text, one.cited)
            if one.standing == "behind_no_claim":
                tally.leave_out(one.reason, *about)
            else:
                worth = None if one.standing == "unjudged" else float(one.standing == "correct")
                tally.add(worth, one.reason, *about)
        counts = {"total_citations": tally.denominator, "correct_citations": tally.numerator}
        signals = {"targets": [_told(one, reading) for one in found]}
        return self.finish(case, tally, counts, signals, NO_CITATIONS)


class CitationRelevance(JudgedMetric, frozen=True, kw_only=True):
    """Targets whose evidence is relevant to the query, cited for a claim of the answer ÷ targets."""

    title: ClassVar[str] = "citation_relevance"
    counted_by: ClassVar[tuple[str, ...]] = ("alce_recall", "citation_completeness")
    unit: ClassVar[str] = "targets relevant"
    place: ClassVar[str] = "citation_metrics.citation_relevance"

    def pairs(self, case: Case) -> Sequence[Pair]:
        return [pair for pairs in _relevance_pairs(case).values() for pair in pairs]

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = UnitTally()
        pairs = _relevance_pairs(case)
        targets = case.reading.targets
        for cited in targets:
            status = cited.evidence.status
            about = (None, cited)
            if not (case.item.query or "").strip():
                tally.leave_out(NO_QUERY, *about)
            elif status in UNKNOWABLE:
                tally.add(None, UNKNOWABLE[status], *about)
            elif status != "found":
                tally.add(0.0, cited.evidence.reason, *about)
            elif cited.ordinal not in pairs:
                tally.leave_out("the citation supports no claim", *about)
            else:
                judged = {
                    v.outcome: v.reason for v in (verdict_on(pair, verdicts) for pair in pairs[cited.ordinal])
                }
                if "supported" in judged:
                    tally.add(1.0, judged["supported"], *about)
                elif "unjudged" in judged:
                    tally.add(None, judged["unjudged"], *about)
                else:
                    tally.add(0.0, next(iter(judged.values())), *about)
        counts = {"total_citations": tally.denominator, "relevant_citations": tally.numerator}
        return self.finish(case, tally, counts, nothing=NO_CITATIONS)


class CitationDensity(JudgedMetric, frozen=True, kw_only=True):
    """Characters of the markers ÷ characters of the answer. Neither high nor low is good in itself."""

    title: ClassVar[str] = "citation_density"
    has_direction: ClassVar[bool] = False
    unit: ClassVar[str] = "characters of markers"
    place: ClassVar[str] = "citation_metrics.citation_density"

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = UnitTally()
        reading = case.reading
        text = reading.answer.text
        markers = merge([*marker_spans(reading.parsed.citations), *provided_markers(reading.answer)])
        shown = [span.of(text) for span in markers]
        tally.numerator, tally.denominator = float(sum(map(len, shown))), len(text)
        return self.finish(case, tally, signals={"markers": shown}, nothing="empty answer")


class FabricationRate(JudgedMetric, frozen=True, kw_only=True):
    """Targets that point nowhere ÷ targets. Lower is better."""

    title: ClassVar[str] = "fabrication_rate"
    counted_by: ClassVar[tuple[str, ...]] = ("alce_recall", "citation_completeness")
    higher_is_better: ClassVar[bool] = False
    unit: ClassVar[str] = "targets that point nowhere"
    place: ClassVar[str] = "citation_metrics.fabrication_rate"

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = UnitTally()
        statuses: dict[str, int] = {}
        for cited in case.reading.targets:
            status = cited.evidence.status
            if status in UNKNOWABLE:
                tally.add(None, UNKNOWABLE[status], cited=cited)
                continue
            reason = cited.evidence.reason or "it points to a place that is there"
            tally.add(1.0 if status in FABRICATED else 0.0, reason, cited=cited)
            if status != "found":
                statuses[status] = statuses.get(status, 0) + 1
        counts = {"total_citations": tally.denominator, "fabricated_citations": tally.numerator}
        return self.finish(case, tally, counts, {"statuses": statuses}, NO_CITATIONS)


class QuoteFidelity(JudgedMetric, frozen=True, kw_only=True):
    """Quotes found word for word in the cited source ÷ quotes, including `excerpt:` of citations."""

    title: ClassVar[str] = "quote_fidelity"
    unit: ClassVar[str] = "quotes verbatim"
    place: ClassVar[str] = "citation_metrics.quote_fidelity"

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = UnitTally()
        for one in case.reading.quotes:
            status = one.cited.evidence.status
            if one.standing != "unknown":
                tally.add(float(one.standing != "nowhere"), one.reason, one.text, one.cited)
            elif status in UNKNOWABLE:
                tally.add(None, UNKNOWABLE[status], one.text, one.cited)
            else:
                tally.leave_out("the citation of the quote points nowhere", one.text, one.cited)
        misplaced = sum(one.standing == "elsewhere" for one in case.reading.quotes)
        counts = {"total_quotes": tally.denominator, "verbatim_quotes": tally.numerator}
        return self.finish(case, tally, {**counts, "misplaced_quotes": misplaced}, nothing="no quotes")


def _relevance_pairs(case: Case) -> dict[int, list[Pair]]:
    """The questions about each target, by its ordinal; none without a query."""
    query = (case.item.query or "").strip()
    pairs: dict[int, list[Pair]] = {}
    if not query:
        return pairs
    for statement in case.reading.cited_claims:
        for met in statement.resolved:
            # The claim is left out: a judge would find its words in the query, whatever is cited for it.
            pair = Pair("", met.passages, "relevance", query)
            pairs.setdefault(met.cited.ordinal, []).append(pair)
    return pairs


def _told(one: AssessedTarget, reading: Reading) -> dict[str, Any]:
    """One target for a reader: where it points, what became of it and why."""
    claim = None if one.claim is None else reading.claims[one.claim].text
    return {
        "citation": one.cited.citation.text,
        "document": one.document,
        "status": one.cited.evidence.status,
        "standing": one.standing,
        "outcome": one.outcome,
        "correct": one.standing == "correct",
        "reason": one.reason,
        "support_score": one.score,
        "claim": claim,
        "cited_length": sum(found.end - found.start for found in one.cited.evidence.passages),
    }
