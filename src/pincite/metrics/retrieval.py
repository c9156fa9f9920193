"""The measures of retrieval: hit, precision, recall, nDCG and MAP at k, and MRR, as trec_eval has them.

Ties in a ranking are broken as trec_eval breaks them. Scores are compared as 32-bit floats, the higher first.
Documents of equal score are ordered by name, the later name first. `python -m bench retrieval` holds this to
the speed of pytrec_eval.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from math import isnan, log2
from operator import truediv
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from pincite.errors import InputError
from pincite.metrics.case import Case
from pincite.metrics.document_names import each_once, meant_names
from pincite.metrics.metric import Metric, Verdicts, metric_title
from pincite.records import DatasetItem, Result, RetrievedDocument

NOT_JUDGED = "the dataset names no relevant document for the query"
"""One with grades of 0 alone is judged: somebody looked and found nothing relevant."""
Cut = Annotated[int, Meta(ge=1, le=999_999_999)]

Grades = Mapping[str, float]
"""Document → grade, as people judged it. A document is relevant when its grade is above 0."""
Ranking = Mapping[str, float] | Sequence[str]
"""Document → score, or the documents in order, the best first."""

NARROW = 2.0**-22
SMALLEST = 2.0**-126
"""Scores further apart than this, relative and absolute, are never the same 32-bit float."""
LARGEST = 3.4e38
"""Beyond this a 32-bit float may be infinite."""


class RankedRelevant(Struct, frozen=True, gc=False):
    """Where the relevant documents of one query stand in its ranking. Every measure follows from this."""

    ranks: list[int]
    """Of the relevant documents that were retrieved, counted from 1, the best first."""
    grades: list[float]
    """Their grades, in the same order."""
    ideal: list[float]
    """The grades of all relevant documents, the highest first."""


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


# --- where the relevant documents stand ----------------------------------------------------------


def find_relevant(grades: Grades, ranking: Ranking, depth: int | None = None) -> RankedRelevant | None:
    """Where the relevant documents stand; None for a query of which no document was judged.

    With a `depth`, those further down may be left out, except for the best of all.
    """
    if not grades:
        return None
    ideal = sorted([grade for grade in grades.values() if grade > 0], reverse=True)
    if isinstance(ranking, Mapping):
        rows = _ranks_by_score(grades, ranking, depth)
    else:
        places = dict(zip(dict.fromkeys(ranking), count(1), strict=False))
        rows = [(places[name], grade) for name, grade in grades.items() if grade > 0 and name in places]
    rows.sort()
    return RankedRelevant([rank for rank, _ in rows], [grade for _, grade in rows], ideal)


def _ranks_by_score(
    grades: Grades, ranking: Mapping[str, float], depth: int | None
) -> list[tuple[int, float]]:
    """The rank and the grade of each relevant document.

    Only the scores are sorted: to narrow them to 32 bits makes neighbours equal and never changes their
    order. Names are looked at only where a neighbour is near enough for that.
    """
    if not ranking:
        return []
    ordered = _sorted_scores(ranking)
    size = len(ordered)
    score_of = ranking.get
    found = [
        (score, grade)
        for name, grade in grades.items()
        if grade > 0 and (score := score_of(name)) is not None
    ]
    if not -LARGEST <= ordered[0] <= ordered[-1] <= LARGEST:
        return _ranks_with_ties((score for score, _ in found), grades, ranking, ordered)
    if depth is not None and depth < size:
        lowest = ordered[-depth] - _reach(ordered[-depth])
        found = [row for row in found if row[0] >= lowest] or ([max(found)] if found else [])
    rows = []
    for score, grade in found:
        end = bisect_right(ordered, score)
        near = _reach(score)
        if (end < size and ordered[end] - score <= near) or (end > 1 and score - ordered[end - 2] <= near):
            return _ranks_with_ties((score for score, _ in found), grades, ranking, ordered)
        rows.append((size - end + 1, grade))
    return rows


def _reach(score: float) -> float:
    """How near another score must be for the two to be the same 32-bit float, or more."""
    return abs(score) * NARROW + SMALLEST


def _ranks_with_ties(
    scores: Iterable[float], grades: Grades, ranking: Mapping[str, float], ordered: list[float]
) -> list[tuple[int, float]]:
    """The same where some of these scores are equal to others as 32-bit floats: the later name goes first."""
    tied_with: dict[float, list[str]] = {}
    groups: list[tuple[int, list[str]]] = []
    for score in scores:
        if score in tied_with:
            continue
        narrow, size = _as_float32(score), len(ordered)
        end = bisect_right(ordered, score)
        start = end - 1
        while end < size and _as_float32(ordered[end]) == narrow:
            end += 1
        while start > 0 and _as_float32(ordered[start - 1]) == narrow:
            start -= 1
        names: list[str] = []
        tied_with.update(dict.fromkeys(ordered[start:end], names))
        groups.append((size - end + 1, names))
    for name, score in ranking.items():
        if score in tied_with:
            tied_with[score].append(name)
    grade_of = grades.get
    return [
        (rank, grade)
        for first, names in groups
        for rank, name in enumerate(sorted(names, reverse=True), first)
        if (grade := grade_of(name)) is not None and grade > 0
    ]


def _as_float32(score: float) -> float:
    return array("f", (score,))[0]


def _sorted_scores(ranking: Mapping[str, float]) -> list[float]:
    try:
        # A sum is NaN when one of its parts is, or when both infinities are among them.
        if isnan(sum(ranking.values())) and any(map(isnan, ranking.values())):
            raise InputError("a retrieved document has the score NaN: nothing can be ranked by it")
        return sorted(ranking.values())
    except (TypeError, OverflowError):
        raise InputError("a retrieved document has a score that is not a number") from None
