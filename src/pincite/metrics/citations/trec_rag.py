"""Support as the TREC RAG track measures it: full 1, partial 0.5, none 0 (Thakur et al. 2025, "Support
Evaluation for the TREC 2024 RAG Track").

As there, the first citation of a sentence is judged and no other, so a sentence has one weight. Precision
divides the weights by the sentences that cite, recall by all sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from pincite.metrics.case import Case
from pincite.metrics.citations.judged import NO_CITATIONS, UNCITED, Tally
from pincite.metrics.citations.levels import GradedMetric
from pincite.metrics.metric import Verdicts
from pincite.reading.cited_claims import UNKNOWABLE, CitedClaim, Meeting, verdict_alone
from pincite.records import Pair, Result


class TrecRagPrecision(GradedMetric, frozen=True, kw_only=True):
    """Weights of support ÷ sentences with a citation."""

    title: ClassVar[str] = "trec_rag_precision"
    unit: ClassVar[str] = "cited sentences, by weight"
    place: ClassVar[str] = "citation_metrics.trec_rag"
    figure: ClassVar[str] = "weighted_precision"
    pooled: ClassVar[bool] = False

    def pairs(self, case: Case) -> Sequence[Pair]:
        return _pairs(case)

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        tally = _tally(self, case, verdicts, uncited=False)
        return self.finish(case, tally, nothing=NO_CITATIONS)


class TrecRagRecall(GradedMetric, frozen=True, kw_only=True):
    """Weights of support ÷ all sentences: one without a citation has none."""

    title: ClassVar[str] = "trec_rag_recall"
    unit: ClassVar[str] = "sentences, by weight"
    place: ClassVar[str] = "citation_metrics.trec_rag"
    figure: ClassVar[str] = "weighted_recall"
    pooled: ClassVar[bool] = False

    def pairs(self, case: Case) -> Sequence[Pair]:
        return _pairs(case)

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        return self.finish(case, _tally(self, case, verdicts, uncited=True))


def _pairs(case: Case) -> list[Pair]:
    return [m.alone for _, m in _first(case) if m is not None and m.alone is not None]


def _first(case: Case) -> Iterator[tuple[CitedClaim, Meeting | None]]:
    """Each statement with its first citation, where that points somewhere."""
    for statement in case.reading.cited_claims:
        first = statement.targets[0].ordinal if statement.targets else -1
        met = (m for m in statement.meetings if m.cited.ordinal == first)
        yield statement, next(met, None)


def _tally(metric: GradedMetric, case: Case, verdicts: Verdicts, uncited: bool) -> Tally:
    tally = Tally()
    for statement, meeting in _first(case):
        if not statement.targets:
            if uncited:
                tally.add(0.0, UNCITED, statement.claim.text)
            continue
        about = (statement.claim.text, statement.targets[0])
        if meeting is None:
            evidence = statement.targets[0].evidence
            if evidence.status in UNKNOWABLE:
                tally.no_verdict(UNKNOWABLE[evidence.status], *about)
            else:
                tally.add(0.0, evidence.reason, *about)
        else:
            verdict = verdict_alone(meeting, verdicts)
            level = metric.level(verdict)
            if level is None:
                tally.no_verdict(verdict.reason, *about)
            else:
                tally.add(level, verdict.reason, *about)
    return tally
