from __future__ import annotations

from pathlib import Path

import pytest
from plain_metrics import item, mean, share

from pincite.errors import InputError
from pincite.records import ResultsDocument, RunConfiguration
from pincite.runs import (
    is_results_file,
    query_result,
    read_results,
    read_results_items,
    results_head,
    write_results,
)


@pytest.mark.parametrize("ending", ["json", "json.gz", "yaml", "csv", "csv.gz", "parquet"])
def test_what_was_written_is_read_back_as_far_as_a_comparison_needs_it(tmp_path: Path, ending: str) -> None:
    kept = [
        item(0, mean(0.5, "nDCG@5"), share(1, 4), answer="one", cluster="document a"),
        item(1, mean(None, "nDCG@5", unjudged=2), share(0, 3), failure="time-out"),
    ]
    path = tmp_path / f"run.results.{ending}"
    write_results({"evaluation_id": "eval_run_1"}, kept, path)
    found = list(read_results_items(path))
    assert read_results(path).run_id == "eval_run_1"
    for one, other in zip(kept, found, strict=True):
        assert (one.query_id, one.query_text, one.answer, one.failure) == (
            other.query_id,
            other.query_text,
            other.answer,
            other.failure,
        )
        assert [(r.metric, r.score, r.numerator, r.denominator, r.unjudged) for r in one.results] == [
            (r.metric, r.score, r.numerator, r.denominator, r.unjudged) for r in other.results
        ]
    assert query_result(kept[0])["query_id"] == "q0"


@pytest.mark.parametrize("score", ["true", '"0.5"', "[]", "{}", "1e999", "9" * 400, "[" * 2000 + "]" * 2000])
def test_a_score_that_is_no_number_is_left_out(tmp_path: Path, score: str) -> None:
    path = tmp_path / "odd.results.json"
    path.write_text(
        '{"query_results": [{"query_id": "q", "individual_metrics": {"nDCG@5": 0.5, "MRR": ODD}, '
        '"metric_details": {"nDCG@5": [1, ODD, 0, 0]}}]}'.replace("ODD", score)
    )
    try:
        (found,) = read_results_items(path)
    except InputError:
        return  # a parser may refuse what no number can be
    assert [(one.metric, one.score, one.denominator) for one in found.results] == [("nDCG@5", 0.5, 1.0)]


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"query_results": 3}', b"\xff\xfe", b'{"query_results": [']
)
def test_a_file_without_queries_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.results.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"odd\.results\.json"):
        list(read_results_items(path))


def test_the_head_of_a_file_is_what_stands_before_its_queries(tmp_path: Path) -> None:
    path = tmp_path / "x.results.json"
    path.write_text(
        '{"evaluation_id": "e", "configuration": {"judge": "rules/1"}, "query_results": [], "z": 1}'
    )
    assert results_head(path) == ResultsDocument(
        evaluation_id="e", configuration=RunConfiguration(judge="rules/1")
    )
    path.write_text("[1]")
    assert results_head(path) == ResultsDocument()


def test_a_run_is_told_from_a_file_by_its_name(tmp_path: Path) -> None:
    assert is_results_file("x.results.json")
    assert is_results_file("x.results.json.gz")
    assert is_results_file("x.results.csv")
    assert not is_results_file("nothing.csv")
    (tmp_path / "there.csv").write_text("query_id\nq1\n")
    assert is_results_file(str(tmp_path / "there.csv"))
    assert not is_results_file("eval_run_20261102_001")
    assert not is_results_file("nothing.json")
