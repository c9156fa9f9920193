"""Results as CSV: a row a query, a column a metric, and the whole document back again."""

from __future__ import annotations

import csv
import io
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from through_files import parse_csv, write_csv

from pincite.errors import InputError

TEXT = st.text(max_size=12) | st.sampled_from(["1/2 x", "null", "5", '"', "a\r\nb", "=1+1"])
VALUE = st.none() | st.integers(-(2**60), 2**60) | TEXT | st.lists(TEXT, max_size=3)
SCORES = st.dictionaries(
    st.sampled_from(["hit@1", "span_f1", "citation_correctness"]), st.none() | st.floats(0, 1), max_size=3
)


def results(rows: list[dict[str, Any]], **groups: Any) -> dict[str, Any]:
    return {"evaluation_id": "run", "summary": {"total_queries": len(rows)}, **groups, "query_results": rows}


def table(value: dict[str, Any]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(write_csv(value, "results").decode(), newline="")))


def query(number: int, **more: Any) -> dict[str, Any]:
    return {"query_id": f"q{number}", "citations": [], "query_text": "Why?", **more}


def test_each_metric_has_a_column_of_plain_numbers() -> None:
    rows = table(
        results(
            [
                query(1, individual_metrics={"hit@1": 1.0, "span_f1": None}),
                query(2, individual_metrics={"hit@1": 0.5}),
            ]
        )
    )
    assert [row["metrics.hit@1"] for row in rows] == ["1.0", "0.5"]
    assert [row["metrics.span_f1"] for row in rows] == ["", ""]
    assert rows[0]["individual_metrics"] == '{"hit@1": 1.0, "span_f1": null}'
    assert list(rows[0]) == [
        *("query_id", "query_text", "metrics.hit@1", "metrics.span_f1", "citations", "individual_metrics"),
        "results_document",
    ]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(TEXT, SCORES, VALUE), max_size=4), VALUE)
def test_results_lose_nothing(given_rows: list[tuple[str, dict[str, Any], Any]], group: Any) -> None:
    rows = [
        {"query_id": f"q{n}", "generated_answer": text, "individual_metrics": scores, "other": other}
        for n, (text, scores, other) in enumerate(given_rows)
    ]
    value = results(rows, analysis=group)
    assert parse_csv(write_csv(value, "results"), "x.results.csv", None if rows else "results") == value


@pytest.mark.parametrize("count", [1, 3, 8])
def test_the_run_stands_in_cells_that_a_spreadsheet_can_hold_whatever_the_order_of_rows(count: int) -> None:
    value = results([query(n) for n in range(count)], breakdown={"text": "wörd " * 15_000})
    rows = table(value)
    if count == 8:
        assert max(len(cell) for row in rows for cell in row.values()) < 32_767
    random.Random(5).shuffle(rows)
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    read = parse_csv(out.getvalue().encode(), "x.results.csv", "results")
    assert read["breakdown"] == value["breakdown"]
    assert sorted(row["query_id"] for row in read["query_results"]) == [f"q{n}" for n in range(count)]


def test_a_missing_part_of_the_run_is_an_input_error() -> None:
    raw = b"query_id,results_document\nq1,2/2 {}\n"
    with pytest.raises(InputError, match="part 1 of 2 is missing"):
        parse_csv(raw, "x.results.csv", "results")


@pytest.mark.parametrize("cell", ["1/1 [1]", "1/1 {", "1/1 "])
def test_a_run_that_is_no_object_is_an_input_error(cell: str) -> None:
    with pytest.raises(InputError, match="results_document"):
        parse_csv(f"query_id,results_document\nq1,{cell}\n".encode(), "x.results.csv", "results")


def test_metrics_in_columns_alone_are_read() -> None:
    read = parse_csv(b"query_id,metrics.hit@1\nq1,0.5\nq2,\n", "x.csv", None)
    assert read["query_results"] == [
        {"query_id": "q1", "individual_metrics": {"hit@1": 0.5}},
        {"query_id": "q2"},
    ]


def test_files_with_a_column_for_each_group_are_still_read() -> None:
    raw = b'query_id,query_text,results.summary\nq1,Why?,"{""total_queries"": 1}"\n'
    read = parse_csv(raw, "x.csv", None)
    assert read == {
        "summary": {"total_queries": 1},
        "query_results": [{"query_id": "q1", "query_text": "Why?"}],
    }
