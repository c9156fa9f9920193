"""The results document as it is written: its fields and their order are a format that others read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from small_system import RULES, dataset, write_answers

from pincite.runs import evaluate


def test_the_written_document_has_the_fields_of_its_format(tmp_path: Path) -> None:
    path = tmp_path / "run.results.json"
    evaluate(
        dataset(),
        answers=write_answers(tmp_path),
        metrics=["hit@1", "span_f1", "citation_density", "hallucination_rate"],
        settings=RULES,
        output=path,
    )
    written: dict[str, Any] = json.loads(path.read_text())
    assert list(written) == [
        "schema_version",
        "evaluation_id",
        "name",
        "status",
        "timestamp",
        "finished_at",
        "system_version",
        "dataset_id",
        "dataset_version",
        "configuration",
        "summary",
        "retrieval_metrics",
        "citation_metrics",
        "answer_quality_metrics",
        "performance_metrics",
        "statistical_analysis",
        "breakdown",
        "failures",
        "metadata",
        "query_results",
    ]
    assert list(written["configuration"]) == [
        "target",
        "judge",
        "metrics",
        "dataset_digest",
        "fingerprint",
        "grounding_scope",
        "settings",
    ]
    assert list(written["summary"]) == [
        "total_queries",
        "successful_queries",
        "failed_queries",
        "unjudged_queries",
        "judged_pairs",
        "unjudged_pairs",
        "average_latency_ms",
        "total_evaluation_time_seconds",
        "thresholds_missed",
    ]
    assert list(written["performance_metrics"]) == ["latency_stats", "resource_usage", "api_usage"]
    assert list(written["failures"]) == ["by_kind", "by_document", "failed_queries"]
    assert list(written["metadata"]) == [
        "evaluation_environment",
        "evaluation_parameters",
        "quality_assurance",
    ]
    (kind, *_) = written["breakdown"].values()
    (value, *_) = kind.values()
    assert list(value["hit@1"]) == ["value", "confidence_interval", "n", "not_scorable", "unjudged"]
