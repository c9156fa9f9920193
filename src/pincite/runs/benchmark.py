"""A benchmark: the figures of one run, kept in a small file, to compare later runs with.

It holds no queries, so nothing can be paired. A run is better or worse than a figure only where the run's own
interval leaves the figure out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from msgspec import Struct

from pincite.base import open_named
from pincite.datasets import BenchmarkData, BenchmarkEntry, file_kind, from_plain, read_plain
from pincite.errors import InputError
from pincite.records import Run, Score

PEEK = 4096
BenchmarkOutcome = Literal["better", "worse", "not_decisive", "not_measured"]


class BenchmarkRow(Struct, frozen=True):
    """One metric of a benchmark, and what a run has for it."""

    metric: str
    benchmark: float | None
    value: float | None
    difference: float | None
    confidence_interval: tuple[float, float] | None
    outcome: BenchmarkOutcome
    reason: str = ""


class BenchmarkComparison(Struct, frozen=True):
    """A run compared with a benchmark."""

    run: str
    benchmark: str
    metrics: tuple[BenchmarkRow, ...]

    @property
    def is_worse(self) -> bool:
        return any(row.outcome == "worse" for row in self.metrics)


def benchmark_of(run: Run) -> BenchmarkData:
    """The figures of a run as a benchmark."""
    if not run.scores:
        raise InputError(f"{run.run_id} has no scores to make a benchmark of: it was not finished")
    entries = tuple(
        BenchmarkEntry(
            metric=score.metric,
            value=score.value,
            n=score.n,
            confidence_interval=score.confidence_interval,
            system_version=run.system_version,
        )
        for score in run.scores
    )
    return BenchmarkData(
        benchmark_id=run.run_id, created_at=run.finished_at or run.started_at or None, entries=entries
    )


def read_benchmark(reference: str) -> BenchmarkData | None:
    """The benchmark in a file; None where the reference names something else."""
    path = Path(reference)
    try:
        found = file_kind(path)
    except InputError:
        return None
    if found.kind != "benchmark" and (found.kind is not None or not _begins_as_one(path)):
        return None
    return from_plain(BenchmarkData, read_plain(path, "benchmark")[0])


def _begins_as_one(path: Path) -> bool:
    """Whether a file of another name is a benchmark; results may be too large to be read for this."""
    try:
        with open_named(path) as file:
            return b'"benchmark_id"' in file.read(PEEK)
    except OSError:
        return False


def compare_with_benchmark(
    run_id: str, scores: tuple[Score, ...], given: BenchmarkData
) -> BenchmarkComparison:
    """What a run has for each figure of the benchmark."""
    known = {score.metric: score for score in scores}
    rows = tuple(_row(entry, known.get(entry.metric)) for entry in given.entries)
    return BenchmarkComparison(run_id, given.benchmark_id, rows)


def _row(entry: BenchmarkEntry, score: Score | None) -> BenchmarkRow:
    value = None if score is None else score.value
    if score is None or value is None or entry.value is None:
        why = "the benchmark has no value" if entry.value is None else "the run has no value"
        return BenchmarkRow(entry.metric, entry.value, value, None, None, "not_measured", why)
    difference, interval = value - entry.value, score.confidence_interval
    outcome: BenchmarkOutcome = "not_decisive"
    reason = "the run has no interval" if interval is None else ""
    if interval is not None and not interval[0] <= entry.value <= interval[1]:
        outcome = "better" if (difference > 0) == score.higher_is_better else "worse"
    return BenchmarkRow(entry.metric, entry.value, value, difference, interval, outcome, reason)
