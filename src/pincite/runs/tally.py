"""What is counted over a run beside its metrics: answers, failures, latency, usage, verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from pincite.measured import ItemResult
from pincite.metrics.performance import ApiUsage, LatencyStats

MOST_DOCUMENTS = 50
MOST_REASONS = 50
MOST_SCORES = 10_000
"""Of how many answers a document lists the scores; of more it tells only the mean."""


class Tally:
    """Goes through the items of a run once, holding little."""

    def __init__(self) -> None:
        self.total = 0
        self.failed = 0
        self.unjudged_queries = 0
        self.judged_pairs = 0
        self.unjudged_pairs = 0
        self.with_retrieval = 0
        """Answers that came with what was retrieved for them, be it nothing."""
        self.oddities: dict[str, tuple[int, str, str]] = {}
        """By what was expected: how many answers had something else, the first's query, and what it was."""
        self._consistency: list[float] = []
        self._latency = LatencyStats()
        self._usage = ApiUsage()
        self._reasons: Counter[str] = Counter()
        self._kinds: Counter[str] = Counter()
        self._places: Counter[tuple[str, str]] = Counter()

    def add(self, item: ItemResult) -> None:
        self.total += 1
        if item.failure is not None:
            self.failed += 1
            if len(self._reasons) < 1000 or item.failure in self._reasons:
                self._reasons[item.failure[:200]] += 1
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
        if len(self._consistency) <= MOST_SCORES:
            self._consistency += [
                result.counts["consistency_sum"] / scored
                for result in item.results
                if result.metric == "factual_consistency"
                and (scored := result.counts.get("consistency_scored"))
            ]
        for failure in item.failures:
            self._kinds[failure.kind] += 1
            if failure.document and (len(self._places) < 100_000):
                self._places[failure.kind, failure.document] += 1

    @property
    def consistency_scores(self) -> list[float] | None:
        """The mean over the claims of each answer; None where there are too many answers to list them."""
        return self._consistency if len(self._consistency) <= MOST_SCORES else None

    @property
    def mean_latency(self) -> float | None:
        mean: float | None = self._latency.summary()["mean"]
        return mean

    def performance(self, resources: Mapping[str, Any] | None) -> dict[str, Any]:
        """The group of performance figures."""
        return {
            "latency_stats": self._latency.summary(),
            "resource_usage": dict(resources) if resources is not None else None,
            "api_usage": self._usage.summary(),
        }

    def failures(self) -> dict[str, Any]:
        """What went wrong, by kind, and in which documents; and why queries have no answer."""
        return {
            "by_kind": dict(self._kinds.most_common()),
            "by_document": [
                {"kind": kind, "document": document, "count": count}
                for (kind, document), count in self._places.most_common(MOST_DOCUMENTS)
            ],
            "failed_queries": dict(self._reasons.most_common(MOST_REASONS)),
        }
