"""Which queries changed most between two runs, and what was answered to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from pincite.base import np
from pincite.metrics import known_metric
from pincite.runs.comparison.pairing import Paired, RunSide

SHOWN = 10


class ChangedQuery(Struct, frozen=True, kw_only=True):
    """One query, and what both systems made of it."""

    query_id: str
    query_text: str
    change: float
    """The mean of its changes over the metrics that have a direction, above 0 where B is better."""
    metrics: dict[str, tuple[float, float]]
    """The metrics that changed, as A's and B's score, the largest change first."""
    answer_a: str | None
    answer_b: str | None
    failure_a: str | None = None
    failure_b: str | None = None


class Changed(Struct, frozen=True):
    """The queries that changed most, the largest change first."""

    better: tuple[ChangedQuery, ...] = ()
    worse: tuple[ChangedQuery, ...] = ()


class Ranking:
    """Adds up how far each query changed, a few metrics at a time."""

    def __init__(self, queries: int) -> None:
        self._sums = np.zeros(queries)
        self._counts = np.zeros(queries)

    def add(
        self, a_tops: Any, a_bottoms: Any, b_tops: Any, b_bottoms: Any, directions: Sequence[float]
    ) -> None:
        """Add columns of metrics, all queries a line each."""
        with np.errstate(divide="ignore", invalid="ignore"):
            apart = (b_tops / b_bottoms - a_tops / a_bottoms) * np.asarray(directions)
        # No metric may outweigh the others because it is not between 0 and 1.
        apart = np.clip(apart, -1.0, 1.0)
        known = np.isfinite(apart) & (np.asarray(directions) != 0)
        self._sums += np.where(known, apart, 0.0).sum(axis=1)
        self._counts += known.sum(axis=1)

    def changed(self, first: RunSide, second: RunSide, paired: Paired, metrics: Sequence[str]) -> Changed:
        changes = self._sums / np.maximum(self._counts, 1)
        order = np.argsort(-changes, kind="stable")
        better = [place for place in order[:SHOWN] if changes[place] > 1e-12]
        order = np.argsort(changes, kind="stable")
        worse = [place for place in order[:SHOWN] if changes[place] < -1e-12]
        shown = np.array([*better, *worse], dtype=np.int64)
        scores = _scores(first, second, paired, metrics, shown) if len(shown) else []
        told = [
            _told(first, second, paired, int(place), float(changes[place]), moved)
            for place, moved in zip(shown, scores, strict=True)
        ]
        return Changed(tuple(told[: len(better)]), tuple(told[len(better) :]))


def _scores(
    first: RunSide, second: RunSide, paired: Paired, metrics: Sequence[str], shown: Any
) -> list[dict[str, tuple[float, float]]]:
    """For each query that is shown, the metrics in which it changed."""
    moved: list[dict[str, tuple[float, float]]] = [{} for _ in shown]
    for name in metrics:
        _, a_top, a_bottom = first.values.column(name, paired.first[shown])
        _, b_top, b_bottom = second.values.column(name, paired.second[shown])
        for place in range(len(shown)):
            with np.errstate(divide="ignore", invalid="ignore"):
                one, other = float(a_top[place] / a_bottom[place]), float(b_top[place] / b_bottom[place])
            if np.isfinite(one) and np.isfinite(other) and one != other:
                moved[place][name] = (one, other)
    return [_largest_first(changes) for changes in moved]


def _largest_first(changes: dict[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """Metrics without a direction come last. Of equal changes one of each family comes before the others,
    so that the first few say different things."""
    met: Counter[tuple[str, float]] = Counter()
    ranks = {}
    for name, (one, other) in changes.items():
        metric, size = known_metric(name), round(min(1.0, abs(other - one)), 3)
        family = type(metric).__module__
        ranks[name] = (not metric.has_direction, -size, met[family, size])
        met[family, size] += 1
    return {name: changes[name] for name in sorted(changes, key=ranks.__getitem__)}


def _told(
    first: RunSide,
    second: RunSide,
    paired: Paired,
    place: int,
    change: float,
    moved: dict[str, tuple[float, float]],
) -> ChangedQuery:
    one, other = first.told(int(paired.first[place])), second.told(int(paired.second[place]))
    return ChangedQuery(
        query_id=one.query_id,
        query_text=one.query_text or other.query_text,
        change=change,
        metrics=moved,
        answer_a=one.answer,
        answer_b=other.answer,
        failure_a=one.failure,
        failure_b=other.failure,
    )
