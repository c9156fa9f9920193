"""The measures of retrieval as metrics: hit, precision, recall, nDCG and MAP at k, and MRR.

The figures are those of trec_eval.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from math import log2
from operator import truediv
from typing import Annotated, ClassVar

from msgspec import Meta

from pincite.metrics.case import Case
from pincite.metrics.metric import Metric, Verdicts, metric_title
from pincite.metrics.retrieval.ranking import RankedRelevant, find_relevant
from pincite.metrics.spans.document_names import each_once, meant_names
from pincite.records import DatasetItem, Result, RetrievedDocument

NOT_JUDGED = "the dataset names no relevant document for the query"
"""One with grades of 0 alone is judged: somebody looked and found nothing relevant."""
Cut = Annotated[int, Meta(ge=1, le=999_999_999)]


class RetrievalMetric(Metric, frozen=True, kw_only=True):
    """The base of the measures. A judged query without results scores 0; an unjudged one is left out."""

    needs: ClassVar[tuple[str, ...]] = ("relevant documents",)

    k: Cut | None = None

    @property
    def place(self) -> str:
        return f"retrieval_metrics.{metric_title(self).lower()}"

    def value(self, found: RankedRelevant) -> float:
        within = len(found.ranks) if self.k is None else bisect_right(found.ranks, self.k)
        return self.at(found, within) if within else 0.0

    def at(self, found: RankedRelevant, within: int) -> float:
        """The measure, where `within` relevant documents are among the first k: at least one."""
        raise NotImplementedError

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        found = case.once("retrieval", lambda: _find(case))
        if found is None:
            return self.result(0, 0, not_scorable=1, reasons={NOT_JUDGED: 1})
        counts = {"without_results": 0.0 if case.item.retrieved else 1.0}
        signals = {
            "ranks": found.ranks,
            "grades": found.grades,
            "relevant": len(found.ideal),
            "relevant_grades": found.ideal,
        }
        return self.result(self.value(found), 1, counts=counts, signals=signals)


class Hit(RetrievalMetric, frozen=True, kw_only=True):
    """1 when a relevant document is among the first k."""

    title: ClassVar[str] = "hit"
    k: Cut

    def at(self, found: RankedRelevant, within: int) -> float:
        return 1.0


class RetrievalPrecision(RetrievalMetric, frozen=True, kw_only=True):
    """Relevant documents among the first k ÷ k."""

    title: ClassVar[str] = "precision"
    k: Cut

    def at(self, found: RankedRelevant, within: int) -> float:
        return within / self.k


class RetrievalRecall(RetrievalMetric, frozen=True, kw_only=True):
    """Relevant documents among the first k ÷ relevant documents."""

    title: ClassVar[str] = "recall"
    k: Cut

    def at(self, found: RankedRelevant, within: int) -> float:
        return within / len(found.ideal)


class NDCG(RetrievalMetric, frozen=True, kw_only=True):
    """The gain of the first k, each grade divided by the logarithm of its rank, ÷ the best gain possible."""

    title: ClassVar[str] = "nDCG"

    @property
    def headline(self) -> int | None:
        return 1 if self.k == 5 else None

    def at(self, found: RankedRelevant, within: int) -> float:
        best = _gain(found.ideal[: self.k], range(1, len(found.ideal) + 1))
        return _gain(found.grades[:within], found.ranks) / best


class MAP(RetrievalMetric, frozen=True, kw_only=True):
    """The precision at each relevant document, summed, ÷ relevant documents."""

    title: ClassVar[str] = "MAP"

    def at(self, found: RankedRelevant, within: int) -> float:
        total: float = sum(map(truediv, range(1, within + 1), found.ranks))
        return total / len(found.ideal)


class MRR(RetrievalMetric, frozen=True, kw_only=True):
    """1 ÷ the rank of the first relevant document."""

    title: ClassVar[str] = "MRR"

    def at(self, found: RankedRelevant, within: int) -> float:
        return 1 / found.ranks[0]


def _gain(grades: Iterable[float], ranks: Iterable[int]) -> float:
    """The discounted gain: a grade counts less by the logarithm of its rank."""
    gain: float = sum(map(truediv, grades, map(log2, map((1).__add__, ranks))))
    return gain


def _find(case: Case) -> RankedRelevant | None:
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
            # Another name of a document that is ranked higher already.
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
