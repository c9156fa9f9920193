"""A run, a comparison of two, and a metric over time, as pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from re import findall
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs

from pincite.annotation import Labels, said_of, says_yes
from pincite.records import Breakdown, ItemResult, PartScore, Run, Score
from pincite.reports.html import charts
from pincite.reports.html.page import render_file
from pincite.reports.html.queries import QueryRow, places_only, query_row, with_dataset
from pincite.reports.runs.comparison import chance, in_short, interval, number, percent, signed, standing
from pincite.reports.runs.eval_table import KINDS, interval_text, part_size
from pincite.runs import Analysis, FailureCounter, recommend
from pincite.sources import Offsets
from pincite.stats import calibration_error, reliability

if TYPE_CHECKING:
    from pincite.datasets import Dataset
    from pincite.runs import ChangedQuery, Comparison, MetricComparison
    from pincite.store import TrendPoint

MOST_QUERIES = 300
"""Queries that a file shows; the worst of them first. A served page has them all."""
LONGEST_DIFF = 1_500
"""Words of an answer beyond which changes are not marked: that would take too long to be worth it."""
STEPS = 5
"""Shades of a heat table."""
ScoredRows = list[tuple[Score, charts.Whisker | None]]


class HeatCell(Struct, frozen=True):
    """One figure of a breakdown, with a shade from 0 (worst) to `STEPS - 1` (best)."""

    value: str
    sort: float | None
    shade: int | None
    n: int


class HeatTable(Struct, frozen=True):
    """A breakdown: one row per value, one column per metric."""

    title: str
    metrics: list[str]
    rows: list[tuple[str, int, list[HeatCell]]]
    """Each value with the number of its queries."""


def write_run_page(
    run: Run,
    items: Iterable[ItemResult],
    dataset: Dataset | None = None,
    offsets: Offsets = "document",
    labels: Labels | None = None,
) -> str:
    """A run with every metric, the breakdown, what went wrong, and its worst queries.

    With the dataset of the run, each of them has its sources, with the gold spans. `offsets` says what cited
    offsets count from where the dataset does not. With labels there is the judge's calibration curve.
    """
    return render_file("run.html", **run_values(run, items, dataset, offsets, labels))


def run_values(
    run: Run,
    items: Iterable[ItemResult],
    dataset: Dataset | None = None,
    offsets: Offsets = "document",
    labels: Labels | None = None,
) -> dict[str, Any]:
    """What `run.html` shows, with the worst queries."""
    counted = FailureCounter()
    labelled: list[tuple[bool, float]] = []
    queries: list[QueryRow] = []
    for item in items:
        counted.add(item.failures, item.failure)
        labelled += _labelled(item, labels or {})
        queries.append(query_row(item))
        if len(queries) > 4 * MOST_QUERIES:
            queries = _worst(queries)
    analysis = counted.analysis()
    worst = _with_sources(_worst(queries), dataset, offsets)
    values = {**run_overview(run, analysis), "queries": worst, "total": analysis.queries}
    if labels is not None:
        values["curve"] = _curve(labelled)
    return values


class JudgeCurve(Struct, frozen=True):
    """What the judge said of claims that people labelled too."""

    rows: int
    error: str
    dots: tuple[charts.CurveDot, ...]


def _labelled(item: ItemResult, labels: Labels) -> list[tuple[bool, float]]:
    """What people say, yes or no, and the judge's score, of each question about support that has both."""
    found = []
    for pair in item.verdicts if labels else ():
        if pair.question == "support" and pair.score is not None:
            said = said_of(item.query_id, pair, labels)
            if said is not None:
                found.append((says_yes(said, pair.question), pair.score))
    return found


def _curve(labelled: Sequence[tuple[bool, float]]) -> JudgeCurve:
    said, scores = [yes for yes, _ in labelled], [score for _, score in labelled]
    dots = charts.reliability_chart(reliability(said, scores))
    return JudgeCurve(len(labelled), number(calibration_error(said, scores)), dots)


