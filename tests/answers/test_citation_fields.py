"""Citations that come with an answer: whatever way they are written, they become what the format says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pincite
from pincite.answers import citations_of, read_citations, read_record
from pincite.citations import parse
from pincite.datasets import open_answers, validate_file, validate_value

TEXT = "The tower is 47 metres high. It was built in 1832."
DATASET = {
    "dataset_id": "towers",
    "name": "Towers",
    "version": "1.0.0",
    "queries": [{"query_id": "q1", "query_text": "How high is it?", "relevant_documents": ["d1"]}],
    "documents": [{"document_id": "d1", "content": TEXT}],
}


@pytest.mark.parametrize(
    "written",
    [
        *(
            "[d1:0-12]",
            " [d1:0-12] ",
            "[report.pdf:3:4-29]",
            "[report.pdf]",
            "[1]",
            "[2,5]",
            "【3】",
            "[1][2]",
        ),
        *(
            "(https://example.org/a)",
            "[a page](https://example.org/a)",
            "(doi:10.1000/xyz)",
            "[arXiv:2001.01234]",
        ),
    ],
)
def test_a_marker_as_a_text_points_where_it_does_in_an_answer(written: str) -> None:
    read = read_citations([written]) or ()
    true = [target.key for marker in parse(written.strip()).citations for target in marker.targets]
    assert [one.targets[0].key for one in citations_of(read, None) or ()] == true
    assert read_record({"citations": [written]}).oddities == ()


@pytest.mark.parametrize("name", ["d1", "report.pdf", "docs/report.pdf", "/data/x.pdf", "notes:0-12", "[d1]"])
def test_any_other_text_names_a_document(name: str) -> None:
    assert read_citations([name]) == ({"file_name": name.strip("[]")},)


@pytest.mark.parametrize("written", ["[quote.premium]", "(Smith, 2020)", "  "])
def test_a_text_that_no_field_can_say_is_left_out_and_told(written: str) -> None:
    assert read_citations([written]) is None
    ((_, found),) = read_record({"citations": [written]}).oddities
    assert "1 of 1 left out" in found


@given(st.text(max_size=40))
def test_no_text_breaks_it(text: str) -> None:
    for citation in citations_of(read_citations([text]), text) or ():
        assert text[citation.start : citation.end] in ("", citation.text)


@given(
    st.text("abcxyz", min_size=1).map(lambda name: f"{name}.pdf"),
    st.none() | st.integers(1, 10**6),
    st.integers(0, 10**9),
    st.integers(0, 10**9),
)
def test_numbers_become_numbers_however_they_are_written(
    name: str, page: int | None, start: int, end: int
) -> None:
    true = {"file_name": name, "page_number": page, "start_char": start, "end_char": end}
    for write in (int, float, str, lambda number: f" {number}.0"):
        given_as = {key: write(one) if isinstance(one, int) else one for key, one in true.items()}
        assert read_citations([given_as]) == (true,)
        assert read_record({"citations": [given_as]}).oddities == ()
    marker = f"[{name}:{start}-{end}]" if page is None else f"[{name}:{page}:{start}-{end}]"
    assert read_citations([marker]) == (true,)


@pytest.mark.parametrize(
    ("fields", "expected", "found"),
    [
        ({"start_char": "a", "end_char": 9}, "start_char of a citation as a whole number", "the text 'a'"),
        ({"start_char": 1.5, "end_char": 9}, "start_char of a citation as a whole number", "the number 1.5"),
        ({"start": [1], "end": 9}, "start_char of a citation as a whole number", "a list"),
        ({"start_char": 1, "end_char": True}, "end_char of a citation as a whole number", "true"),
        ({"page_number": "iv"}, "page_number of a citation as a whole number", "the text 'iv'"),
        ({"title": ["x"]}, "title of a citation as a text", "a list"),
        ({"start_char": 5}, "start_char and end_char of a citation", "one without the other"),
        ({"start_char": None, "end_char": 9}, "start_char and end_char of a citation", "one without"),
    ],
)
def test_a_field_of_the_wrong_kind_is_told_and_counts_as_not_given(
    fields: dict[str, Any], expected: str, found: str
) -> None:
    given_as = {"file_name": "d1", **fields}
    ((told, what),) = read_record({"citations": [{"file_name": "d2"}, given_as]}).oddities
    assert told == expected
    assert what.startswith(found)
    assert "1 of 2" in what
    (citation,) = citations_of(read_citations([given_as]), "An answer.") or ()
    assert citation.targets[0].key in ("d1", "d1:1:")


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"start_char": None, "end_char": None},
        {"start_char": -4, "end_char": 2},
        {"page": "3"},
        {"file_name": 7},
    ],
)
def test_what_a_citation_may_lack_or_get_wrong_is_not_odd(fields: dict[str, Any]) -> None:
    assert read_record({"citations": [{"file_name": "d1", **fields}]}).oddities == ()


def test_a_bare_doi_is_the_address_it_stands_for() -> None:
    for given_as in (
        {"doi": "10.1000/xyz"},
        {"doi": "doi:10.1000/xyz"},
        {"url": "https://doi.org/10.1000/xyz"},
    ):
        (citation,) = citations_of([given_as], None) or ()
        assert citation.targets[0].key == "doi:10.1000/xyz"


def test_malformed_citations_are_measured_told_and_written_as_the_format_says(tmp_path: Path) -> None:
    citations = [
        {"file_name": "d1", "start_char": "0", "end_char": 28.0},
        {"file_name": "d1", "start_char": "x", "end_char": 28},
        "[d1:29-50]",
        {"start_char": 5, "end_char": 9},
    ]
    dataset, answers = tmp_path / "towers_1.0.0.eval.json", tmp_path / "a.jsonl"
    dataset.write_text(json.dumps(DATASET))
    answers.write_text(
        json.dumps({"query_id": "q1", "answer": "It is 47 metres high.", "citations": citations})
    )
    with open_answers(answers) as opened:
        told = [(one.expected, one.found) for one in opened.problems]
    assert [expected for expected, _ in told] == [
        "citations that name a file, document, url or number",
        "start_char of a citation as a whole number",
    ]
    output = tmp_path / "run.results.json"
    run = pincite.evaluate(
        dataset, answers=answers, metrics=["fabrication_rate"], judge="rules", output=output
    )
    assert [score.value for score in run.scores] == [0.0]
    assert list(validate_file(output)) == []
    (result,) = json.loads(output.read_text())["query_results"]
    places = [(one["file_name"], one["start_char"], one["end_char"]) for one in result["citations"]]
    assert places == [("d1", 0, 28), ("d1", None, 28), ("d1", 29, 50)]


def test_results_whose_citations_are_of_the_wrong_kind_are_invalid() -> None:
    def problems(citation: Any) -> list[str]:
        results = {
            "evaluation_id": "e1",
            "timestamp": "2026-01-01T00:00:00Z",
            "dataset_id": "towers",
            "summary": {},
            "query_results": [{"query_id": "q1", "citations": [citation]}],
        }
        return [problem.pointer for problem in validate_value(results, "results")]

    at = "/query_results/0/citations/0"
    assert problems({"file_name": "d1", "start_char": 5, "end_char": 9, "score": 0.5}) == []
    assert problems({"text": "[1]", "file_name": None}) == []
    assert problems({"file_name": "d1", "start_char": "5", "end_char": 9}) == [f"{at}/start_char"]
    assert problems({"file_name": 3, "page_number": 1.5}) == [f"{at}/file_name", f"{at}/page_number"]
    assert problems("[d1:0-12]") == [at]
