"""What is counted over a run beside its metrics: answers, failures, latency, usage, verdicts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from pincite.metrics import ApiUsage, LatencyStats
from pincite.records import ItemResult, LatencySummary, RunPerformance, UsageSummary
from pincite.runs.analysis import FailureCounter

if TYPE_CHECKING:
    from pincite.metrics import Metric

MOST_SCORES = 10_000
"""Up to so many answers a document lists the scores of each; above, only the mean."""


class RunTally:
    """Goes through the items of a run once, holding little."""

    def __init__(self, metrics: Iterable[Metric] = ()) -> None:
        self.failures = FailureCounter()
        self.unjudged_queries = 0
        self.judged_pairs = 0
        self.unjudged_pairs = 0
        self.with_retrieval = 0
        """Answers that came with what was retrieved for them, be it nothing."""
        self.oddities: dict[str, tuple[int, str, str]] = {}
        """By what was expected: how many answers had something else, the first's query, and what it was."""
        self._per_answer = {metric.full_name: metric.per_answer for metric in metrics if metric.per_answer}
        self._answers: dict[str, list[float]] = {name: [] for name in self._per_answer}
        self._latency = LatencyStats()
        self._usage = ApiUsage()

    @property
    def total(self) -> int:
        return self.failures.queries

    @property
    def failed(self) -> int:
        return self.failures.failed

    def add(self, item: ItemResult) -> None:
        self.failures.add(item.failures, item.failure)
        unjudged = sum(verdict.outcome == "unjudged" for verdict in item.verdicts)
        self.judged_pairs += len(item.verdicts) - unjudged
        self.unjudged_pairs += unjudged
        self.unjudged_queries += unjudged > 0
        self.with_retrieval += item.retrieved is not None
        for expected, found in item.oddities:
            count, query_id, first = self.oddities.get(expected, (0, item.query_id, found))
            self.oddities[expected] = (count + 1, query_id, first)
        self._latency.add(item.latency_ms)
        self._usage.add(item.usage)
        for result in item.results if self._per_answer else ():
            figure = self._per_answer.get(result.metric)
            scored = result.counts.get(f"{figure}_scored")
            if scored and len(self._answers[result.metric]) <= MOST_SCORES:
                self._answers[result.metric].append(result.counts[f"{figure}_sum"] / scored)

    def answer_scores(self, metric: Metric) -> list[float] | None:
        """A metric's `per_answer` figure of each answer; None where there are too many answers to list."""
        scores = self._answers[metric.full_name]
        return scores if len(scores) <= MOST_SCORES else None

    def performance(self, resources: Mapping[str, Any] | None) -> RunPerformance:
        return RunPerformance(
            latency_stats=msgspec.convert(self._latency.summary(), LatencySummary),
            resource_usage=dict(resources) if resources is not None else None,
            api_usage=msgspec.convert(self._usage.summary(), UsageSummary),
        )


# --- metrics that turn out to say nothing, which is known only when every answer is there ---------

Items = Callable[[], Iterator[ItemResult]]


def is_retrieval(metric: Metric) -> bool:
    return metric.place.startswith("retrieval_metrics")


def without_ground(
    metrics: Sequence[Metric], by_name: bool, tally: RunTally, named: Collection[str]
) -> tuple[str, ...]:
    """Metrics of retrieval where the system never says what it retrieved, but for those asked for by name.

    Zeros would say that it found nothing.
    """
    if by_name or tally.with_retrieval or tally.total == tally.failed:
        return ()
    names = [metric.full_name for metric in metrics if is_retrieval(metric)]
    return tuple(name for name in names if name not in named)


def leave_out(items: Items, names: Collection[str]) -> Items:
    """The same items without the results of these metrics."""
    if not names:
        return items

    def left() -> Iterator[ItemResult]:
        for item in items():
            results = tuple(result for result in item.results if result.metric not in names)
            yield msgspec.structs.replace(item, results=results)

    return left
