"""A query and its recorded answer become the item that metrics see."""

from __future__ import annotations

from typing import Any

import pytest
from data_samples import DATASET
from hypothesis import given
from hypothesis import strategies as st

from pincite.answers import citations_of, read_record
from pincite.config import Settings
from pincite.datasets import (
    EvaluationDataset,
    answers_path,
    from_plain,
    make_item,
    open_answers,
    open_dataset,
)
from pincite.records import HumanMessage, NumberTarget, Place, RetrievedDocument, SpanTarget, WebTarget

FIRST, SECOND, THIRD = from_plain(EvaluationDataset, DATASET).queries


def places(answer: str, *citations: dict[str, Any]) -> list[tuple[int, int]]:
    made = citations_of(citations, answer)
    assert made is not None
    return [(citation.start, citation.end) for citation in made]


def span(start: Any = 1, end: Any = 2, name: str = "a.pdf", page: Any = None) -> dict[str, Any]:
    return {"file_name": name, "start_char": start, "end_char": end, "page_number": page}


def test_everything_known_is_in_the_item() -> None:
    recorded = read_record(
        {
            "query_id": "q1",
            "answer": "Nine metres.",
            "latency_ms": 5,
            "retrieval_results": {"retrieved_docs": ["depths"], "relevance_scores": [0.5]},
            "usage": {"total_tokens": 3},
        }
    )
    item = make_item(FIRST, recorded, Settings())
    assert item.query == "How deep is the basin?"
    assert item.actual_output == "Nine metres."
    assert item.expected_output == "The basin is nine metres deep."
    assert item.true_spans == (Place("depths.pdf", 3, 4, 29),)
    assert item.relevant == {"depths": 1.0, "berths": 1.0}
    assert item.retrieved == (RetrievedDocument("depths", 0.5),)
    assert (item.latency_ms, item.usage, item.failure) == (5.0, {"total_tokens": 3}, None)
    assert (item.query_type, item.difficulty, item.citations) == ("factual", "medium", None)


def test_nothing_to_cite_and_nothing_known_stay_apart() -> None:
    assert make_item(SECOND, None).true_spans == ()
    assert make_item(SECOND, None).other_true_spans == ((Place("berths", None, 0, 9),),)
    assert make_item(THIRD, None).true_spans is None


def test_a_conversation_comes_along() -> None:
    item = make_item(THIRD, read_record({"answer": "Old."}))
    assert item.conversation is not None
    assert item.conversation.messages == (HumanMessage("Who owns the crane?"),)
    assert item.conversation_id == "c1"
    assert item.references == ("A list", {"number": 2, "source": "berths.md"})


def test_without_an_answer_there_is_a_reason() -> None:
    assert make_item(FIRST, None).failure == "there is no recorded answer for this query"
    assert make_item(FIRST, None).actual_output is None
    assert make_item(FIRST, read_record({"query_id": "q1"})).failure == "the recorded answer has no text"
    assert make_item(FIRST, read_record({"error": "refused"})).failure == "refused"


def test_a_citation_stands_at_its_marker() -> None:
    answer = "One [a.pdf:1-2]. Two [a.pdf:1:5-9]. Three [a.pdf:1-2]."
    assert places(answer, span(), span(5, 9, page=1), span(), span()) == [(4, 15), (21, 34), (42, 53), (0, 0)]


def test_a_page_on_one_side_only_does_not_matter() -> None:
    assert places("One [a.pdf:3:1-2].", span()) == [(4, 17)]
    assert places("One [a.pdf:1-2].", span(page=3)) == [(4, 15)]
    assert places("One [a.pdf:3:1-2].", span(page=4)) == [(0, 0)]


def test_a_marker_with_two_spans_serves_two_citations() -> None:
    assert places("One [a.pdf:1-2,5-9].", span(5, 9), span(1, 2), span(1, 2)) == [(4, 19), (4, 19), (0, 0)]


def test_the_same_marker_is_not_given_twice() -> None:
    assert places("One [a.pdf:3:1-2].", span(page=3), span()) == [(4, 17), (0, 0)]


def test_a_path_and_its_file_name_are_one() -> None:
    assert places("One [docs/A.pdf:1-2].", span(name="a.pdf")) == [(4, 20)]


def test_a_citation_that_says_its_number_stands_at_each_such_marker() -> None:
    made = citations_of([{"number": 1, **span()}, {"number": "2"}], "One [1]. Two [2]. Three [1].")
    assert made is not None
    assert [(one.start, one.text) for one in made] == [(4, "[1]"), (24, "[1]"), (13, "[2]")]
    assert isinstance(made[0].targets[0], SpanTarget)
    assert isinstance(made[2].targets[0], NumberTarget)


@pytest.mark.parametrize(
    ("given_citation", "target"),
    [
        (span("1", "2", page="3"), ("a.pdf", 3, 1, 2)),
        (span(1.0, 2.0), ("a.pdf", None, 1, 2)),
        (span(None, None), ("a.pdf", None, None, None)),
        (span(1, None), ("a.pdf", None, None, None)),
        (span("x", 2), ("a.pdf", None, None, None)),
        ({"document_id": 7}, ("7", None, None, None)),
        ({"title": "A guide"}, ("A guide", None, None, None)),
        ({"source": "a.md", "page": 2}, ("a.md", 2, None, None)),
    ],
)
def test_what_names_a_document_is_kept(given_citation: dict[str, Any], target: tuple[Any, ...]) -> None:
    (made,) = citations_of([given_citation], "") or ()
    found = made.targets[0]
    assert isinstance(found, SpanTarget)
    assert (found.document, found.page, found.start, found.end) == target
    assert made.start == made.end == 0


def test_an_address_is_kept_and_found() -> None:
    answer = "See [the page](https://example.org/a)."
    made = citations_of([{"url": "https://example.org/a"}, {"source": "https://example.org/b"}], answer)
    assert made is not None
    assert all(isinstance(one.targets[0], WebTarget) for one in made)
    assert made[0].start > 0
    assert made[1].start == made[1].end == 0


def test_a_quote_comes_along_to_be_checked() -> None:
    (made,) = citations_of([{**span(), "cited_text": "so it says", "title": "A"}], "") or ()
    assert (made.cited_text, made.document_title) == ("so it says", "A")


def test_a_citation_that_names_nothing_is_left_out() -> None:
    assert citations_of([{}, {"start_char": 1}], "x") == ()
    assert citations_of(None, "x") is None


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["file_name", "url", "start_char", "end_char", "page_number", "number", "title"]),
            st.none() | st.text(max_size=5) | st.integers() | st.floats() | st.lists(st.none(), max_size=1),
        ),
        max_size=5,
    ),
    st.text(alphabet="ab[]:1-2. ", max_size=30),
)
def test_any_fields_become_citations_inside_the_answer(
    given_citations: list[dict[str, Any]], answer: str
) -> None:
    for citation in citations_of(given_citations, answer) or ():
        assert 0 <= citation.start <= citation.end <= len(answer)
        assert citation.start == citation.end or answer[citation.start : citation.end] == citation.text


def test_the_sample_becomes_items() -> None:
    with open_dataset("sample") as dataset, open_answers(answers_path("b")) as answers:
        items = [make_item(query, answers.get(query.query_id), Settings()) for query in dataset.queries()]
    assert len(items) == dataset.count()
    assert sum(item.failure is None for item in items) > len(items) / 2
