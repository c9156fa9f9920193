"""Section 9.2 of the citation accuracy document: alerts, a batch, a report of it."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from pincite.compat.monitoring import AutomatedCitationEvaluator, CitationAlertSystem

SOURCE = {"report.txt": "Revenue grew by 21% in the first quarter. The board approved a dividend in May."}
GOOD: dict[str, Any] = {
    "id": "good",
    "answer": "Revenue grew by 21% in the first quarter [report.txt:0-41].",
    "citations": [{"file_name": "report.txt", "page_number": None, "start_char": 0, "end_char": 41}],
    "source_documents": SOURCE,
    "ground_truth": {"citation_spans": [{"file_name": "report.txt", "start_char": 0, "end_char": 41}]},
}
BAD = {
    **GOOD,
    "id": "bad",
    "answer": "Revenue grew by 12% in the first quarter [report.txt:0-41]. Sales doubled in Japan.",
    "ground_truth": None,
}
LOST = {
    **GOOD,
    "id": "lost",
    "answer": "The board approved a dividend in May [memo.txt:0-10].",
    "citations": [{"file_name": "memo.txt", "page_number": None, "start_char": 0, "end_char": 10}],
    "ground_truth": None,
}
RULES = {"judge": "rules"}


@pytest.fixture
def evaluator() -> AutomatedCitationEvaluator:
    return AutomatedCitationEvaluator(RULES)


def test_a_batch_is_evaluated_in_order_and_a_broken_query_stops_nothing(
    evaluator: AutomatedCitationEvaluator, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "pincite"):
        results = evaluator.evaluate_query_batch([GOOD, {"id": "broken"}, BAD])
    assert [("error" in result) for result in results] == [False, True, False]
    assert "broken" in caplog.text
    assert results[0]["overall_scores"]["overall_citation_accuracy"] == 1.0


def test_what_misses_a_threshold_raises_an_alert_for_its_query(evaluator: AutomatedCitationEvaluator) -> None:
    good, bad = evaluator.evaluate_query_batch([GOOD, BAD])
    assert good["alerts"] == []
    assert {alert["metric"] for alert in bad["alerts"]} >= {"citation_quality_score", "hallucination_score"}
    assert {alert["query_id"] for alert in evaluator.alerts.alerts} == {"bad"}


def test_thresholds_come_from_the_configuration_and_unknown_keys_are_refused() -> None:
    evaluation = {"overall_scores": {"span_accuracy_score": 0.85, "hallucination_score": None}}
    assert CitationAlertSystem({}).check_thresholds(evaluation, {"id": 1}) == []
    strict = {"citation_accuracy": {"quality_thresholds": {"span_accuracy": 0.9}}}
    (alert,) = CitationAlertSystem(strict).check_thresholds(evaluation, {"id": 1})
    assert (alert["metric"], alert["threshold"], alert["query_id"]) == ("span_accuracy_score", 0.9, 1)
    with pytest.raises(ValueError, match="nope"):
        CitationAlertSystem({"nope": 1})


def test_the_report_has_its_four_parts_and_says_what_dominates_and_where(
    evaluator: AutomatedCitationEvaluator,
) -> None:
    results = evaluator.evaluate_query_batch([GOOD, BAD, LOST, LOST, LOST, {"id": "broken"}])
    report = evaluator.generate_report(results)
    assert list(report) == ["summary", "visualizations", "analysis", "recommendations"]
    assert (report["summary"]["total_queries"], report["summary"]["failed_queries"]) == (6, 1)
    overall = report["summary"]["scores"]["overall_citation_accuracy"]
    assert (overall["n"], overall["not_scorable"]) == (5, 1)
    assert report["analysis"]["dominant_failure"] == "unknown_document"
    assert any("not there" in advice for advice in report["recommendations"])
    assert "unanswered" in report["recommendations"][0]
    json.dumps(report)


def test_a_clean_batch_has_nothing_to_recommend(evaluator: AutomatedCitationEvaluator) -> None:
    report = evaluator.generate_report(evaluator.evaluate_query_batch([GOOD]))
    assert report["recommendations"] == []
    assert report["analysis"]["dominant_failure"] is None
    assert report["analysis"]["alerts"] == []


def test_an_empty_batch_measures_nothing_and_says_so(evaluator: AutomatedCitationEvaluator) -> None:
    report = evaluator.generate_report([])
    assert all(score["value"] is None for score in report["summary"]["scores"].values())


def test_the_charts_hold_what_was_counted(evaluator: AutomatedCitationEvaluator) -> None:
    report = evaluator.generate_report(evaluator.evaluate_query_batch([LOST, BAD]))
    charts = report["visualizations"]
    counted = {row["kind"]: row["count"] for row in charts["failures_by_kind"]["data"]["values"]}
    assert counted == {kind["kind"]: kind["count"] for kind in report["analysis"]["kinds"]}
    assert {row["metric"] for row in charts["scores"]["data"]["values"]} >= {"citation_quality_score"}


def test_the_report_says_which_scores_rise_and_fall_over_the_batch(
    evaluator: AutomatedCitationEvaluator,
) -> None:
    good = {"overall_scores": {"citation_quality_score": 0.9, "hallucination_score": 0.5}}
    poor = {"overall_scores": {"citation_quality_score": 0.2, "hallucination_score": 0.5}}
    report = evaluator.generate_report([good, good, good, good, good, poor, poor, poor, poor, poor])
    trends = {trend["metric"]: trend for trend in report["analysis"]["trends"]}
    falling = trends["citation_quality_score"]
    assert (falling["direction"], falling["earlier"], falling["later"]) == ("falling", 0.9, 0.2)
    assert trends["hallucination_score"]["direction"] == "steady"
    assert trends["span_accuracy_score"]["direction"] == "too few values"
    json.dumps(report)
