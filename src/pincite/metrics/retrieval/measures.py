"""How well a system's ranked documents meet the judged ones: hit, precision, recall, nDCG, MAP at k, and MRR.

The figures are those of trec_eval: scores are compared as 32-bit floats, the higher first, and documents of
equal score by their names, the later name first. A document is relevant when its grade is above 0. A query
without a judged document cannot be scored and is None; one without results, or of which every judged document
has grade 0 or less, scores 0.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, log2
from operator import truediv
from typing import Literal

from msgspec import Struct

from pincite.errors import InputError
from pincite.metrics.retrieval.ranking import Found, Grades, Ranking, find_relevant

MeasureName = Literal["hit", "precision", "recall", "ndcg", "map", "mrr"]
_NAME = re.compile(r"(hit|precision|recall|ndcg|map|mrr)(?:@([1-9][0-9]{0,8}))?", re.IGNORECASE)
_NEEDS_K = ("hit", "precision", "recall")


class Measure(Struct, frozen=True):
    """One measure and where it cuts the ranking; `ndcg`, `map` and `mrr` may leave it whole."""

    name: MeasureName
    k: int | None = None

    def __str__(self) -> str:
        return self.name if self.k is None else f"{self.name}@{self.k}"


def parse_measure(name: str | Measure) -> Measure:
    """The measure of a name such as `ndcg@10`, `hit@5` or `mrr`; upper and lower case are the same."""
    if isinstance(name, Measure):
        return name
    read = _NAME.fullmatch(name.strip())
    if read is None:
        raise InputError(f"{name!r:.60} is not a retrieval measure: write it as ndcg@10, map@5 or mrr")
    kind, k = read[1].lower(), read[2]
    if k is None and kind in _NEEDS_K:
        raise InputError(f"{name!r:.60} needs to know how many documents count: write {kind}@10")
    return Measure(kind, None if k is None else int(k))  # type: ignore[arg-type]


def score_found(found: Found, measures: Sequence[Measure]) -> list[float]:
    """The value of each measure for one query."""
    ranks, ideal = found.ranks, found.ideal
    if not ranks:
        return [0.0] * len(measures)
    total = len(ideal)
    values = []
    for measure in measures:
        name, k = measure.name, measure.k
        within = len(ranks) if k is None else bisect_right(ranks, k)
        if not within:
            value = 0.0
        elif name == "ndcg":
            value = _gain(found.grades[:within], ranks) / _gain(ideal[:k], range(1, total + 1))
        elif name == "map":
            value = sum(map(truediv, range(1, within + 1), ranks)) / total
        elif name == "mrr":
            value = 1 / ranks[0]
        elif name == "hit":
            value = 1.0
        else:
            value = within / (k if name == "precision" and k else total)
        values.append(value)
    return values


def score_query(
    grades: Grades, ranking: Ranking, measures: Iterable[str | Measure]
) -> dict[str, float | None]:
    """The value of each measure for one query, by the measure's name."""
    wanted = [parse_measure(measure) for measure in measures]
    found = find_relevant(grades, ranking, _depth(wanted))
    return _named(found, wanted, [str(measure) for measure in wanted])


def score_run(
    judged: Mapping[str, Grades], run: Mapping[str, Ranking], measures: Iterable[str | Measure]
) -> dict[str, dict[str, float | None]]:
    """The same for every judged query. One that the run leaves out has no results, and scores 0."""
    wanted = [parse_measure(measure) for measure in measures]
    names = [str(measure) for measure in wanted]
    depth = _depth(wanted)
    return {
        query: _named(find_relevant(grades, run.get(query, ()), depth), wanted, names)
        for query, grades in judged.items()
    }


class Mean(Struct, frozen=True):
    """A measure over many queries: the mean of those that can be scored."""

    value: float | None
    n: int
    not_scorable: int
    """Queries of which nobody judged a document."""


def mean_scores(scores: Mapping[str, Mapping[str, float | None]]) -> dict[str, Mean]:
    """The mean of each measure over the queries of `score_run`."""
    columns: dict[str, list[float | None]] = {}
    for row in scores.values():
        for name, value in row.items():
            columns.setdefault(name, []).append(value)
    means = {}
    for name, column in columns.items():
        known = [value for value in column if value is not None]
        mean = fsum(known) / len(known) if known else None
        means[name] = Mean(mean, len(known), len(column) - len(known))
    return means


def _depth(measures: Sequence[Measure]) -> int | None:
    """How deep a ranking matters to these measures; None when all of it does."""
    cuts = [measure.k for measure in measures if measure.name != "mrr"]
    return None if None in cuts else max((k for k in cuts if k is not None), default=1)


def _named(found: Found | None, measures: Sequence[Measure], names: Sequence[str]) -> dict[str, float | None]:
    if found is None:
        return dict.fromkeys(names)
    return dict(zip(names, score_found(found, measures), strict=True))


def _gain(grades: Iterable[float], ranks: Iterable[int]) -> float:
    """The discounted gain: a grade counts less by the logarithm of its rank."""
    gain: float = sum(map(truediv, grades, map(log2, map(_next, ranks))))
    return gain


_next = (1).__add__
