"""Gold spans filled in from their words: exact, only where the words stand once, and nothing overwritten."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pincite.datasets import CitationSpan, EvaluationDataset, fill_spans, from_plain, with_documents
from pincite.records import Source
from pincite.sources import open_sources

TEXT = "The tower is 40 m high.\fIt was built in 1712. It is old. It is old."


def dataset(*citations: dict[str, Any], content: str = TEXT, **more: Any) -> EvaluationDataset:
    plain = {
        "dataset_id": "own",
        "name": "own",
        "version": "1.0.0",
        "queries": [{"query_id": "q1", "query_text": "?", "relevant_documents": [], "citations": citations}],
        "documents": [{"document_id": "tower.pdf", "content": content}],
        **more,
    }
    return from_plain(EvaluationDataset, plain)


def cited(words: str, **more: Any) -> dict[str, Any]:
    return {"file_name": "tower.pdf", "context_text": words, **more}


def spans(filled: EvaluationDataset) -> list[tuple[int | None, int | None, int | None]]:
    found: tuple[CitationSpan, ...] = filled.queries[0].citations or ()
    return [(one.page_number, one.start_char, one.end_char) for one in found]


def test_words_that_stand_once_are_given_their_place_and_page() -> None:
    filled = fill_spans(dataset(cited("It was built in 1712.")))
    assert spans(filled.dataset) == [(2, 24, 45)]
    assert (filled.spans, filled.problems) == (1, ())
    assert TEXT[24:45] == "It was built in 1712."


def test_offsets_count_from_the_page_where_the_dataset_says_so() -> None:
    assert spans(fill_spans(dataset(cited("It was built in 1712."), offsets="page")).dataset) == [(2, 0, 21)]


def test_what_has_its_place_already_is_left_alone() -> None:
    given_place = cited("It was built in 1712.", start_char=3, end_char=5)
    filled = fill_spans(dataset(given_place, {"file_name": "tower.pdf", "page_number": 1}))
    assert spans(filled.dataset) == [(None, 3, 5), (1, None, None)]
    assert (filled.spans, filled.problems) == (0, ())


@pytest.mark.parametrize(
    ("citation", "problem"),
    [
        (cited("It is old."), "q1: “It is old.” appears 2 times in tower.pdf"),
        (cited("It is blue."), "q1: “It is blue.” is not in tower.pdf"),
        (cited("It was built in 1712.", page_number=1), "is not in tower.pdf"),
        ({"file_name": "other.pdf", "context_text": "It"}, "q1: no document is called “other.pdf”"),
    ],
)
def test_what_cannot_be_placed_is_a_problem_and_stays_as_it_was(
    citation: dict[str, Any], problem: str
) -> None:
    before = dataset(citation)
    filled = fill_spans(before)
    assert filled.dataset == before
    assert problem in filled.problems[0]


def test_documents_are_added_once() -> None:
    sources = open_sources({"tower.pdf": "other words", "new.txt": "New.", "empty.txt": " "}).sources
    made = with_documents(dataset(), sources)
    assert [(one.document_id, one.content) for one in made.documents] == [
        ("tower.pdf", TEXT),
        ("new.txt", "New."),
    ]
    paged = with_documents(dataset(), [Source("one.pdf", "x", kind="pdf", page_starts=(0,))])
    assert paged.documents[1].metadata == {"page_count": 1}


@example("A ", "", "a").via("a letter that differs in case alone")
@given(st.text(max_size=60), st.text(max_size=60), st.text("abc de.", min_size=1, max_size=30))
def test_a_filled_span_holds_its_words(before: str, after: str, words: str) -> None:
    content = before + words + after
    filled = fill_spans(dataset(cited(words), content=content))
    (place,) = spans(filled.dataset)
    if filled.spans:
        said = content[place[1] : place[2]]
        assert re.sub(r"\W", "", said) == re.sub(r"\W", "", words)
    else:
        assert place[1:] == (None, None)
