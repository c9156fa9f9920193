"""Datasets drafted from documents: exact spans, valid files, the same drafts for the same seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.datasets import check_quality, draft_dataset, open_dataset, validate_value
from pincite.datasets.draft.drafting import dataset_id
from pincite.datasets.draft.phrases import HAPPENING, HAVING, asked_with, third_person
from pincite.datasets.draft.questions import ask, informative
from pincite.errors import InputError
from pincite.records import Source
from pincite.sources import open_sources

TEXTS = {
    "tower.md": "# The tower\n\nThe old tower was built in 1712. The old tower has 212 steps of stone. "
    "It is high.\n\n- one\n",
    "ferry.txt": "A ticket costs 6.40 crowns for an adult.\f"
    "The Dunlin is a battery boat of the line to Senn.",
}
COMMON = frozenset({"printing"})


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


@pytest.mark.parametrize(
    ("sentence", "question", "kind"),
    [
        ("The tower was built in 1712.", "When was the tower built?", "temporal"),
        ("Tarn Tidal was switched on in June 2018.", "When was Tarn Tidal switched on?", "temporal"),
        ("The works were closed by the Ostrel family.", "By whom or what were the works closed?", "factual"),
        ("The town has 18,450 inhabitants.", "How many inhabitants does the town have?", "factual"),
        ("Printing costs 10 cents a page.", "How much does printing cost?", "factual"),
        ("The Dunlin is a battery boat.", "What is the Dunlin?", "factual"),
        ("The standing charge is 48 crowns.", "What is the standing charge?", "factual"),
        ("The largest box is 60 cm long.", "How long is the largest box?", "factual"),
        ("Article 5 of the rules is the shortest.", "What is Article 5 of the rules?", "factual"),
        ("Opening hours are 9 to 17.", "What are opening hours?", "factual"),
        ("Returns are accepted in any state.", "What is said about returns?", "analytical"),
    ],
)
def test_the_question_to_a_sentence(sentence: str, question: str, kind: str) -> None:
    asked = ask(sentence, "Rules", COMMON)
    assert asked is not None
    assert (asked.text, asked.query_type) == (question, kind)


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("Access tokens expire after 8 hours.", "After how long do access tokens expire?"),
        ("Annual plans are refunded within 14 days.", "Within what time are annual plans refunded?"),
        ("Up to 5 guests may join.", "How many guests may join?"),
        ("At most 3 devices can be used at once.", "How many devices can be used at once?"),
        ("Backups are kept for 35 days in Frankfurt.", "How long are backups kept?"),
        ("The status page is updated every 30 minutes.", "How often is the status page updated?"),
        ("Passwords expire every 90 days.", "How often do passwords expire?"),
        ("The export starts at 02:00 UTC and is long.", "At what time does the export start?"),
        ("Standard shipping takes 3 days and costs $5.", "How long does standard shipping take?"),
        ("The ferry carries 84 cars.", "How many cars does the ferry carry?"),
        ("The free plan allows 60 calls per minute.", "How many calls per minute does the free plan allow?"),
        ("Calls above the limit receive the status 429.", "What do calls above the limit receive?"),
        ("A new space is ready after the owner confirms.", "When is a new space ready?"),
        ("Single sign-on is part of the top plan.", "What is single sign-on part of?"),
        ("Data is encrypted at rest with AES-256.", "With what is data encrypted at rest?"),
        ("A second factor is required since March 2024.", "Since when is a second factor required?"),
        (
            "An incident of level two is answered\nwithin 4 hours.",
            "Within what time is an incident of level two answered?",
        ),
    ],
)
def test_the_question_to_a_sentence_of_rules_and_limits(sentence: str, question: str) -> None:
    asked = ask(sentence, "Rules", frozenset())
    assert asked is not None
    assert asked.text == question
    assert informative(sentence)


@pytest.mark.parametrize(
    ("sentence", "subject"),
    [
        ("Angling from the pier may be done.", "angling from the pier"),
        ("The board met in March 2024.", "the board"),
        ("Ostrel Ferries runs the line to Senn.", "Ostrel Ferries"),
        ("The old walled town kept its name.", "the old walled town"),
        ("Express shipping takes a day and the box costs 5 crowns.", "express shipping"),
    ],
)
def test_where_nothing_more_can_be_asked_the_question_names_the_subject(sentence: str, subject: str) -> None:
    asked = ask(sentence, "Rules", COMMON)
    assert asked is not None
    assert asked.text == f"What is said about {subject}?"


@pytest.mark.parametrize(
    "sentence",
    [
        "Parcels leave on Friday and the last box costs 5 crowns.",
        "The town grew and the tower was built in 1712.",
        "The mayor said the harbour was closed in 2019.",
        "Customers who pay by card are a majority of users.",
        "Often the offsets were counted in another version, or by a model.",
        "Only the owner may cancel a subscription before it ends.",
        "No net may be set within 100 metres of the turbines.",
        "If the parcel is lost, the seller is responsible.",
        "In winter the boats leave late.",
        "The rules of the rules are old.",
        "The team meets annually after 3 months.",
        "The mayor said the ferry runs every 20 minutes.",
        "At most 3 devices can be used and paired at once.",
        "Members and guests use the gym every day.",
        "Staff work 38 hours a week.",
    ],
)
def test_what_would_be_no_clean_question_is_not_asked(sentence: str) -> None:
    assert ask(sentence, "Rules", COMMON) is None


def test_by_whom_is_asked_of_who_did_it_and_not_of_times_and_places() -> None:
    for sentence in (
        "The shop is located by the river and has 3 floors.",
        "Customers are charged by the end of May.",
        "The cards are sent by email.",
        "The parcel is delivered by Friday.",
    ):
        asked = ask(sentence, "Rules", COMMON)
        assert asked is None or not asked.text.startswith("By whom")


def test_a_document_with_few_clean_sentences_gives_all_of_them() -> None:
    bad = " ".join(f"In {n} days and for ${n} a parcel leaves {n} counters of Senn." for n in range(50))
    made = drafted({"a.md": f"{bad}\n\nThe old tower was built of stone in 1712."}, queries=1)
    assert [query["query_text"] for query in made["queries"]] == ["When was the old tower built of stone?"]


@pytest.mark.parametrize(
    "sentence",
    [
        "What is the height of the old tower?",
        "It was built in the year 1712 by nobody.",
        "Too short.",
        "However, the tower has 212 steps today.",
        "x" * 500,
    ],
)
def test_sentences_that_cannot_stand_alone_are_not_asked_about(sentence: str) -> None:
    assert informative(sentence) == 0.0


def test_no_question_names_its_document(sample_documents: Path) -> None:
    made = drafted(sample_documents, queries=60)
    for query in made["queries"]:
        name = query["relevant_documents"][0]
        assert name.rpartition(".")[0].casefold() not in query["query_text"].casefold()
        assert "“" not in query["query_text"]


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


@given(st.sampled_from(sorted(HAPPENING | HAVING)))
def test_a_verb_in_the_third_person_is_asked_with_its_base(base: str) -> None:
    assert asked_with(third_person(base), "the plan") == ("does", base)
    assert asked_with(base, "plans of the team") == ("do", base)
    assert asked_with(base, "the plan of teams") is None


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


def test_an_id_fits_into_a_file_name() -> None:
    assert dataset_id("../my docs: 1/2") == "my_docs_1_2"
    assert dataset_id("///") == "draft"


@pytest.fixture
def sample_documents() -> Path:
    return Path(__file__).parents[2] / "examples" / "sample" / "documents"
