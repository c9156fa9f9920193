"""A run's queries with their sources: cited, located and gold spans told apart."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from pincite.datasets import Dataset, open_dataset
from pincite.errors import InputError
from pincite.records import ItemResult, JudgedPair, JudgedPlace
from pincite.reports.html.queries import QuerySources, places_only, with_dataset

TEXT = "The ferry leaves at 8:30. It costs 4 euros.\fDogs ride free of charge."
QUERY = {
    "query_id": "q1",
    "query_text": "When does the ferry leave?",
    "relevant_documents": ["ferry"],
    "ground_truth_answer": "At 8:30.",
    "citations": [{"document_id": "ferry", "start_char": 0, "end_char": 25}],
}


def dataset(query: dict[str, Any] | None = None, **more: Any) -> Dataset:
    return open_dataset(
        {
            "dataset_id": "d",
            "version": "1",
            "queries": [query or QUERY],
            "documents": [{"document_id": "ferry", "title": "Ferry", "content": TEXT}],
            **more,
        }
    )


def item(citations: tuple[dict[str, Any], ...], **more: Any) -> ItemResult:
    return ItemResult(
        key="k",
        position=0,
        query_id="q1",
        query_text=QUERY["query_text"],
        answer="At 9:00.",
        citations=citations,
        **more,
    )


def shown(given: ItemResult, of: Dataset, offsets: Any = "document") -> QuerySources:
    return with_dataset([("q1", given)], of, offsets)["q1"]


def marked(about: QuerySources) -> dict[str, list[str]]:
    """The marked words, by kind."""
    found: dict[str, list[str]] = {}
    for source in about.sources:
        for piece in source.pieces:
            for mark in getattr(piece, "marks", ()):
                found.setdefault(mark.kind, []).append(piece.text)
    return found


def test_gold_cited_and_located_words_are_told_apart() -> None:
    verdict = JudgedPair(
        "support", "At 9:00.", ("ferry",), "contradicted", 0.1, "", "rules", (JudgedPlace("ferry", 4, 9, ""),)
    )
    about = shown(
        item(({"document_id": "ferry", "start_char": 26, "end_char": 43},), verdicts=(verdict,)), dataset()
    )
    assert marked(about) == {
        "gold": ["The ", "ferry", " leaves at 8:30."],
        "located": ["ferry"],
        "cited": ["It costs 4 euros."],
    }
    assert about.expected == "At 8:30."
    assert [(one.kind, one.words) for one in about.places] == [
        ("gold", "ferry, characters 0–25"),
        ("cited", "ferry, characters 26–43"),
    ]
    anchors = {mark.anchor for source in about.sources for piece in source.pieces for mark in piece.begins}
    assert {one.link for one in about.places} <= anchors


ANSWERED = "At 9:00 [ferry:26-43]. It is red [ferry:0-25]. It is late [ferry:0-25]."


def judged(claim: str, outcome: str, question: str = "support") -> JudgedPair:
    return JudgedPair(
        question, claim, ("ferry",), outcome, 0.1, "", "rules", (JudgedPlace("ferry", 4, 9, ""),)
    )


@pytest.mark.parametrize("citations", [None, ({"document_id": "ferry", "start_char": 26, "end_char": 43},)])
def test_an_answer_has_its_claims_by_verdict_and_its_markers_by_place(citations: Any) -> None:
    said = (
        judged("At 9:00.", "contradicted"),
        judged("At 9:00.", "supported", "consistency"),
        judged("It is red.", "supported"),
        judged("It is red.", "not_enough"),
        judged("It is late.", "unjudged"),
    )
    given = structs.replace(item(citations or (), verdicts=said), answer=ANSWERED, citations=citations)
    about = shown(given, dataset())
    assert "".join(piece.text for piece in about.pieces) == ANSWERED
    claims = [(piece.text, mark) for piece in about.pieces for mark in piece.begins if mark.kind == "claim"]
    assert [(text, mark.style, len(mark.verdicts)) for text, mark in claims] == [
        ("At 9:00", "contradicted", 1),
        ("It is red", "", 2),  # two passages led to two verdicts: neither is the claim's
        ("It is late", "unjudged", 1),
    ]
    anchors = {mark.anchor for source in about.sources for piece in source.pieces for mark in piece.begins}
    links = {
        piece.text: mark.link for piece in about.pieces for mark in piece.begins if mark.kind == "marker"
    }
    assert set(links) == {"[ferry:26-43]"} | ({"[ferry:0-25]"} if citations is None else set())
    assert set(links.values()) <= anchors


def test_offsets_within_a_page_count_from_its_start() -> None:
    query = {
        **QUERY,
        "citations": [{"document_id": "ferry", "page_number": 2, "start_char": 0, "end_char": 4}],
    }
    cited = ({"document_id": "ferry", "page_number": 2},)
    assert marked(shown(item(cited), dataset(query), "page"))["gold"] == ["Dogs"]
    assert marked(shown(item(cited), dataset(query, offsets="page")))["gold"] == ["Dogs"]
    assert marked(shown(item(cited), dataset(query)))["gold"] == ["The "]
    assert "".join(marked(shown(item(cited), dataset()))["cited"]) == "Dogs ride free of charge."


@pytest.mark.parametrize(
    "citation",
    [
        {},
        {"document_id": 7, "start_char": "x", "end_char": None},
        {"document_id": "nowhere", "start_char": 0, "end_char": 4},
        {"document_id": "ferry", "start_char": 9, "end_char": 2},
        {"document_id": "ferry", "start_char": -4, "end_char": 10**12},
        {"document_id": "ferry", "page_number": 99},
    ],
)
def test_an_impossible_citation_is_named_and_marks_nothing(citation: dict[str, Any]) -> None:
    about = shown(item((citation,)), dataset())
    assert "cited" not in marked(about)
    assert [one.kind for one in about.places] == ["gold", "cited"]


def test_without_the_dataset_what_is_cited_is_named() -> None:
    about = places_only(item(({"file_name": "ferry.pdf", "page_number": 3},)))
    assert [one.words for one in about.places] == ["ferry.pdf, page 3"]
    assert about.sources == []


def test_what_the_dataset_does_not_know_is_said() -> None:
    no_gold = {key: value for key, value in QUERY.items() if key != "citations"}
    assert "does not say" in shown(item(()), dataset(no_gold)).note
    assert "nothing should be cited" in shown(item(()), dataset({**QUERY, "citations": []})).note
    other = {**QUERY, "query_text": "Where does the ferry leave?"}
    assert "another text" in shown(item(()), dataset(other)).note
    twice = {**QUERY, "alternative_citations": [QUERY["citations"]]}
    assert "2 sets" in shown(item(()), dataset(twice)).note


def test_a_dataset_of_other_queries_is_refused() -> None:
    with pytest.raises(InputError, match="none of the run's queries"):
        shown(item(()), dataset({**QUERY, "query_id": "other"}))
