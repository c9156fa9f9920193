"""The results document of a run, made once. Reports and files only format it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from pincite.metrics import Metric
from pincite.records import (
    SCHEMA_VERSION,
    Breakdown,
    IntervalMethods,
    ItemResult,
    MetricGroup,
    PartScore,
    ResultsDocument,
    Run,
    RunConfiguration,
    RunMetadata,
    RunSummary,
    Score,
    SignificanceTest,
    StatisticalAnalysis,
)
from pincite.runs.tally import RunTally

GROUPS = ("retrieval_metrics", "citation_metrics", "answer_quality_metrics")
OTHER = "other_metrics"
LONGEST_TEXT = 200
"""Characters kept of a text that a document of somebody else holds."""


def results_document(
    run: Run,
    metrics: Sequence[Metric],
    tally: RunTally,
    *,
    configuration: RunConfiguration,
    breakdown: Breakdown,
    resources: Mapping[str, Any] | None = None,
    significance: Mapping[str, SignificanceTest] | None = None,
    quality: Mapping[str, str] | None = None,
    level: float = 0.95,
) -> ResultsDocument:
    """The document of a run, without `query_results`."""
    groups = metric_groups(metrics, run.scores)
    for metric in metrics:
        if metric.per_answer:
            group, _, name = metric.place.partition(".")
            scores = tally.answer_scores(metric)
            groups[group][name][f"{metric.per_answer}_scores"] = scores
            groups[group][name][f"macro_{metric.per_answer}"] = sum(scores) / len(scores) if scores else None
    performance = tally.performance(resources)
    return ResultsDocument(
        schema_version=SCHEMA_VERSION,
        evaluation_id=run.run_id,
        name=run.name,
        status=run.status,
        timestamp=run.started_at,
        finished_at=run.finished_at,
        system_version=run.system_version,
        dataset_id=run.dataset_id,
        dataset_version=run.dataset_version,
        configuration=configuration,
        summary=RunSummary(
            total_queries=run.total,
            successful_queries=run.successful,
            failed_queries=run.failed,
            unjudged_queries=tally.unjudged_queries,
            judged_pairs=tally.judged_pairs,
            unjudged_pairs=tally.unjudged_pairs,
            average_latency_ms=performance.latency_stats.mean,
            total_evaluation_time_seconds=round(run.seconds, 3),
            thresholds_missed=tuple(score.metric for score in run.scores if score.passed is False),
        ),
        **groups,
        performance_metrics=performance,
        statistical_analysis=StatisticalAnalysis(
            significance_tests=dict(significance or {}),
            confidence_intervals=IntervalMethods(
                confidence_level=level,
                methods={score.metric: score.method for score in run.scores if score.method},
                without=tuple(score.metric for score in run.scores if score.confidence_interval is None),
            ),
        ),
        breakdown=breakdown,
        failures=tally.failures.counts(),
        metadata=RunMetadata(
            evaluation_environment=run.environment,
            evaluation_parameters=run.parameters,
            quality_assurance=dict(quality or {}),
        ),
    )


def read_document(value: Any) -> ResultsDocument:
    """The document in a parsed file, whoever wrote it: a field that does not fit counts as not given."""
    known: dict[str, Any] = {}
    for one in msgspec.structs.fields(ResultsDocument):
        held = value.get(one.name) if isinstance(value, Mapping) else None
        if held is None:
            continue
        try:
            known[one.name] = msgspec.convert(held, one.type)
        except (msgspec.ValidationError, RecursionError):
            continue
        if isinstance(held, str):
            known[one.name] = held[:LONGEST_TEXT]
    return ResultsDocument(**known)


# --- metrics -------------------------------------------------------------------------------------


def metric_groups(metrics: Sequence[Metric], scores: Sequence[Score]) -> dict[str, MetricGroup]:
    """Each metric at its place. Figures that share a place share a node, each with counts of its own."""
    nodes: dict[tuple[str, str], list[tuple[str, Score]]] = {}
    # A metric of others that inherits the place of one of ours must not take it over.
    ours_first = sorted(
        zip(metrics, scores, strict=True),
        key=lambda pair: not type(pair[0]).__module__.startswith("pincite."),
    )
    for metric, score in ours_first:
        group, _, name = metric.place.partition(".")
        group = group if group in GROUPS else OTHER
        node = nodes.setdefault((group, name or metric.full_name), [])
        figure = metric.figure
        taken = any(figure == other for other, _ in node)
        node.append((metric.full_name if taken else figure, score))
    groups: dict[str, MetricGroup] = {}
    for (group, name), figures in nodes.items():
        groups.setdefault(group, {})[name] = _node(figures)
    return groups


def _node(figures: Sequence[tuple[str, Score]]) -> dict[str, Any]:
    if len(figures) == 1:
        figure, score = figures[0]
        return {figure: score.value, **_measured(score), **_counts(score)}
    first = figures[0][1]
    node: dict[str, Any] = {figure: score.value for figure, score in figures}
    node["confidence_intervals"] = {figure: _interval(score) for figure, score in figures}
    node |= {"n": first.n, "not_scorable": first.not_scorable, "unjudged": first.unjudged}
    for _, score in figures:
        node |= _counts(score)
    node["figures"] = {figure: _measured(score) for figure, score in figures}
    return node


def _measured(score: Score) -> dict[str, Any]:
    told: dict[str, Any] = {
        "confidence_interval": _interval(score),
        "n": score.n,
        "not_scorable": score.not_scorable,
        "unjudged": score.unjudged,
        "numerator": score.numerator,
        "denominator": score.denominator,
        "unjudged_units": score.unjudged_units,
        "metric": score.metric,
        "method": score.method,
    }
    if score.groups is not None:
        told["groups"] = score.groups
    if score.reasons:
        told["reasons"] = score.reasons
    if score.threshold is not None:
        told |= {"threshold": score.threshold, "passed": score.passed}
    if score.corrected is not None:
        told["corrected"] = {
            "value": score.corrected,
            "labelled_queries": score.labelled,
            "confidence_interval": list(score.corrected_interval) if score.corrected_interval else None,
        }
    return told


def part_score(score: Score) -> PartScore:
    """A score without what only matters for a whole run."""
    return PartScore(
        value=score.value,
        confidence_interval=score.confidence_interval,
        n=score.n,
        not_scorable=score.not_scorable,
        unjudged=score.unjudged,
    )


def brief(score: Score) -> dict[str, Any]:
    """The same as plain values."""
    told: dict[str, Any] = msgspec.to_builtins(part_score(score))
    return told


def _interval(score: Score) -> list[float] | None:
    return list(score.confidence_interval) if score.confidence_interval is not None else None


def _counts(score: Score) -> dict[str, Any]:
    """Counts as whole numbers where they are; a sum beside how many it is of also as their mean."""
    told: dict[str, Any] = {
        name: int(value) if isinstance(value, float) and value.is_integer() else value
        for name, value in score.counts.items()
    }
    for name, total in score.counts.items():
        count = score.counts.get(f"{name.removesuffix('_sum')}_scored")
        if name.endswith("_sum") and count is not None:
            told[f"mean_{name.removesuffix('_sum')}"] = total / count if count else None
    return told


# --- queries -------------------------------------------------------------------------------------


def query_result(item: ItemResult) -> dict[str, Any]:
    """What the document says about one query."""
    told: dict[str, Any] = {
        "query_id": item.query_id,
        "query_text": item.query_text,
        "query_type": item.query_type,
        "difficulty": item.difficulty,
        "latency_ms": item.latency_ms,
        "retrieval_results": _retrieval(item),
        "generated_answer": item.answer,
        "citations": list(item.citations) if item.citations is not None else None,
        "individual_metrics": {result.metric.lower(): result.score for result in item.results},
        "metric_details": {
            result.metric.lower(): [
                result.numerator,
                result.denominator,
                result.not_scorable,
                result.unjudged,
            ]
            for result in item.results
        },
        "failure": item.failure,
        "attempts": item.attempts,
        "usage": item.usage,
        "cluster": item.cluster,
        "failures": msgspec.to_builtins(item.failures),
    }
    return {name: value for name, value in told.items() if value is not None or name in _ALWAYS}


_ALWAYS = ("query_id", "query_text", "latency_ms", "generated_answer")


def _retrieval(item: ItemResult) -> dict[str, Any] | None:
    if item.retrieved is None and item.relevant is None:
        return None
    told: dict[str, Any] = {}
    if item.retrieved is not None:
        told["retrieved_docs"] = [found.document for found in item.retrieved]
        if any(found.score is not None for found in item.retrieved):
            told["relevance_scores"] = [found.score for found in item.retrieved]
    if item.relevant is not None:
        told["ground_truth_relevant"] = list(item.relevant)
    return told


def whole_document(
    document: ResultsDocument | Mapping[str, Any], items: Iterable[ItemResult]
) -> dict[str, Any]:
    """The document with its queries as plain values, for what fits into memory."""
    return {**plain_document(document), "query_results": [query_result(item) for item in items]}


def plain_document(document: ResultsDocument | Mapping[str, Any]) -> dict[str, Any]:
    """The document as it is written."""
    plain: dict[str, Any] = msgspec.to_builtins(document, enc_hook=str)
    return plain
