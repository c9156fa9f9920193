"""One metric of a run of which people labelled some queries, and its corrected score."""

from __future__ import annotations

from array import array
from itertools import repeat
from math import nan

import msgspec

from pincite.measured import Result, Score
from pincite.runs.grouping import Clusters
from pincite.stats.ppi import corrected_rate


class LabelledColumn:
    """What the queries say in one metric: a number each, since a dataset may have millions."""

    def __init__(self) -> None:
        self._others = array("d")
        """What the judge said of the queries that nobody labelled; NaN for those that have no such value."""
        self._labelled: dict[int, tuple[float, float]] = {}
        """By the query's row: what people said of it, and what the judge said."""
        self._bottom = 0.0
        """The sum of the denominators."""
        self._agreed = True
        """Whether people said of every query that they labelled what the judge said."""

    def add(self, row: int, judged: Result, people: Result | None, pooled: bool) -> None:
        """Add a query: what the judge gave, and what people did where they decided it."""
        self._others.extend(repeat(nan, row - len(self._others)))
        self._bottom += judged.denominator if pooled else 1.0
        if people is None or people.score is None:
            self._others.append(_top(judged, pooled))
        else:
            self._others.append(nan)
            self._labelled[row] = _top(people, pooled), _top(judged, pooled)
            same = (people.numerator, people.denominator) == (judged.numerator, judged.denominator)
            self._agreed = self._agreed and same

    def correct(self, score: Score, clusters: Clusters) -> Score:
        """The score with its corrected value; `clusters` has the one of each query, by row."""
        import numpy as np

        if not self._labelled:
            return score
        others = np.frombuffer(self._others)
        rest = np.flatnonzero(~np.isnan(others))
        rows = np.fromiter(self._labelled, dtype=np.int64)
        people, judged = np.array(list(self._labelled.values())).T
        # A pooled metric is the mean of its queries, each weighed by its share of the units.
        mean = self._bottom / (len(rows) + len(rest))
        found = corrected_rate(
            people / mean,
            judged / mean,
            others[rest] / mean,
            clusters=clusters.codes(np.concatenate([rows, rest])),
        )
        rate, interval = found.rate, found.interval
        if self._agreed and score.value is not None and interval is not None:
            # Where people find nothing to correct, the figure stays as it is.
            rate, interval = score.value, (min(interval[0], score.value), max(interval[1], score.value))
        return msgspec.structs.replace(
            score, corrected=rate, corrected_interval=interval, labelled=len(self._labelled)
        )


def _top(result: Result, pooled: bool) -> float:
    return result.numerator if pooled else result.score or 0.0
