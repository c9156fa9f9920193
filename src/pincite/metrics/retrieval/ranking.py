"""Where the relevant documents of a query stand in a ranking, with ties broken as trec_eval breaks them.

Scores are compared as 32-bit floats, the higher first. Documents of equal score are ordered by name, the
later name first.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import count
from math import isnan

from msgspec import Struct

from pincite.errors import InputError

Grades = Mapping[str, float]
"""Document → grade, as people judged it. A document is relevant when its grade is above 0."""
Ranking = Mapping[str, float] | Sequence[str]
"""Document → score, or the documents in order, the best first."""


class RankedRelevant(Struct, frozen=True, gc=False):
    """Where the relevant documents of one query stand in its ranking. Every measure follows from this."""

    ranks: list[int]
    """Of the relevant documents that were retrieved, counted from 1, the best first."""
    grades: list[float]
    """Their grades, in the same order."""
    ideal: list[float]
    """The grades of all relevant documents, the highest first."""


def find_relevant(grades: Grades, ranking: Ranking) -> RankedRelevant | None:
    """Where the relevant documents stand; None for a query of which no document was judged."""
    if not grades:
        return None
    ideal = sorted([grade for grade in grades.values() if grade > 0], reverse=True)
    if isinstance(ranking, Mapping):
        rows = _ranks_by_score(grades, ranking)
    else:
        places = dict(zip(dict.fromkeys(ranking), count(1), strict=False))
        rows = [(places[name], grade) for name, grade in grades.items() if grade > 0 and name in places]
    rows.sort()
    return RankedRelevant([rank for rank, _ in rows], [grade for _, grade in rows], ideal)


def _ranks_by_score(grades: Grades, ranking: Mapping[str, float]) -> list[tuple[int, float]]:
    """The rank and the grade of each relevant document. Only scores are sorted, and names where they tie."""
    try:
        scores = dict(zip(ranking, array("f", ranking.values()), strict=True))
    except (TypeError, OverflowError):
        raise InputError("a retrieved document has a score that is not a number") from None
    ordered = sorted(scores.values())
    # A sum is NaN when one of its parts is, or when both infinities are among them.
    if isnan(sum(ordered)) and any(map(isnan, ordered)):
        raise InputError("a retrieved document has the score NaN: nothing can be ranked by it")
    found = []
    tied: dict[float, list[str]] = {}
    for name, grade in grades.items():
        score = scores.get(name)
        if score is not None and grade > 0:
            end = bisect_right(ordered, score)
            if end > 1 and ordered[end - 2] == score:
                tied[score] = []
            found.append((len(ordered) - end + 1, score, name, grade))
    if not tied:
        return [(rank, grade) for rank, _, _, grade in found]
    for name, score in scores.items():
        if score in tied:
            tied[score].append(name)
    for names in tied.values():
        names.sort()
    later = {score: len(names) - 1 for score, names in tied.items()}
    return [
        (rank + later[score] - bisect_left(tied[score], name) if score in tied else rank, grade)
        for rank, score, name, grade in found
    ]
