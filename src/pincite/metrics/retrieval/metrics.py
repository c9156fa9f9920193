"""The measures of retrieval as metrics: hit, precision, recall, nDCG and MAP at k, and MRR."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from pincite.metrics.case import Case
from pincite.metrics.metric import Metric, Verdicts
from pincite.metrics.retrieval.measures import Measure, MeasureName, score_found
from pincite.metrics.retrieval.ranking import Found, find_relevant
from pincite.metrics.spans.same_documents import each_once, meant_names
from pincite.records import DatasetItem, Result, RetrievedDocument

NOT_JUDGED = "the dataset names no relevant document for the query"
"""One with grades of 0 alone is judged: somebody looked and found nothing relevant."""
Cut = Annotated[int, Meta(ge=1, le=999_999_999)]


class RetrievalMetric(Metric, frozen=True, kw_only=True):
    """The base of the measures. A judged query without results scores 0; an unjudged one is left out."""

    measure: ClassVar[MeasureName]
    unit: ClassVar[str] = ""
    needs: ClassVar[tuple[str, ...]] = ("relevant documents",)

    @property
    def place(self) -> str:
        return f"retrieval_metrics.{self.measured!s}"

    @property
    def measured(self) -> Measure:
        """The measure, cut where the metric says."""
        return Measure(self.measure, getattr(self, "k", None))

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        found = _found(case)
        if found is None:
            return self.result(0, 0, not_scorable=1, reasons={NOT_JUDGED: 1})
        (value,) = score_found(found, [self.measured])
        counts = {"without_results": 0.0 if case.item.retrieved else 1.0}
        signals = {
            "ranks": found.ranks,
            "grades": found.grades,
            "relevant": len(found.ideal),
            "relevant_grades": found.ideal,
        }
        return self.result(value, 1, counts=counts, signals=signals)


class Hit(RetrievalMetric, frozen=True, kw_only=True):
    """1 when a relevant document is among the first k."""

    title: ClassVar[str] = "hit"
    measure: ClassVar[MeasureName] = "hit"
    k: Cut


class RetrievalPrecision(RetrievalMetric, frozen=True, kw_only=True):
    """Relevant documents among the first k ÷ k."""

    title: ClassVar[str] = "precision"
    measure: ClassVar[MeasureName] = "precision"
    k: Cut


class RetrievalRecall(RetrievalMetric, frozen=True, kw_only=True):
    """Relevant documents among the first k ÷ relevant documents."""

    title: ClassVar[str] = "recall"
    measure: ClassVar[MeasureName] = "recall"
    k: Cut


class NDCG(RetrievalMetric, frozen=True, kw_only=True):
    """The gain of the first k, each grade divided by the logarithm of its rank, ÷ the best gain possible."""

    title: ClassVar[str] = "nDCG"
    measure: ClassVar[MeasureName] = "ndcg"
    k: Cut | None = None


class MAP(RetrievalMetric, frozen=True, kw_only=True):
    """The precision at each relevant document, summed, ÷ relevant documents."""

    title: ClassVar[str] = "MAP"
    measure: ClassVar[MeasureName] = "map"
    k: Cut | None = None


class MRR(RetrievalMetric, frozen=True, kw_only=True):
    """1 ÷ the rank of the first relevant document."""

    title: ClassVar[str] = "MRR"
    measure: ClassVar[MeasureName] = "mrr"
    k: Cut | None = None


def _found(case: Case) -> Found | None:
    """Where the relevant documents stand, worked out once for all measures."""
    if "retrieval" not in case.kept:
        case.kept["retrieval"] = _find(case)
    found: Found | None = case.kept["retrieval"]
    return found


def _find(case: Case) -> Found | None:
    item = case.item
    if not item.relevant:
        return None
    ranking = ranked(item)
    grades = each_once(item.relevant, case.library)
    meant = meant_names(list(ranking), list(grades), case.library)
    if not meant:
        return find_relevant(grades, ranking)
    # The retrieved name stands for the relevant one, so that ties are broken by what the system wrote.
    scores = (
        ranking if isinstance(ranking, dict) else dict(zip(ranking, range(0, -len(ranking), -1), strict=True))
    )
    for name in sorted(meant, key=lambda name: scores[name], reverse=True):
        if meant[name] in grades:
            grades[name] = grades.pop(meant[name])
        else:
            # Another name of a document that stands further up already.
            del scores[name]
    return find_relevant(grades, scores)


def ranked(item: DatasetItem) -> dict[str, float] | list[str]:
    """Documents with their scores, or in their order where one of them has no score.

    A document that was retrieved again, as another passage of it, counts at its best place.
    """
    retrieved: tuple[RetrievedDocument, ...] = item.retrieved or ()
    if any(one.score is None or one.score != one.score for one in retrieved):
        return list(dict.fromkeys(one.document for one in retrieved))
    scores: dict[str, float] = {}
    for one in retrieved:
        score = one.score or 0.0
        if scores.get(one.document, score) <= score:
            scores[one.document] = score
    return scores