def run_overview(run: Run, analysis: Analysis) -> dict[str, Any]:
    """What `run.html` shows above the queries."""
    return {
        "title": f"Pincite: {run.name or run.run_id}",
        "run": run,
        "facts": _facts(run),
        "tables": _score_tables(run.scores),
        "heat": _heat_tables(run.document.breakdown, run.scores),
        "analysis": analysis,
        "most": max((kind.count for kind in analysis.kinds), default=1),
        "advice": recommend(analysis),
        "curve": None,
        "number": number,
        "interval_text": interval_text,
    }


def _facts(run: Run) -> list[tuple[str, str]]:
    performance = run.document.performance_metrics
    usage = performance.api_usage
    times = (performance.latency_stats.mean, performance.latency_stats.p95)
    told = [
        ("Run", run.run_id),
        ("Status", run.status),
        ("Dataset", f"{run.dataset_id} {run.dataset_version}".strip()),
        ("System", " ".join(filter(None, (run.target, run.system_version)))),
        ("Judge", run.judge),
        ("Started", f"{run.started_at[:16].replace('T', ' ')} UTC"),
        ("Took", f"{run.seconds:.1f} s" if run.status == "finished" else ""),
        ("Queries", _counted(run)),
        ("Latency", "" if None in times else f"mean {times[0]:.0f} ms, p95 {times[1]:.0f} ms"),
        ("Tokens", "" if usage.total_tokens is None else f"{usage.total_tokens:,}"),
        ("Cost", "" if usage.estimated_cost_usd is None else f"${usage.estimated_cost_usd:.2f}"),
        ("Pincite", str(run.environment.get("pincite", ""))),
    ]
    return [(name, value) for name, value in told if value]


def _counted(run: Run) -> str:
    done = run.successful + run.failed
    asked = f"{run.total:,}" if done == run.total else f"{done:,} of {run.total:,}"
    return f"{asked}, {run.failed:,} without an answer" if run.failed else asked


def _score_tables(scores: Sequence[Score]) -> list[tuple[str, ScoredRows]]:
    """Figures between 0 and 1 on one scale, and the others without a drawing."""
    shares: ScoredRows = [(score, _drawn(score)) for score in scores if _is_share(score)]
    others: ScoredRows = [(score, None) for score in scores if not _is_share(score)]
    return [(title, rows) for title, rows in (("Metrics", shares), ("Other figures", others)) if rows]


def _is_share(score: Score) -> bool:
    ends = (score.value, *(score.confidence_interval or ()))
    return all(end is None or 0.0 <= end <= 1.0 for end in ends)


def _drawn(score: Score) -> charts.Whisker | None:
    if score.value is None:
        return None
    return charts.whisker(charts.Scale(0.0, 1.0), score.value, score.confidence_interval, score.threshold)


def _heat_tables(breakdown: Breakdown, scores: Sequence[Score]) -> list[HeatTable]:
    better_high = {score.metric: score.higher_is_better for score in scores}
    tables = []
    for kind, by_value in breakdown.items():
        metrics = [score.metric for score in scores if any(score.metric in one for one in by_value.values())]
        rows = [
            (value, part_size(of), [_heat_cell(of.get(name), better_high[name]) for name in metrics])
            for value, of in by_value.items()
        ]
        if rows and metrics:
            tables.append(HeatTable(f"By {KINDS.get(kind, kind)}", metrics, rows))
    return tables


def _heat_cell(part: PartScore | None, high_is_better: bool) -> HeatCell:
    if part is None or part.value is None:
        return HeatCell("–", None, None, 0)
    value, shade = part.value, None
    if 0.0 <= value <= 1.0:
        good = value if high_is_better else 1.0 - value
        shade = min(STEPS - 1, int(good * STEPS))
    return HeatCell(number(value), value, shade, part.n)


def _with_sources(rows: list[QueryRow], dataset: Dataset | None, offsets: Offsets) -> list[QueryRow]:
    if dataset is None:
        about = {row.anchor: places_only(row.item, f"{row.anchor}-") for row in rows}
    else:
        about = with_dataset(((row.anchor, row.item) for row in rows), dataset, offsets)
    return [structs.replace(row, about=about[row.anchor]) for row in rows]


