"""Whether one system is better than another, said with a proper test.

Queries are paired by id. Each metric gets the difference (B less A) with its interval, a p-value adjusted for
the number of metrics, an effect size, and the number of queries that a difference of that size would need.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from pincite.config import Settings
from pincite.measured import ItemResult
from pincite.records import SCHEMA_VERSION
from pincite.runs.changes import Changed, Ranking
from pincite.runs.pairing import (
    Paired,
    Side,
    count_outcomes,
    kind_of,
    pair_queries,
    read_side,
    shared_metrics,
    values,
)
from pincite.runs.verdicts import told_verdict

AT_ONCE = 1_000_000
"""Values of one kind that are held in memory at a time."""
POWER = 0.8
NEAR = 1e-12
"""Figures that are closer than this differ by rounding alone."""
MOST_LISTED = 100
"""Queries with a changed text that are listed by id; all are counted."""


class MetricComparison(Struct, frozen=True, kw_only=True):
    """One metric in both runs, on the queries that have a value in both."""

    name: str
    a: float | None
    b: float | None
    difference: float | None
    """B less A."""
    confidence_interval: tuple[float, float] | None
    p_value: float | None
    p_adjusted: float | None
    """By Holm's method, for the number of metrics that were asked for."""
    test: str
    """`permutation` or `mcnemar`, with `, clustered` where it was; `none` without anything to test."""
    effect_size: float | None
    n_needed: int | None
    """Queries for a power of 80% at this difference; None where there is none."""
    effect: str = ""
    """Which effect size it is: `cohen_dz` or `cohen_g`."""
    method: str = ""
    """How the interval was made, or why there is none."""
    n: int = 0
    """Queries with a value in both runs."""
    groups: int | None = None
    """Groups that these queries hang together in, by a document or a conversation; None where none do."""
    not_scorable: tuple[int, int] = (0, 0)
    """Paired queries with nothing to score in A, in B."""
    unjudged: tuple[int, int] = (0, 0)
    higher_is_better: bool = True
    has_direction: bool = True
    """False where neither a high nor a low value is good in itself."""
    outcome: str = "not decisive"
    """`better`, `worse` or `not decisive`, of B beside A; `different` for a metric without a direction."""
    verdict: str = ""
    """The outcome in words, with how many queries it would take where it is not decisive."""


class Comparison(Struct, frozen=True, kw_only=True):
    """Two runs on the same queries."""

    a: str
    b: str
    n_paired: int
    metrics: tuple[MetricComparison, ...]
    changed: Changed
    only_in_a: int = 0
    only_in_b: int = 0
    changed_text: int = 0
    """Queries with the same id and another text, which are not compared."""
    changed_text_ids: tuple[str, ...] = ()
    failed: tuple[int, int] = (0, 0)
    """Queries without an answer in A, in B."""
    titles: tuple[str, str] = ("", "")
    """The names that were given to the runs, beside their ids in `a` and `b`."""
    clustered: bool = False
    groups: int | None = None
    """Groups that the paired queries hang together in, where that was taken into account."""
    level: float = 0.95
    notes: tuple[str, ...] = field(default=())
    schema_version: int = SCHEMA_VERSION

    @property
    def is_worse(self) -> bool:
        """Whether any metric got worse beyond chance."""
        return any(metric.outcome == "worse" for metric in self.metrics)


def compare(
    a: Iterable[ItemResult],
    b: Iterable[ItemResult],
    metrics: Sequence[str] | None = None,
    settings: Settings | None = None,
    *,
    names: tuple[str, str] = ("A", "B"),
    titles: tuple[str, str] = ("", ""),
    notes: Sequence[str] = (),
) -> Comparison:
    """Compare two runs, A the earlier one. Without `metrics` all that both have are compared.

    `names` are the ids of the runs and `titles` what somebody called them, to be shown beside. `notes` are
    what else a reader should know about the two; the comparison adds its own.
    """
    settings = settings or Settings()
    with read_side(a) as first, read_side(b) as second:
        found = _compared(first, second, tuple(str(name) for name in metrics or ()), settings, names)
    return replace(found, titles=titles, notes=(*notes, *found.notes))


