"""Whether one system is better than another, said with a proper test.

Queries are paired by id. Each metric gets the difference (B less A) with its interval, a p-value adjusted for
the number of metrics, an effect size, and the number of queries that a difference of that size would need.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from pincite.base import np
from pincite.config import Settings, defaults
from pincite.metrics import known_metric
from pincite.records import SCHEMA_VERSION, ItemResult, Run
from pincite.runs.metric_comparison import (
    MetricComparison,
    Need,
    Units,
    few_groups,
    figures,
    group_counts,
    one_sided,
    tell_verdicts,
    units_of,
)
from pincite.runs.pairing import (
    Paired,
    RunSide,
    count_outcomes,
    items_of,
    pair_queries,
    read_side,
    shared_metrics,
)
from pincite.stats import Interval, Pairs, difference_intervals, group_tests, pair_up, permutation_tests

__all__ = ["Comparison", "MetricComparison", "compare", "compare_items"]

AT_ONCE = 1_000_000
"""Values of one kind that are held in memory at a time."""
MOST_LISTED = 100
"""Queries with a changed text that are listed by id; all are counted."""


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
    """Groups of paired queries that share a document or conversation, where the test used them; of the metric
    with the most."""
    level: float = 0.95
    notes: tuple[str, ...] = field(default=())
    schema_version: int = SCHEMA_VERSION

    @property
    def is_worse(self) -> bool:
        """Whether any metric got worse beyond chance."""
        return any(metric.outcome == "worse" for metric in self.metrics)


def compare(
    a: Run, b: Run, metrics: Sequence[str] | None = None, settings: Settings | None = None
) -> Comparison:
    """Compare two runs, A the earlier one. Without `metrics` all that both have are compared.

    Notes say what else differs between the two, such as the judge or the dataset.
    """
    first, second = items_of(a), items_of(b)
    return compare_items(
        first,
        second,
        metrics,
        settings,
        names=(a.run_id or "A", b.run_id or "B"),
        titles=(a.name or "", b.name or ""),
        notes=tell_differences(a, b),
    )


def compare_items(
    a: Iterable[ItemResult],
    b: Iterable[ItemResult],
    metrics: Sequence[str] | None = None,
    settings: Settings | None = None,
    *,
    names: tuple[str, str] = ("A", "B"),
    titles: tuple[str, str] = ("", ""),
    notes: Sequence[str] = (),
    apart: Collection[str] = (),
) -> Comparison:
    """Compare the items of two runs.

    Metrics in `apart`, which matter most, are adjusted for their own number, and the others for theirs.
    `names` are the ids of the runs and `titles` what somebody called them. `notes` are what else a reader
    should know about the two; the comparison adds its own.
    """
    settings = settings or Settings()
    with read_side(a) as first, read_side(b) as second:
        asked = tuple(str(name) for name in metrics or ())
        found = _compared(first, second, asked, apart, settings, names)
    return replace(found, titles=titles, notes=(*notes, *found.notes))


def _compared(
    first: RunSide,
    second: RunSide,
    asked: Sequence[str],
    apart: Collection[str],
    settings: Settings,
    names: tuple[str, str],
) -> Comparison:
    chosen = shared_metrics(first, second, asked)
    paired = pair_queries(first, second, names)
    ranking = Ranking(len(paired.first))
    rows: list[tuple[MetricComparison, Need]] = []
    at_once = max(1, AT_ONCE // len(paired.first))
    for start in range(0, len(chosen), at_once):
        rows += _metric_rows(first, second, paired, chosen[start : start + at_once], settings, ranking)
    level = settings.evaluation.confidence_level
    judged = tell_verdicts(rows, apart, 1.0 - level, settings.evaluation.resamples)
    grouped = [row.groups for row in judged if row.unit == "group" and row.groups is not None]
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
        clustered=bool(grouped),
        groups=max(grouped, default=None),
        level=level,
        notes=_notes(paired, chosen, judged),
    )


def _metric_rows(
    first: RunSide,
    second: RunSide,
    paired: Paired,
    names: Sequence[str],
    settings: Settings,
    ranking: Ranking,
) -> list[tuple[MetricComparison, Need]]:
    kinds = [known_metric(name) for name in names]
    sides = []
    for side, rows in ((first, paired.first), (second, paired.second)):
        read = [side.values.column(name, rows) for name in names]
        sides.append(tuple(np.stack(part, axis=1) for part in zip(*read, strict=True)))
    (a_outcomes, a_tops, a_bottoms), (b_outcomes, b_tops, b_bottoms) = sides
    directions = [kind.has_direction * (1.0 if kind.higher_is_better else -1.0) for kind in kinds]
    ranking.add(a_tops, a_bottoms, b_tops, b_bottoms, directions)
    columns = (a_tops, a_bottoms, b_tops, b_bottoms)
    groups = group_counts(columns, paired.clusters)
    tested = _tested(columns, groups, paired.clusters, settings)
    found = []
    for place, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        own = (a_tops[:, place], a_bottoms[:, place], b_tops[:, place], b_bottoms[:, place])
        units = units_of(groups[place])
        interval, p_value = tested[place]
        told, need = figures(own, paired.clusters, units, p_value)
        left_out = [count_outcomes(outcomes[:, place]) for outcomes in (a_outcomes, b_outcomes)]
        row = MetricComparison(
            name=name,
            confidence_interval=interval.bounds,
            method=interval.method,
            p_adjusted=None,
            n_needed=None,
            unit="query" if units == "queries" else "group",
            groups=groups[place],
            not_scorable=(left_out[0][0], left_out[1][0]),
            unjudged=(left_out[0][1], left_out[1][1]),
            one_sided=one_sided(own),
            higher_is_better=kind.higher_is_better,
            has_direction=kind.has_direction,
            **told,
        )
        found.append((row, need))
    return found


def _tested(
    columns: tuple[Any, Any, Any, Any], groups: Sequence[int | None], clusters: Any | None, settings: Settings
) -> dict[int, tuple[Interval, float | None]]:
    """Interval and p-value of each metric, by queries or by whole groups."""
    found: dict[int, tuple[Interval, float | None]] = {}
    ways: tuple[Units, ...] = ("queries", "few groups", "groups")
    for units in ways:
        places = [place for place, count in enumerate(groups) if units_of(count) == units]
        if not places:
            continue
        a_tops, a_bottoms, b_tops, b_bottoms = (part[:, places] for part in columns)
        together = None if units == "queries" else clusters
        pairs = pair_up((a_tops, a_bottoms), (b_tops, b_bottoms), clusters=together)
        level = settings.evaluation.confidence_level
        few = units == "few groups"
        tested = group_tests(pairs, level=level) if few else _by_chance(pairs, settings)
        found.update(zip(places, tested, strict=True))
    return found


def _by_chance(pairs: Pairs, settings: Settings) -> list[tuple[Interval, float | None]]:
    chance = settings.evaluation
    intervals = difference_intervals(
        pairs, resamples=chance.resamples, seed=chance.random_seed, level=chance.confidence_level
    )
    p_values = permutation_tests(pairs, resamples=chance.resamples, seed=chance.random_seed)
    return list(zip(intervals, p_values, strict=True))


def _notes(paired: Paired, chosen: Sequence[str], rows: Sequence[MetricComparison]) -> tuple[str, ...]:
    notes = [*few_groups(rows)]
    for repeated, letter in zip(paired.repeated, "AB", strict=True):
        if repeated:
            queries = "query" if repeated == 1 else "queries"
            notes.append(f"{repeated:,} {queries} of {letter} with the id of an earlier one, left out")
    unknown = [name for name in chosen if not known_metric(name).title]
    if unknown:
        notes.append(f"not known here, so treated as a mean that should be high: {', '.join(unknown)}")
    if not chosen:
        notes.append("the runs share no metric")
    return tuple(notes)


# --- the queries that changed most ----------------------------------------------------------------


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
    """The largest changes first.

    Metrics without a direction come last. Of equal changes one of each family comes before the others, so
    that the first few say different things.
    """
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


# --- where two runs differ beside the system itself -----------------------------------------------


_OF_SCORES = (
    "attach",
    "calibration",
    "errors.fallback_scoring",
    "language",
    "llm.model",
    "llm.temperature",
    "max_span_length",
    "min_overlap_threshold",
    "offsets",
    "online",
    "panel.high",
    "panel.keep_unsure",
    "panel.low",
    "tolerance_chars",
)
"""Settings that change what the same answer scores."""


def tell_differences(a: Run, b: Run) -> list[str]:
    """What a reader should know before attributing a difference to the system."""
    told = []
    if a.run_id and a.run_id == b.run_id:
        told.append("A and B are the same run")
    for letter, run in (("A", a), ("B", b)):
        if run.status != "finished":
            told.append(f"{letter} is {run.status}: queries it has not reached are missing")
    datasets = [f"{run.dataset_id} {run.dataset_version}".strip() for run in (a, b)]
    if _differ(*datasets):
        told.append(f"other datasets: A {datasets[0]}, B {datasets[1]}")
    elif _differ(a.dataset_digest, b.dataset_digest):
        told.append(f"the dataset {datasets[0]} was changed between the runs")
    if _differ(a.judge, b.judge):
        told.append(
            f"other judges: A {a.judge}, B {b.judge}; judged metrics may differ for that reason alone"
        )
    versions = [str(run.environment.get("pincite") or "") for run in (a, b)]
    if _differ(*versions):
        told.append(f"measured by different versions: A Pincite {versions[0]}, B Pincite {versions[1]}")
    usual = defaults()
    for name in _OF_SCORES:
        one, other = (run.document.configuration.settings.get(name, usual[name]) for run in (a, b))
        if one != other:
            told.append(f"other settings: {name} is {one!s:.60} in A, {other!s:.60} in B")
    return told


def _differ(one: str, other: str) -> bool:
    return bool(one and other) and one != other
