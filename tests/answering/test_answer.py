"""A question and sources in, an answer with verified citations out, without any model."""

from __future__ import annotations

import asyncio

import pytest

import pincite
from pincite.answering import AnswerDraft, Backend, DraftCitation, DraftRequest, DraftSentence
from pincite.answering import answer as answer_async
from pincite.answering.records import CANNOT_ANSWER, Way
from pincite.errors import InputError

WATER = (
    "# Water\n\nA cubic metre of water costs 2.50 euros in the town. The price rose by 21.4% in 2023.\n\n"
    "The waterworks were built in 1931 by Anna Berg.\n"
)
FERRY = "The ferry Linnet carries 48 cars and 300 passengers. It sails every day at 8.15.\n"
SOURCES = {"water.md": WATER, "ferry.txt": FERRY}


class Scripted(Backend):
    """Drafts what it was given, and keeps what it was asked for."""

    name = "scripted/1"
    ways: tuple[Way, ...] = ("prompt",)
    waits = False

    def __init__(self, *drafts: AnswerDraft) -> None:
        self.drafts = list(drafts)
        self.requests: list[DraftRequest] = []

    async def draft(self, request: DraftRequest) -> AnswerDraft:
        self.requests.append(request)
        return self.drafts[min(len(self.requests), len(self.drafts)) - 1]


def said(text: str, *passages: int, quote: str | None = None) -> DraftSentence:
    return DraftSentence(text, tuple(DraftCitation(number, quote) for number in passages))


def test_an_answer_is_cited_verified_and_keeps_its_decimals() -> None:
    result = pincite.answer("What does a cubic metre of water cost?", SOURCES, judge="rules")
    assert result.status == "answered" and result.ok
    assert "2.50 euros" in result.text
    for citation in result.citations:
        assert result.text[citation.start : citation.end] == citation.marker
        start, end = citation.source_span
        assert SOURCES[citation.document][start:end] == citation.cited_text
    assert [one.number for one in result.references] == [1]
    assert result.way == "extractive" and result.report is not None and result.report.ok


def test_equal_inputs_give_equal_results() -> None:
    first, second = (pincite.answer("When does the ferry sail?", SOURCES, judge="rules") for _ in range(2))
    assert first == second


def test_that_the_sources_do_not_say_is_a_result() -> None:
    result = pincite.answer("Who won the chess tournament in Baku?", SOURCES, judge="rules")
    assert (result.status, result.text) == ("cannot_answer", CANNOT_ANSWER)
    assert result.reason and not result.citations


def test_a_misspelt_option_is_an_error_that_names_the_right_one() -> None:
    with pytest.raises(InputError, match="max_sentences"):
        pincite.answer("What does water cost?", SOURCES, max_sentence=3)
    with pytest.raises(InputError, match="on_unsupported is one of"):
        pincite.answer("What does water cost?", SOURCES, on_unsupported="dropp")
    with pytest.raises(InputError, match="unknown model"):
        pincite.answer("What does water cost?", SOURCES, model="extractiv")


def test_nothing_is_cited_that_was_not_retrieved() -> None:
    backend = Scripted(AnswerDraft((said("A cubic metre of water costs 2.50 euros.", 99),)), AnswerDraft(()))
    result = pincite.answer("What does water cost?", SOURCES, model=backend, judge="rules")
    assert result.status == "cannot_answer" and not result.citations
    assert ("citation", "no passage 99 was retrieved") in [(one.kind, one.reason) for one in result.dropped]


def test_references_are_numbered_in_the_order_of_the_text() -> None:
    backend = Scripted(
        AnswerDraft(
            (said("The ferry Linnet carries 48 cars.", 2), said("A cubic metre costs 2.50 euros.", 1))
        )
    )
    result = pincite.answer(
        "What does a cubic metre of water cost, and how many cars does the ferry carry?",
        SOURCES,
        model=backend,
        judge="rules",
    )
    passages = {one.id: one.document for one in result.passages}
    assert [one.document for one in result.references] == [passages[2], passages[1]]
    assert result.text.index("[1]") < result.text.index("[2]")


def test_the_asynchronous_answer_is_the_same() -> None:
    asked = "What does a cubic metre of water cost?"
    assert asyncio.run(answer_async(asked, SOURCES, judge="rules")) == pincite.answer(
        asked, SOURCES, judge="rules"
    )
