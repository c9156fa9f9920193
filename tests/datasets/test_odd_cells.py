"""Cells and files with values that other tools write and JSON has no form for."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from data_samples import BENCHMARK, CONFIGURATION, DATASET, RESULTS, example

from pincite.datasets import (
    check_quality,
    convert_file,
    dataset_stats,
    from_frame,
    import_answers,
    import_dataset,
    open_dataset,
    validate_file,
)
from pincite.errors import InputError

HALF = "a\ud800b"


@pytest.mark.parametrize(
    "cell",
    [
        "[{[]:1}]",
        "[{{}:1}]",
        "{{1}}",
        "[{1, 2}]",
        '[b"x"]',
        "[1j]",
        "[...]",
        "{(1, 2): 3}",
        "[" * 5000,
        "[-" * 3000,
    ],
)
def test_a_cell_that_holds_no_json_value_is_the_text_that_it_is(cell: str) -> None:
    row = {"query_text": "A?", "contexts": cell, "metadata": cell}
    dataset = from_frame([row], kind="jsonl")
    assert [document.content for document in dataset.documents] == [cell]
    assert dataset.queries[0].metadata == {}


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("[0.5, NaN]", [0.5, None]),
        ("[1e999, (1, 'a')]", [None, [1, "a"]]),
        ("{1: 2, None: True}", {"1": 2, "null": True}),
        ('["\\ud800"]', ["\ud800"]),
        (f"[{2**70}]", [2**70]),
    ],
)
def test_a_cell_is_read_as_the_json_that_it_stands_for(cell: str, value: Any) -> None:
    assert from_frame([{"query_text": "A?", "cell": cell}]).queries[0].extra == {"cell": value}


@pytest.mark.parametrize("column", ["metadata", "contexts", "citations", "usage", "relevance_scores"])
def test_an_import_goes_on_where_a_cell_is_odd(column: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["query_id", "query_text", "answer", column])
        writer.writeheader()
        writer.writerow({"query_id": "1", "query_text": "q", "answer": "a", column: "[{[]:1}]"})
        writer.writerow({"query_id": "2", "query_text": "r", "answer": "b"})
    try:
        dataset = import_dataset("jsonl", path)
    except InputError as error:
        assert column == "citations" and "line 2" in str(error)  # what a citation must be is not guessed
        return
    assert [query.query_id for query in dataset.queries] == ["1", "2"]
    assert [one.answer for one in import_answers("jsonl", path)] == ["a", "b"]


def test_citations_of_an_import_may_have_fields_with_half_a_character(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    cited = [{"file_name": HALF, "start_char": 0, "end_char": 3, HALF: 2**70}]
    path.write_text(json.dumps({"query_id": "1", "query_text": "q", "citations": cited}))
    (query,) = import_dataset("jsonl", path).queries
    assert query.citations is not None
    assert query.citations[0].extra == {HALF: 2**70}


@pytest.mark.parametrize(
    ("value", "ending"), [(CONFIGURATION, "config"), (RESULTS, "results"), (BENCHMARK, "benchmark")]
)
def test_half_a_character_in_any_file_is_valid_or_named(
    value: dict[str, Any], ending: str, tmp_path: Path
) -> None:
    path = tmp_path / f"x.{ending}.json"
    for name in value:
        path.write_text(json.dumps({**value, name: HALF}))
        assert all(problem.file == str(path) for problem in validate_file(path))
    path.write_text(
        json.dumps({**value, "extra": {HALF: [HALF]}, **({} if ending == "config" else {HALF: 1})})
    )
    if ending != "config":  # whose keys are all known
        assert list(validate_file(path)) == []
    with pytest.raises(InputError, match=r"half a character .* has no form in yaml"):
        convert_file(path, tmp_path / f"y.{ending}.yaml")


@pytest.mark.parametrize("whole", ["5", "true", '"text"', "[]", "null"])
def test_a_file_that_is_no_object_is_not_converted(whole: str, tmp_path: Path) -> None:
    path = tmp_path / "x.config.json"
    path.write_text(whole)
    with pytest.raises(InputError, match="expected an object"):
        convert_file(path, tmp_path / "y.config.yaml")


@pytest.mark.parametrize("rows", ["text", {"a": 1}, [1], ["a"]])
def test_rows_that_are_no_objects_have_no_form_in_a_table(rows: Any, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "x.results.json"
    path.write_text(json.dumps({**RESULTS, "query_results": rows}))
    with pytest.raises(InputError, match="query_results is not a list of objects"):
        convert_file(path, tmp_path / "y.results.parquet")


def test_a_number_beyond_every_float_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "x_1.0.0.eval.json"
    path.write_text(json.dumps(DATASET)[:-1] + ',\n "more": 1e400}')
    (problem,) = validate_file(path)
    assert problem.found == "line 2, column 10: 1e400 is larger than any number that can be held"


def test_whole_numbers_of_hundreds_of_digits_are_counted_and_kept(tmp_path: Path) -> None:
    huge = 10**400
    value = example("dataset")
    value["queries"][0]["citations"][0]["end_char"] = huge
    value["metadata"]["avg_query_length"] = huge
    with open_dataset(value) as dataset:
        assert dataset_stats(dataset)["citations"]["mean_length"] is None
        assert any(issue.code == "DQ601" for issue in check_quality(dataset))
    pytest.importorskip("pyarrow")
    path, table, back = (
        tmp_path / f"{name}.benchmark.{end}" for name, end in (("x", "json"), ("y", "parquet"), ("z", "json"))
    )
    benchmark = example("benchmark")
    benchmark["entries"][0]["note"] = huge
    benchmark["entries"][1]["note"] = 0.5
    path.write_text(json.dumps(benchmark))
    convert_file(path, table)
    convert_file(table, back)
    assert json.loads(back.read_text())["entries"][0]["note"] == huge
