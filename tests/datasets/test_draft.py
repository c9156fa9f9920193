"""Datasets drafted from documents: exact spans, valid files, the same drafts for the same seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.datasets import check_quality, draft_dataset, open_dataset, validate_value
from pincite.errors import InputError
from pincite.records import Source
from pincite.sources import open_sources

TEXTS = {
    "tower.md": "# The tower\n\nThe old tower was built in 1712. The old tower has 212 steps of stone. "
    "It is high.\n\n- one\n",
    "ferry.txt": "A ticket costs 6.40 crowns for an adult.\f"
    "The Dunlin is a battery boat of the line to Senn.",
}


def drafted(sources: Any = TEXTS, **more: Any) -> dict[str, Any]:
    return draft_dataset(open_sources(sources).sources, "my docs", **more).dataset


def test_every_span_is_the_sentence_and_every_draft_says_that_nobody_reviewed_it() -> None:
    made = drafted()
    texts = {one["document_id"]: one["content"] for one in made["documents"]}
    assert len(made["queries"]) == 4
    for query in made["queries"]:
        (span,) = query["citations"]
        assert texts[span["file_name"]][span["start_char"] : span["end_char"]] == query["ground_truth_answer"]
        assert query["metadata"] == {"review_status": "unreviewed", "source": "draft"}
    assert [query["citations"][0].get("page_number") for query in made["queries"]] == [None, None, 1, 2]


def test_a_draft_is_valid_and_of_sound_quality() -> None:
    made = drafted()
    assert list(validate_value(made, "dataset")) == []
    with open_dataset(made) as dataset:
        assert [one for one in check_quality(dataset) if one.severity == "error"] == []


def test_a_draft_of_a_single_page_knows_that_there_is_no_other() -> None:
    text = "The old tower was built in 1712."
    made = draft_dataset([Source("tower.pdf", text, kind="pdf", page_starts=(0,))], "pages").dataset
    made["queries"][0]["citations"][0]["page_number"] = 9
    with open_dataset(made) as dataset:
        (found,) = [one for one in check_quality(dataset) if one.severity == "error"]
    assert (found.code, found.pointer) == ("DQ303", "/queries/0/citations/0")


def test_the_same_seed_gives_the_same_drafts(sample_documents: Path) -> None:
    assert drafted(sample_documents, queries=10, seed=1) == drafted(sample_documents, queries=10, seed=1)
    first, second = (drafted(sample_documents, queries=10, seed=seed)["queries"] for seed in (1, 2))
    assert first != second
    assert len(first) == len(second) == 10


def test_drafts_are_spread_over_the_documents(sample_documents: Path) -> None:
    made = drafted(sample_documents, queries=11)
    assert len({query["relevant_documents"][0] for query in made["queries"]}) == 11


def test_a_question_names_the_rarest_words_of_its_sentence_and_no_figure() -> None:
    text = "# Rules\n\nThe board was founded in 1902. The board meets in 12 offices of the harbour."
    assert [query["query_text"] for query in drafted({"a.md": text})["queries"]] == [
        "What do the documents say about board and founded?",
        "What do the documents say about meets, offices and harbour?",
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "What is the height of the old tower?",
        "It was built in the year 1712 by nobody.",
        "However, the tower has 212 steps today.",
        "The tower has these steps of stone:",
        "word " * 100,
    ],
)
def test_sentences_that_cannot_stand_alone_are_not_asked_about(sentence: str) -> None:
    made = drafted({"a.md": f"{sentence}\n\nA ticket costs 6.40 crowns for an adult."})
    assert [query["ground_truth_answer"] for query in made["queries"]] == [
        "A ticket costs 6.40 crowns for an adult."
    ]


def test_no_question_names_its_document(sample_documents: Path) -> None:
    made = drafted(sample_documents, queries=60)
    for query in made["queries"]:
        name = query["relevant_documents"][0]
        assert name.rpartition(".")[0].casefold() not in query["query_text"].casefold()


def test_documents_without_a_draft_are_named_with_the_reason() -> None:
    sources = {**TEXTS, "plans.json": {"team": {"seats": 25}}, "list.md": "- one\n- two\n", "empty.txt": " "}
    draft = draft_dataset(open_sources(sources).sources, "all")
    assert dict(draft.unused) == {
        "plans.json": "it holds data, not sentences",
        "list.md": "no sentence in it can be asked about",
        "empty.txt": "it has no text",
    }
    kept = [one["document_id"] for one in draft.dataset["documents"]]
    assert kept == ["tower.md", "ferry.txt", "plans.json", "list.md"]
    one = draft_dataset(open_sources(TEXTS).sources, "one", queries=1)
    assert [reason for _, reason in one.unused] == ["the other documents gave enough"]


def test_nothing_to_ask_about_is_an_input_error() -> None:
    for sources in ({}, {"a.md": "  "}, {"a.md": "Short. Shorter."}, {"a.json": {"x": 1}}):
        with pytest.raises(InputError):
            drafted(sources)


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(st.text("ab.c/é", min_size=1, max_size=8), st.text(max_size=300), min_size=1, max_size=3)
)
def test_any_text_gives_exact_spans_or_a_refusal(texts: dict[str, str]) -> None:
    sentence = "The tower of the town was built in 1712."
    try:
        made = drafted({name: f"{text}\n\n{sentence}" for name, text in texts.items()})
    except InputError:
        return
    documents = {one["document_id"]: one["content"] for one in made["documents"]}
    for query in made["queries"]:
        (span,) = query["citations"]
        cited = documents[span["file_name"]][span["start_char"] : span["end_char"]]
        assert cited == span["context_text"] != ""


@pytest.mark.parametrize(("name", "dataset_id"), [("../my docs: 1/2", "my_docs_1_2"), ("///", "draft")])
def test_an_id_fits_into_a_file_name(name: str, dataset_id: str) -> None:
    assert draft_dataset(open_sources(TEXTS).sources, name).dataset["dataset_id"] == dataset_id


@pytest.fixture
def sample_documents() -> Path:
    return Path(__file__).parents[2] / "examples" / "sample" / "documents"
