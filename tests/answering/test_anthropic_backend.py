"""Anthropic's citations: characters, pages and blocks are read, compared, and never trusted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from drafts import ASKED, SOURCES, WATER, settings_for

import pincite
from llm_server import Behaviour, LlmServer, cuts, fails, in_turn, refuses, says, sends
from pincite.answering import AnswerResult
from pincite.config import Settings

PRICE = "A cubic metre of water costs 2.50 euros"
SPAN = "A cubic metre of water costs 2.50 euros in the town."


def characters(start: int, end: int, cited: str, document: int = 0) -> dict[str, Any]:
    return {
        "type": "char_location",
        "document_index": document,
        "document_title": "whatever",
        "start_char_index": start,
        "end_char_index": end,
        "cited_text": cited,
    }


def block(text: str, *citations: dict[str, Any]) -> dict[str, Any]:
    return {"type": "text", "text": text, "citations": list(citations) or None}


def message(*blocks: dict[str, Any], stop: str = "end_turn") -> Behaviour:
    usage = {"input_tokens": 50, "output_tokens": 20}
    body = {
        "type": "message",
        "role": "assistant",
        "content": list(blocks),
        "stop_reason": stop,
        "usage": usage,
    }
    return sends(json.dumps(body))


def events(*blocks: dict[str, Any], end: bool = True) -> Behaviour:
    """The same as a stream: text in small pieces, each citation in a delta of its own."""
    told: list[dict[str, Any]] = [{"type": "message_start", "message": {"usage": {"input_tokens": 50}}}]
    for index, one in enumerate(blocks):
        start = {"type": "text", "text": "", "citations": []}
        told.append({"type": "content_block_start", "index": index, "content_block": start})
        for citation in one["citations"] or ():
            delta = {"type": "citations_delta", "citation": citation}
            told.append({"type": "content_block_delta", "index": index, "delta": delta})
        for at in range(0, len(one["text"]), 5):
            delta = {"type": "text_delta", "text": one["text"][at : at + 5]}
            told.append({"type": "content_block_delta", "index": index, "delta": delta})
        told.append({"type": "content_block_stop", "index": index})
    if end:
        told.append(
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}}
        )
        told.append({"type": "message_stop"})
    body = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in told)
    return sends(body, "text/event-stream")


def settings(server: LlmServer, **llm: Any) -> Settings:
    return settings_for(server, base_url=server.root, **llm)


def asked(*behaviours: Behaviour, **options: Any) -> tuple[AnswerResult, LlmServer]:
    with LlmServer(in_turn(*behaviours)) as server:
        given = settings(server, retry_attempts=0)
        result = pincite.answer(ASKED, SOURCES, model="anthropic:small", settings=given, **options)
    return result, server


def test_a_cited_block_becomes_a_sentence_with_the_cited_characters() -> None:
    result, server = asked(message(block(f"{PRICE}.", characters(0, len(SPAN), SPAN))), cite="provider")
    assert (result.status, result.text, result.grounding) == (
        "answered",
        f"{PRICE} [1].",
        "provider_citations",
    )
    found = result.citations[0]
    assert found.cited_text == SPAN and WATER[slice(*found.source_span)] == SPAN and found.quoted
    assert result.usage.input_tokens == 50
    sent = server.bodies[0]["messages"][0]["content"]
    assert [one["citations"] for one in sent[:-1]] == [{"enabled": True}] * len(result.passages)
    assert [one["source"]["data"] for one in sent[:-1]] == [one.text for one in result.passages]


def test_a_sentence_in_several_blocks_is_one_sentence_with_all_its_citations() -> None:
    result, _ = asked(
        message(
            block("A cubic metre of water costs "),
            block("2.50 euros", characters(0, len(SPAN), SPAN)),
            block("."),
        )
    )
    assert result.text == f"{PRICE} [1]."


@pytest.mark.parametrize(
    "citation",
    [
        {"type": "page_location", "document_index": 0, "start_page_number": 1, "end_page_number": 2},
        {"type": "content_block_location", "document_index": 0, "start_block_index": 0, "end_block_index": 1},
    ],
)
def test_pages_and_blocks_are_found_by_their_words(citation: dict[str, Any]) -> None:
    result, _ = asked(message(block(f"{PRICE}.", {**citation, "cited_text": SPAN})))
    assert result.ok and result.citations[0].cited_text == SPAN


def test_characters_that_do_not_fit_are_found_by_their_words() -> None:
    result, _ = asked(message(block(f"{PRICE}.", characters(7, 11, SPAN))))
    assert result.ok and result.citations[0].cited_text == SPAN


def test_cited_text_that_no_source_holds_is_never_shown_as_cited() -> None:
    lie = "A cubic metre of water is free."
    result, _ = asked(message(block(f"{PRICE}.", characters(0, 31, lie))))
    assert not any(one.quoted or lie in one.cited_text for one in result.citations)
    strict, _ = asked(message(block(f"{PRICE}.", characters(0, 31, lie))), cite="quotes", repairs=0)
    assert strict.status == "cannot_answer"
    assert any("not in passage" in one.reason for one in strict.dropped)


def test_a_document_that_was_not_given_cannot_be_cited() -> None:
    result, _ = asked(message(block(f"{PRICE}.", characters(0, 5, "x", document=7))), repairs=0)
    assert result.status == "cannot_answer" and not result.citations
    assert any("was not given" in problem for problem in result.problems)


def test_a_sentence_without_a_citation_is_dropped() -> None:
    cited = block(f"{PRICE}.", characters(0, len(SPAN), SPAN))
    result, _ = asked(message(block("Water is wet. "), cited), repairs=0)
    assert result.text == f"{PRICE} [1]."
    assert [one.text for one in result.dropped] == ["Water is wet."]


def test_forged_markers_in_the_text_do_not_survive() -> None:
    result, _ = asked(message(block(f"{PRICE} [7].", characters(0, len(SPAN), SPAN))))
    assert result.text == f"{PRICE} [1]."


def test_a_model_that_obeys_orders_in_a_source_gets_nothing_into_the_answer() -> None:
    obeyed = [
        block("The price is 0 [9].", characters(0, len(SPAN), SPAN)),
        block("The price is 0 [9].", characters(0, 14, "the price is 0", document=9)),
    ]
    for said in obeyed:
        result, _ = asked(message(said), repairs=0)
        assert result.status == "cannot_answer" and "price is 0" not in result.text
        assert "[9]" not in result.text


def test_that_the_documents_do_not_say_is_a_result() -> None:
    result, _ = asked(message(block("I cannot answer that from these sources.")))
    assert result.status == "cannot_answer"


@pytest.mark.parametrize(
    "behaviour",
    [
        message(block(f"{PRICE}.", characters(0, len(SPAN), SPAN)), stop="max_tokens"),
        cuts(30),
        refuses(),
        says(""),
        fails(529),
        sends('{"type": "message", "content": "garb'),
        sends('{"content": [[1, 2], null, 3], "stop_reason": "end_turn"}'),
    ],
    ids=["length", "cut", "refusal", "empty", "overloaded", "garbage", "odd"],
)
def test_whatever_gives_no_whole_reply_is_a_failure_and_never_an_answer(behaviour: Behaviour) -> None:
    result, _ = asked(behaviour)
    assert (result.status, result.text) == ("failed", "") and result.reason


def test_a_stream_gives_the_same_answer_sentence_by_sentence() -> None:
    rise = "The price rose by 21.4% in 2023."
    start = WATER.index(rise) - WATER.index(SPAN)
    blocks = (
        block(f"{PRICE}.", characters(0, len(SPAN), SPAN)),
        block(" "),
        block(rise, characters(start, start + len(rise), rise)),
    )
    whole, _ = asked(message(*blocks))
    with LlmServer(events(*blocks)) as server:
        stream = pincite.answer_stream(ASKED, SOURCES, model="anthropic:small", settings=settings(server))
        pieces = list(stream)
    assert len(pieces) == 2 and "".join(pieces) == whole.text
    assert stream.result is not None and stream.result.citations == whole.citations


def test_a_stream_that_breaks_off_is_no_answer() -> None:
    blocks = (block(f"{PRICE}.", characters(0, len(SPAN), SPAN)), block(" And it ro"))
    with LlmServer(events(*blocks, end=False)) as server:
        given = settings(server, retry_attempts=0)
        stream = pincite.answer_stream(ASKED, SOURCES, model="anthropic:small", settings=given)
        pieces = list(stream)
    assert stream.result is not None and stream.result.status == "failed"
    assert "".join(pieces) == stream.result.text == f"{PRICE} [1]."
