from __future__ import annotations

import json
import uuid

import pytest
from import_checks import checked, document_of, lines

from pincite.datasets import answers_from_frame, from_frame, import_answers, import_dataset


def test_examples_of_langsmith_say_what_was_expected(tmp_path):
    rows = [
        {"id": "e1", "inputs": {"question": "How high?"}, "outputs": {"answer": "47 m"}, "metadata": {"a": 1}}
    ]
    path = lines(tmp_path / "examples.jsonl", rows)
    (query,) = checked(import_dataset("langsmith", path)).queries
    assert (query.query_id, query.query_text, query.ground_truth_answer) == ("e1", "How high?", "47 m")
    assert list(import_answers("langsmith", path)) == []


def test_an_experiment_of_langsmith_has_answers_too(tmp_path):
    row = {
        "example_id": "e1",
        "inputs": {"messages": [{"role": "user", "content": "How high?"}]},
        "outputs": {
            "output": "47 m",
            "documents": [{"page_content": "Text.", "metadata": {"source": "a.md"}}],
        },
        "reference_outputs": {"answer": "47 metres"},
        "start_time": "2025-01-01T10:00:00",
        "end_time": "2025-01-01T10:00:01.500",
    }
    path = tmp_path / "experiment.json"
    path.write_text(json.dumps([row, {**row, "example_id": "e2", "outputs": None, "error": "timed out"}]))
    dataset = checked(import_dataset("langsmith", path))
    first, second = import_answers("langsmith", path)
    assert dataset.queries[0].ground_truth_answer == "47 metres"
    assert (first.answer, first.latency_ms, first.retrieved[0].document) == ("47 m", 1500, "a.md")
    assert (second.answer, second.failure) == (None, "timed out")
    assert document_of(dataset, "a.md") == "Text."


def test_columns_of_langsmith_in_csv(tmp_path):
    path = tmp_path / "e.csv"
    path.write_text(
        "id,inputs.question,outputs.answer,reference_outputs.answer\n1,How high?,47 m,47 metres\n"
    )
    assert import_dataset("langsmith", path).queries[0].ground_truth_answer == "47 metres"
    assert next(import_answers("langsmith", path)).answer == "47 m"
    path.write_text("input_question,output_answer\nHow high?,47 m\n")
    assert import_dataset("langsmith", path).queries[0].ground_truth_answer == "47 m"


TO_PANDAS = (
    "inputs.question,outputs.answer,outputs.documents,error,reference.answer,feedback.ok,execution_time,example_id,id\n"
    "How high?,47 m [1],['It is 47 m.'],,47 metres,1.0,1.5,ex1,{0}1\n"
    "How old?,,,timed out,90 years,,2.0,ex2,{0}2\n"
    "Who?,Ann,,,,,0.5,ex3,{0}3\n"
)
TEST_RESULTS = (
    "example_id,input.question,outputs.answer,execution_time,error,id,reference.answer\n"
    "ex1,How high?,47 m [1],1.5,,{0}1,47 metres\n"
    "ex2,How old?,,2.0,timed out,{0}2,90 years\n"
    "ex3,Who?,Ann,0.5,,{0}3,\n"
)


@pytest.mark.parametrize("table", [TO_PANDAS, TEST_RESULTS])
def test_a_table_of_an_experiment_has_answers_and_references_the_right_way_round(tmp_path, table):
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(table.format(name))
    dataset = checked(import_dataset("langsmith", tmp_path / "a.csv"))
    assert {one.query_id: one.ground_truth_answer for one in dataset.queries} == {
        "ex1": "47 metres",
        "ex2": "90 years",
        "ex3": None,
    }
    one, two = (list(import_answers("langsmith", tmp_path / f"{name}.csv")) for name in ("a", "b"))
    assert [(each.query_id, each.answer, each.failure) for each in one] == [
        ("ex1", "47 m [1]", None),
        ("ex2", None, "timed out"),
        ("ex3", "Ann", None),
    ]
    assert one[0].latency_ms == 1500
    assert [each.query_id for each in one] == [each.query_id for each in two]


def test_a_frame_of_an_experiment_is_read_as_its_file_is():
    pandas = pytest.importorskip("pandas")
    example, held = uuid.uuid4(), uuid.uuid4()
    frame = pandas.DataFrame(
        [
            {
                "inputs.question": "How high?",
                "outputs.answer": "47 m",
                "error": None,
                "reference.answer": "47 metres",
                "execution_time": 1.5,
                "example_id": example,
                "id": held,
            }
        ]
    )
    (query,) = from_frame(frame, kind="langsmith").queries
    (answer,) = answers_from_frame(frame, kind="langsmith")
    assert (query.query_id, query.ground_truth_answer) == (str(example), "47 metres")
    assert (answer.query_id, answer.answer) == (str(example), "47 m")


def test_a_run_of_langsmith_answers_and_is_named_after_its_example(tmp_path):
    question = {"inputs": {"input": "How high?"}, "inputs_preview": "x", "outputs": {"output": "47 m"}}
    rows = [
        {"id": "r1", "run_type": "chain", **question, "reference_example_id": "ex1", "total_tokens": 33},
        {
            "id": "r2",
            "run_type": "chain",
            **question,
            "start_time": "2025-01-01T10:00:00",
            "total_cost": "0.5",
        },
        {"id": "r3", "run_type": "llm", "parent_run_id": "r2", "inputs": {"tools": []}, "outputs": {}},
    ]
    path = lines(tmp_path / "runs.jsonl", rows)
    queries = checked(import_dataset("langsmith", path)).queries
    assert [(one.query_id, one.ground_truth_answer) for one in queries] == [("ex1", None), ("r2", None)]
    first, second = import_answers("langsmith", path)
    assert (first.answer, first.usage) == ("47 m", {"total_tokens": 33})
    assert second.usage == {"estimated_cost_usd": 0.5}


def test_a_row_with_its_run_and_its_example_is_an_answer_to_the_example(tmp_path):
    row = {
        "run": {"id": "r1", "inputs": {"question": "How high?"}, "outputs": {"answer": "47 m"}},
        "example": {"id": "ex1", "inputs": {"question": "How high?"}, "outputs": {"answer": "47 metres"}},
        "evaluation_results": {"results": []},
    }
    path = lines(tmp_path / "rows.jsonl", [row])
    (query,) = checked(import_dataset("langsmith", path)).queries
    (answer,) = import_answers("langsmith", path)
    assert (query.query_id, query.ground_truth_answer) == ("ex1", "47 metres")
    assert (answer.query_id, answer.answer) == ("ex1", "47 m")


def test_a_table_with_its_index_names_the_examples(tmp_path):
    path = tmp_path / "e.csv"
    path.write_text(
        ",inputs.question,output,reference,feedback.ok,error,execution_time,run_id\n"
        "ex1,How high?,47 m,47 metres,1,,1.5,r1\n"
    )
    (query,) = checked(import_dataset("langsmith", path)).queries
    (answer,) = import_answers("langsmith", path)
    assert (query.query_id, query.ground_truth_answer, answer.answer) == ("ex1", "47 metres", "47 m")
