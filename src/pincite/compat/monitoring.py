"""Section 9 of the citation accuracy document: a harness with its metrics, alerts, batches and reports."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, variance
from typing import Any

from msgspec import to_builtins

from pincite.compat.citation_evaluator import CitationEvaluator, thresholds_of
from pincite.metrics import Metric, meets, parse_metric, register_metrics
from pincite.records import Failure, Run, Score
from pincite.runs import threshold_alerts

log = logging.getLogger("pincite")

SCORES = (
    "span_accuracy_score",
    "citation_quality_score",
    "answer_consistency_score",
    "hallucination_score",
    "overall_citation_accuracy",
)
UNDECIDED = ("unjudged", "no_claim", "not_given")


class CitationAlertSystem:
    """Compares evaluations with the configured thresholds, and keeps the alerts."""

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        self.thresholds = thresholds_of(CitationEvaluator(config).settings)
        self.alerts: list[dict[str, Any]] = []
        """Every alert so far, the oldest first."""

    def check_thresholds(
        self, evaluation: Mapping[str, Any], query: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        """The alerts of one evaluation; they are kept in `alerts` too. What was not measured raises none."""
        scores: Mapping[str, Any] = evaluation.get("overall_scores") or {}
        known = [(name, scores[name]) for name in SCORES if scores.get(name) is not None]
        measured = [
            Score(metric=name, value=value, n=1, threshold=bar, passed=meets(value, bar, True))
            for name, value in known
            if (bar := self.thresholds.get(name)) is not None
        ]
        found = [
            {"query_id": query.get("id", query.get("query_id")), **to_builtins(alert)}
            for alert in threshold_alerts(measured)
        ]
        self.alerts += found
        return found


class AutomatedCitationEvaluator:
    """Evaluates batches of answers, collects alerts and writes a report of them."""

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        self.config = dict(config or {})
        self.evaluator = CitationEvaluator(self.config)
        self.alerts = CitationAlertSystem(self.config)

    def evaluate_query_batch(self, queries: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """One evaluation per query, in order. One that fails is `{'error': …}` and stops no other."""
        results = []
        for query in queries:
            try:
                answer, cited, sources = query["answer"], query.get("citations"), query["source_documents"]
                evaluation = self.evaluator.evaluate_answer_citations(
                    answer, cited, sources, query.get("ground_truth")
                )
                evaluation["alerts"] = self.alerts.check_thresholds(evaluation, query)
            except Exception as error:
                name = query.get("id", query.get("query_id")) if isinstance(query, Mapping) else None
                reason = f"no field {error}" if isinstance(error, KeyError) else str(error)
                log.error("citation evaluation of query %r failed: %s", name, reason)
                evaluation = {"error": f"{type(error).__name__}: {reason}", "query_id": name}
            results.append(evaluation)
        return results

    def generate_report(self, results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """What a batch came to: summary, visualizations, analysis, recommendations."""
        from pincite.reports import run_report
        from pincite.runs import FailureCounter

        scores = self._scores(results)
        failures = FailureCounter()
        for result in results:
            failures.add(_failures(result), str(result["error"]) if "error" in result else None)
        return run_report({}, scores, failures.analysis(), threshold_alerts(scores), _trends(results))

    def _scores(self, results: Sequence[Mapping[str, Any]]) -> list[Score]:
        """The mean of each overall score with its interval; what could not be measured is counted apart."""
        import numpy as np

        from pincite.stats import ratio_intervals

        evaluated: list[Mapping[str, Any]] = [result.get("overall_scores") or {} for result in results]
        rows = [[one.get(name) for name in SCORES] for one in evaluated]
        values = np.array(rows, dtype=float).reshape(len(evaluated), len(SCORES))  # None becomes NaN
        options = self.evaluator.settings.evaluation
        intervals = ratio_intervals(
            values, np.ones_like(values), resamples=options.resamples, seed=options.random_seed
        )
        scores = []
        for column, (name, interval) in enumerate(zip(SCORES, intervals, strict=True)):
            known = values[:, column][~np.isnan(values[:, column])].tolist()
            bar = self.alerts.thresholds.get(name)
            value = math.fsum(known) / len(known) if known else None
            scores.append(
                Score(
                    metric=name,
                    value=value,
                    confidence_interval=interval.bounds,
                    method=interval.method,
                    n=len(known),
                    not_scorable=len(values) - len(known),
                    numerator=math.fsum(known),
                    denominator=len(known),
                    threshold=bar,
                    passed=meets(value, bar, True),
                )
            )
        return scores


FEWEST_OF_A_TREND = 8
"""Fewer values than this show no trend."""


def _trends(results: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Where each score goes over the batch: its earlier half against its later half, in the given order.

    The change is a trend where its 95% interval (Welch) leaves out zero.
    """
    trends = []
    for name in SCORES:
        found = [(result.get("overall_scores") or {}).get(name) for result in results]
        values = [float(value) for value in found if value is not None]
        earlier, later = values[: len(values) // 2], values[len(values) // 2 :]
        change = fmean(later) - fmean(earlier) if earlier else None
        direction, interval = "too few values", None
        if change is not None and len(values) >= FEWEST_OF_A_TREND:
            spread = 1.96 * math.sqrt(variance(earlier) / len(earlier) + variance(later) / len(later))
            interval = [change - spread, change + spread]
            direction = "rising" if interval[0] > 0 else "falling" if interval[1] < 0 else "steady"
        trends.append(
            {
                "metric": name,
                "n": len(values),
                "earlier": fmean(earlier) if earlier else None,
                "later": fmean(later) if later else None,
                "change": change,
                "confidence_interval": interval,
                "direction": direction,
            }
        )
    return trends


def _failures(result: Mapping[str, Any]) -> list[Failure]:
    """What went wrong in one evaluation: citations that are not valid, claims of no source, missed places."""
    failures = []
    for detail in (result.get("citation_quality") or {}).get("validation_details", ()):
        if not detail["valid"] and detail["reason"] not in UNDECIDED and detail["support_score"] is not None:
            kind = detail["status"] if detail["status"] != "found" else detail["reason"]
            failures.append(Failure(kind, detail.get("document"), detail.get("claim") or detail["message"]))
    for claim in (result.get("hallucination_detection") or {}).get("unsupported_claims", ()):
        failures.append(Failure("hallucinated", None, str(claim.get("claim", ""))))
    for _ in (result.get("span_accuracy") or {}).get("unmatched_true", ()):
        failures.append(Failure("missed_span", None, ""))
    return failures


# --- metrics registered with a harness ------------------------------------------------------------


class EvaluationHarness:
    """Runs the metrics that were registered with it over a dataset."""

    def __init__(self) -> None:
        self._metrics: dict[str, Metric] = {}

    @property
    def metrics(self) -> dict[str, Metric]:
        """What was registered, by name, in that order."""
        return dict(self._metrics)

    def register_metrics(self, metrics: Mapping[str, Metric | type[Metric]]) -> None:
        """Take metrics by name; they are known by that name everywhere from now on."""
        register_metrics(metrics)
        self._metrics.update({name: parse_metric(name) for name in metrics})

    def run(self, dataset: Any, **options: Any) -> Run:
        """Evaluate a dataset with the registered metrics; `options` are those of `pincite.evaluate`."""
        from pincite.runs import evaluate

        return evaluate(dataset, metrics=list(self._metrics.values()) or None, **options)


evaluation_harness = EvaluationHarness()
"""A harness to register with, as the document has one."""
