"""Validation: file, pointer, what was expected, what was found, all at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from data_samples import CITATION_ANNOTATION, EXAMPLES, QUALITY_ANNOTATION, example
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.datasets import validate_file, validate_value
from pincite.errors import InputError


def problems(value: Any, kind: Any = None) -> dict[str, tuple[str, str]]:
    return {problem.pointer: (problem.expected, problem.found) for problem in validate_value(value, kind)}


def test_all_problems_are_told_at_once() -> None:
    value = example("dataset")
    del value["name"]
    value["version"] = "1.2"
    value["created_at"] = "yesterday"
    value["schema_version"] = 99
    first = value["queries"][0]
    first.update(query_type="odd", difficulty=3, query_text=None)
    first["citations"][0].update(start_char=30, confidence_score=1.5, page_number=0)
    value["queries"][1]["alternative_citations"][0][0].update(start_char=-1)
    del value["queries"][2]["query_id"]
    value["documents"][1]["document_id"] = "depths"
    found = problems(value)
    assert found["/name"] == ("this field", "nothing")
    assert found["/version"] == ("a semantic version, as 1.10.0", "the text '1.2'")
    assert found["/created_at"][0].startswith("a date and time")
    assert found["/schema_version"] == ("a number from 1 to 1", "the number 99")
    assert found["/queries/0/query_type"][0] == "one of factual, analytical, comparative, temporal"
    assert found["/queries/0/difficulty"] == ("a text or null", "the number 3")
    assert found["/queries/0/query_text"] == ("a text", "null")
    assert found["/queries/0/citations/0/end_char"] == ("an end after the start, 30", "the number 29")
    assert found["/queries/0/citations/0/confidence_score"] == ("a number from 0 to 1", "the number 1.5")
    assert found["/queries/0/citations/0/page_number"] == ("1 or more", "the number 0")
    assert found["/queries/1/alternative_citations/0/0/start_char"] == ("0 or more", "the number -1")
    assert found["/queries/2/query_id"] == ("this field", "nothing")
    assert found["/documents/1/document_id"] == ("an id of its own", "the id of /documents/0")
    assert len(found) == 13


def test_a_span_that_names_no_document_is_a_problem() -> None:
    value = example("dataset")
    del value["queries"][0]["citations"][0]["file_name"]
    assert problems(value) == {
        "/queries/0/citations/0": ("file_name or document_id or file_path or title", "an object")
    }


def test_ids_that_come_again_are_told_in_order() -> None:
    value = example("dataset")
    value["queries"] = [{**value["queries"][0], "query_id": name} for name in ("a", "b", "a", "b", "a")]
    found = list(validate_value(value))
    assert [problem.pointer for problem in found] == [f"/queries/{i}/query_id" for i in (2, 3, 4)]
    assert [problem.found for problem in found] == [f"the id of /queries/{i}" for i in (0, 1, 0)]


def test_intervals_run_upwards() -> None:
    results = example("results")
    results["retrieval_metrics"]["hit@1"]["confidence_interval"] = [0.9, 0.1]
    results["citation_metrics"]["span_accuracy"]["confidence_interval"] = "wide"
    assert set(problems(results)) == {
        "/retrieval_metrics/hit@1/confidence_interval",
        "/citation_metrics/span_accuracy/confidence_interval",
    }
    benchmark = example("benchmark")
    benchmark["entries"][0]["confidence_interval"] = [2, 1]
    assert set(problems(benchmark)) == {"/entries/0/confidence_interval"}


def test_results_need_no_group_that_was_not_measured() -> None:
    needed = {"evaluation_id": "e", "timestamp": "2026-02-01T10:00:00Z", "dataset_id": "d", "summary": {}}
    assert problems(needed) == {}
    assert set(problems({"evaluation_id": "e"})) == {"/timestamp", "/dataset_id", "/summary"}


@pytest.mark.parametrize("annotation", [CITATION_ANNOTATION, QUALITY_ANNOTATION])
def test_one_annotation_is_a_file_of_its_own(annotation: dict[str, Any]) -> None:
    assert problems(annotation) == {}
    assert set(problems({**annotation, "query_id": 3})) == {"/query_id"}


def test_a_configuration_with_a_wrong_key_is_a_problem() -> None:
    ((expected, found),) = problems({"tolerance_charz": 5}, "configuration").values()
    assert expected == "settings that Pincite knows"
    assert "tolerance_charz" in found


def test_a_problem_reads_as_a_sentence() -> None:
    problem = next(validate_value({**EXAMPLES["dataset"], "queries": [None]}, "dataset", "x.eval.json"))
    assert str(problem) == "x.eval.json:/queries/0: expected an object, found null"


def test_a_file_that_cannot_be_parsed_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "x.eval.json"
    path.write_text('{"queries": [')
    (problem,) = validate_file(path)
    assert problem.file == str(path)
    assert "line 1" in problem.found


def test_a_file_that_cannot_be_opened_raises(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        list(validate_file(tmp_path / "x.eval.json"))


def test_recorded_answers_are_validated_by_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"query_id": "a", "answer": "x"}\nbroken\n')
    assert [problem.pointer for problem in validate_file(path)] == ["line 2"]


def test_what_is_nothing_known_asks_for_its_kind() -> None:
    with pytest.raises(InputError, match="--kind"):
        list(validate_value({"a": 1}))
    assert problems([], "dataset") == {"": ("an object", "a list of 0")}


def test_pointers_escape_slashes_and_tildes() -> None:
    value = example("dataset")
    value["queries"][1]["relevant_documents"] = {"a/b~c": "x"}
    assert set(problems(value)) == {"/queries/1/relevant_documents/a~1b~0c"}


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["queries", "citations", "query_id", "annotations", "summary", "start_char"]),
                inner,
            )
        ),
        max_leaves=15,
    )
)
def test_any_value_is_validated_without_a_crash(value: Any) -> None:
    for kind in EXAMPLES:
        for problem in validate_value(value, kind):  # type: ignore[arg-type]
            assert json.dumps([problem.pointer, problem.expected, problem.found])
