"""Where the relevant documents of a query stand in a ranking, with ties broken as trec_eval breaks them.

Scores are compared as 32-bit floats, the higher first. Documents of equal score are ordered by name, the
later name first. `python -m bench retrieval` holds this to the speed of pytrec_eval.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from math import isnan

from msgspec import Struct

from pincite.errors import InputError

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