def _worst(queries: list[QueryRow]) -> list[QueryRow]:
    """Those without an answer first, then those with the most failures and the lowest scores."""

    def rank(row: QueryRow) -> tuple[bool, int, float, int]:
        return row.item.failure is None, -len(row.item.failures), row.mean, row.item.position

    return sorted(queries, key=rank)[:MOST_QUERIES]


# --- comparisons ---------------------------------------------------------------------------------


Words = list[tuple[str, bool]]
"""A text in parts, each with whether only that text has it."""


def write_comparison(comparison: Comparison) -> str:
    """Differences around zero with what is decided about each, and the queries that changed most."""
    return render_file("comparison.html", **comparison_values(comparison))


def comparison_values(comparison: Comparison) -> dict[str, Any]:
    """What `comparison.html` shows."""
    scale = charts.around_zero(
        end
        for row in comparison.metrics
        if (row.difference is not None and abs(row.difference) <= 1)
        for end in (row.difference, *(row.confidence_interval or ()))
    )
    a, b = comparison.titles[0] or comparison.a, comparison.titles[1] or comparison.b
    return {
        "title": f"Pincite: {b} and {a}",
        "comparison": comparison,
        "level": percent(comparison.level),
        "short": in_short(comparison),
        "rows": [(row, standing(row), _compared(row, scale)) for row in comparison.metrics],
        "groups": [
            (title, [_changed(query) for query in queries])
            for title, queries in (
                ("Queries that got worse", comparison.changed.worse),
                ("Queries that got better", comparison.changed.better),
            )
            if queries
        ],
        **{one.__name__: one for one in (number, signed, interval, chance)},
    }


def _compared(row: MetricComparison, scale: charts.Scale) -> charts.Whisker | None:
    if row.difference is None or abs(row.difference) > 1:
        return None
    return charts.whisker(scale, row.difference, row.confidence_interval, 0.0)


def _changed(query: ChangedQuery) -> tuple[ChangedQuery, Words, Words]:
    """A query with both answers."""
    a = query.answer_a if query.answer_a is not None else f"(no answer: {query.failure_a})"
    b = query.answer_b if query.answer_b is not None else f"(no answer: {query.failure_b})"
    return query, *word_changes(a, b)


def word_changes(a: str, b: str) -> tuple[Words, Words]:
    """Both texts in words that both have and words that only one has. Joined, the parts are the text."""
    first, second = (findall(r"\s+|[^\s]+", text) for text in (a, b))
    if max(len(first), len(second)) > 2 * LONGEST_DIFF:
        return [(a, False)], [(b, False)]
    ours: Words = []
    theirs: Words = []
    for tag, low, high, start, end in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if low < high:
            ours.append(("".join(first[low:high]), tag != "equal"))
        if start < end:
            theirs.append(("".join(second[start:end]), tag != "equal"))
    return ours, theirs


# --- trends --------------------------------------------------------------------------------------


def write_trends(
    trends: Mapping[str, Sequence[TrendPoint]],
    dataset: str | None = None,
    events: Mapping[str, charts.TrendEvents] | None = None,
) -> str:
    """Each metric over time, with its interval, what happened at each run, and a table of the figures."""
    return render_file("trend.html", **trend_values(trends, dataset, events))


def trend_values(
    trends: Mapping[str, Sequence[TrendPoint]],
    dataset: str | None = None,
    events: Mapping[str, charts.TrendEvents] | None = None,
) -> dict[str, Any]:
    """What `trend.html` shows."""
    known, none = events or {}, charts.TrendEvents()
    drawn = []
    for metric, points in trends.items():
        rows = [
            (point.run_id, point.name or "", charts.day(point.started), number(point.value),
             interval_text(point.confidence_interval), point.n, point.not_scorable, point.unjudged,
             known.get(point.run_id, none).told(metric), known.get(point.run_id, none).changes)
            for point in points
        ]  # fmt: skip
        drawn.append((metric, charts.trend_chart(points, metric, known), rows))
    return {
        "title": f"Pincite: trend of {', '.join(trends)}"[:200],
        "dataset": dataset,
        "charts": drawn,
        "size": (charts.TREND_WIDTH, charts.TREND_HEIGHT, charts.TREND_LEFT),
        "top": charts.TREND_TOP,
    }
