"""A dataset without documents: nothing cited can be looked up, which is said and not held against it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas
import pytest
from small_system import RULES, answer, dataset, write_dataset

from pincite.datasets import from_frame
from pincite.datasets.load import open_streamed
from pincite.records import Run
from pincite.runs import EvalRequest, run_evaluation

JUDGED = ("fabrication_rate", "citation_correctness", "alce_recall", "hallucination_rate")
NEEDS_NO_TEXT = ("hit@1", "span_f1", "citation_completeness")
WARNING = "the dataset has no documents"


def measured(given: Any, said: dict[str, Any]) -> tuple[Run, tuple[str, ...]]:
    request = EvalRequest(
        dataset=given, target=lambda text: said, metrics=(*JUDGED, *NEEDS_NO_TEXT), settings=RULES
    )
    with run_evaluation(request) as done:
        return done.run, done.oddities


def without_documents(folder: Path, queries: int = 2) -> Path:
    path = folder / "bare_1.0.0.eval.json"
    path.write_text(json.dumps({**dataset(queries), "documents": []}), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "text",
    [
        "The ferry carries 84 cars [ferry.txt:0-26].",
        "The ferry carries 84 cars [1].",
        "84 cars [cars.count].",
    ],
)
def test_citations_are_neither_right_nor_fabricated_without_documents(tmp_path: Path, text: str) -> None:
    run, oddities = measured(without_documents(tmp_path), {**answer(0), "generated_answer": text})
    scores = {score.metric: score for score in run.scores}
    for name in JUDGED:
        assert scores[name].value is None, name
        assert scores[name].n == 0
    assert scores["fabrication_rate"].unjudged == 2
    assert any(line.startswith(WARNING) for line in oddities)


def test_what_needs_no_text_is_measured_without_documents(tmp_path: Path) -> None:
    run, _ = measured(without_documents(tmp_path), answer(0))
    values = {score.metric: score.value for score in run.scores}
    assert [values[name] for name in NEEDS_NO_TEXT] == [0.5, 0.5, 1.0]


def test_a_frame_has_no_documents_either() -> None:
    rows = pandas.DataFrame([{"query_id": "q0", "query_text": "How many cars?"}])
    run, oddities = measured(from_frame(rows), answer(0))
    assert {score.metric: score.value for score in run.scores}["fabrication_rate"] is None
    assert any(line.startswith(WARNING) for line in oddities)


def test_an_unknown_document_stays_fabricated_where_there_are_documents(tmp_path: Path) -> None:
    said = {**answer(0), "generated_answer": "The ferry carries 84 cars [liner.txt:0-26]."}
    run, oddities = measured(write_dataset(tmp_path, 2), said)
    assert {score.metric: score.value for score in run.scores}["fabrication_rate"] == 1.0
    assert not any(line.startswith(WARNING) for line in oddities)


def test_an_unknown_document_stays_fabricated_in_a_dataset_that_is_streamed(tmp_path: Path) -> None:
    with open_streamed(write_dataset(tmp_path, 2)) as large:
        assert large.library_for(["liner.txt"]).given
    with open_streamed(without_documents(tmp_path)) as bare:
        assert not bare.library_for(["liner.txt"]).given


def test_sources_that_came_with_the_answer_are_enough(tmp_path: Path) -> None:
    sources = [{"document_id": "ferry.txt", "content": "The ferry carries 84 cars."}]
    run, oddities = measured(without_documents(tmp_path), {**answer(0), "sources": sources})
    assert {score.metric: score.value for score in run.scores}["fabrication_rate"] == 0.0
    assert not any(line.startswith(WARNING) for line in oddities)