def _compared(
    first: Side, second: Side, asked: Sequence[str], settings: Settings, names: tuple[str, str]
) -> Comparison:
    chosen = shared_metrics(first, second, asked)
    paired = pair_queries(first, second, names)
    ranking = Ranking(len(paired.first))
    rows: list[MetricComparison] = []
    at_once = max(1, AT_ONCE // len(paired.first))
    for start in range(0, len(chosen), at_once):
        rows += _metric_rows(first, second, paired, chosen[start : start + at_once], settings, ranking)
    from pincite.stats.tests import holm

    level = settings.evaluation.confidence_level
    adjusted = holm([row.p_value for row in rows])
    judged = tuple(
        told_verdict(row, p, len(rows), 1.0 - level) for row, p in zip(rows, adjusted, strict=True)
    )
    clustered = any("clustered" in f"{row.test} {row.method}" for row in judged)
    return Comparison(
        a=names[0],
        b=names[1],
        n_paired=len(paired.first),
        metrics=judged,
        changed=ranking.changed(first, second, paired, chosen),
        only_in_a=paired.only_first,
        only_in_b=paired.only_second,
        changed_text=len(paired.changed_text),
        changed_text_ids=paired.changed_text[:MOST_LISTED],
        failed=(first.failed, second.failed),
        clustered=clustered,
        groups=len(set(paired.clusters)) if clustered and paired.clusters is not None else None,
        level=level,
        notes=_notes(paired, chosen),
    )


def _metric_rows(
    first: Side, second: Side, paired: Paired, names: Sequence[str], settings: Settings, ranking: Ranking
) -> list[MetricComparison]:
    import numpy as np

    from pincite.stats.tests import difference_intervals, pair_up, permutation_tests

    kinds = [kind_of(name) for name in names]
    sides = []
    for side, rows in ((first, paired.first), (second, paired.second)):
        read = [values(side, name, rows, kind.pooled) for name, kind in zip(names, kinds, strict=True)]
        sides.append(tuple(np.stack(part, axis=1) for part in zip(*read, strict=True)))
    (a_outcomes, a_tops, a_bottoms), (b_outcomes, b_tops, b_bottoms) = sides
    ranking.add(a_tops, a_bottoms, b_tops, b_bottoms, [kind.direction for kind in kinds])
    pairs = pair_up((a_tops, a_bottoms), (b_tops, b_bottoms), clusters=paired.clusters)
    chance = settings.evaluation
    intervals = difference_intervals(
        pairs, resamples=chance.resamples, seed=chance.random_seed, level=chance.confidence_level
    )
    p_values = permutation_tests(pairs, resamples=chance.resamples, seed=chance.random_seed)
    found = []
    for place, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        columns = (a_tops[:, place], a_bottoms[:, place], b_tops[:, place], b_bottoms[:, place])
        figures = _figures(
            columns, paired.clusters, pairs.clustered, p_values[place], chance.confidence_level
        )
        left_out = [count_outcomes(outcomes[:, place]) for outcomes in (a_outcomes, b_outcomes)]
        found.append(
            MetricComparison(
                name=name,
                confidence_interval=intervals[place].bounds,
                method=intervals[place].method,
                p_adjusted=None,
                not_scorable=(left_out[0][0], left_out[1][0]),
                unjudged=(left_out[0][1], left_out[1][1]),
                higher_is_better=kind.higher_is_better,
                has_direction=kind.has_direction,
                **figures,
            )
        )
    return found


def _figures(
    columns: tuple[Any, Any, Any, Any], clusters: Any, clustered: bool, p_value: float | None, level: float
) -> dict[str, Any]:
    """Values, difference, test, effect size and queries needed of one metric."""
    import numpy as np

    from pincite.stats.power import mcnemar_queries_needed, queries_needed
    from pincite.stats.tests import cohen_dz, cohen_g, mcnemar, pair_up, paired_differences

    both = ~np.isnan(np.stack(columns)).any(axis=0)
    a_top, a_bottom, b_top, b_bottom = (column[both] for column in columns)
    n = int(both.sum())
    if not n or not a_bottom.sum() or not b_bottom.sum():
        nothing = dict.fromkeys(("a", "b", "difference", "p_value", "effect_size", "n_needed"))
        return {**nothing, "test": "none", "n": n}
    a, b = float(a_top.sum() / a_bottom.sum()), float(b_top.sum() / b_bottom.sum())
    apart = b - a if abs(b - a) > NEAR else 0.0
    groups = len(np.unique(clusters[both])) if clustered else None
    figures = {"a": a, "b": b, "difference": apart, "n": n, "groups": groups}
    alpha = 1.0 - level
    if not clustered and _is_binary(a_top, a_bottom) and _is_binary(b_top, b_bottom):
        only_a, only_b = int(((a_top == 1) & (b_top == 0)).sum()), int(((a_top == 0) & (b_top == 1)).sum())
        return {
            **figures,
            "test": "mcnemar",
            "p_value": mcnemar(only_a, only_b),
            "effect_size": cohen_g(only_a, only_b),
            "effect": "cohen_g",
            "n_needed": mcnemar_queries_needed(only_a / n, only_b / n, power=POWER, alpha=alpha),
        }
    alone = paired_differences(pair_up((a_top, a_bottom), (b_top, b_bottom)), 0)
    effect = cohen_dz(alone)
    needed = queries_needed(effect, power=POWER, alpha=alpha)
    if clustered and needed is not None:
        # Queries that move together say less than as many that do not.
        sums = np.bincount(np.unique(clusters[both], return_inverse=True)[1], weights=alone - alone.mean())
        spread = float(((alone - alone.mean()) ** 2).sum())
        needed = int(np.ceil(needed * max(1.0, float((sums**2).sum()) / spread)))
    return {
        **figures,
        "test": "permutation, clustered" if clustered else "permutation",
        "p_value": p_value,
        "effect_size": effect,
        "effect": "cohen_dz",
        "n_needed": needed,
    }


def _is_binary(top: Any, bottom: Any) -> bool:
    import numpy as np

    return bool(np.all(bottom == 1.0) and np.all((top == 0.0) | (top == 1.0)))


def _notes(paired: Paired, chosen: Sequence[str]) -> tuple[str, ...]:
    notes = []
    for repeated, letter in zip(paired.repeated, "AB", strict=True):
        if repeated:
            queries = "query" if repeated == 1 else "queries"
            notes.append(f"{repeated:,} {queries} of {letter} with the id of an earlier one, left out")
    unknown = [name for name in chosen if not kind_of(name).known]
    if unknown:
        notes.append(f"not known here, so taken for a mean that should be high: {', '.join(unknown)}")
    if not chosen:
        notes.append("the runs share no metric")
    return tuple(notes)
