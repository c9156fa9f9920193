"""Document 000, section 9.1: metrics are registered with a harness, which then runs them."""

from __future__ import annotations

import json

import pytest

from pincite.compat import (
    CitationCorrectness,
    EvaluationHarness,
    HallucinationRate,
)
from pincite.errors import ConfigError

CONTENT = "The company reported $10M in Q1 revenue. Profit fell by 3% in that quarter."
DATASET = {
    "dataset_id": "small",
    "name": "Small",
    "version": "1.0.0",
    "documents": [{"document_id": "report", "file_path": "report.txt", "content": CONTENT}],
    "queries": [
        {
            "query_id": "q1",
            "query_text": "What was the revenue?",
            "citations": [{"file_name": "report.txt", "page_number": 1, "start_char": 0, "end_char": 40}],
        }
    ],
}


def test_a_harness_runs_what_was_registered_with_it(tmp_path):
    answers = tmp_path / "answers.jsonl"
    said = {"query_id": "q1", "answer": "The company reported $10M in Q1 revenue [report.txt:1:0-40]."}
    answers.write_text(json.dumps(said) + "\n", encoding="utf-8")
    dataset = tmp_path / "small_1.0.0.eval.json"
    dataset.write_text(json.dumps(DATASET), encoding="utf-8")
    harness = EvaluationHarness()
    harness.register_metrics(
        {"citation_correctness": CitationCorrectness, "hallucination_rate": HallucinationRate()}
    )
    run = harness.run(dataset, answers=answers, judge="rules")
    assert {score.metric: score.value for score in run.scores} == {
        "citation_correctness": 1.0,
        "hallucination_rate": 0.0,
    }


def test_what_is_no_metric_is_refused():
    with pytest.raises(ConfigError, match="Metric"):
        EvaluationHarness().register_metrics({"mine": 3})  # type: ignore[dict-item]
