"""Sentence by sentence: checked before it is shown, joined it is the text, and what was shown stays true."""

from __future__ import annotations

from typing import Any

import pytest
from drafts import ASKED, SOURCES, Scripted, drafted, reply, said, settings_for
from hypothesis import given, settings
from hypothesis import strategies as st

import pincite
from llm_server import Behaviour, LlmServer, Replier, cuts, in_turn, says, stops_short
from pincite.answering import AnswerStream, StreamedSentence

PRICE = ("A cubic metre of water costs 2.50 euros.", 1)
RISE = ("The price rose by 21.4% in 2023.", 1)
WRONG = ("The price rose by 90.9% in 2023.", 1)


def streamed(
    replier: Replier | Behaviour | str, **options: Any
) -> tuple[list[StreamedSentence], AnswerStream]:
    with LlmServer(replier) as server:
        given_settings = settings_for(server, retry_attempts=0)
        stream = pincite.answer_stream(
            ASKED, SOURCES, model="openai:small", settings=given_settings, **options
        )
        return list(stream), stream


def joined(pieces: list[StreamedSentence]) -> str:
    """What a reader is left with."""
    left: list[str] = []
    for piece in pieces:
        if piece.retracted:
            assert left.pop() == piece
        else:
            left.append(piece)
    return "".join(left)


def test_the_pieces_are_whole_sentences_and_joined_they_are_the_text() -> None:
    pieces, stream = streamed(reply(PRICE, RISE))
    assert pieces == [
        "A cubic metre of water costs 2.50 euros [1].",
        " The price rose by 21.4% in 2023 [1].",
    ]
    assert stream.result is not None and stream.result.ok
    assert "".join(pieces) == stream.result.text


def test_a_sentence_that_fails_is_never_shown() -> None:
    pieces, stream = streamed(in_turn(reply(PRICE, WRONG), reply(("", 1))))
    assert "90.9" not in "".join(pieces)
    assert stream.result is not None and "".join(pieces) == stream.result.text
    assert any("90.9%" in one.text for one in stream.result.dropped)


def test_a_sentence_is_mended_before_the_next_is_shown() -> None:
    pieces, stream = streamed(in_turn(reply(WRONG, PRICE), reply(RISE)))
    assert pieces == [
        "The price rose by 21.4% in 2023 [1].",
        " A cubic metre of water costs 2.50 euros [1].",
    ]
    assert stream.result is not None and stream.result.repaired == 1


def test_a_raw_stream_shows_first_and_retracts_visibly() -> None:
    pieces, stream = streamed(in_turn(reply(WRONG, PRICE), reply(("", 1))), raw=True)
    assert "90.9" in pieces[0] and pieces[1].retracted and pieces[1] == pieces[0] and pieces[1].reason
    assert stream.result is not None and joined(pieces) == stream.result.text
    assert stream.result.text == "A cubic metre of water costs 2.50 euros [1]."


@pytest.mark.parametrize(
    "behaviour",
    [cuts(900, reply(PRICE, RISE), stream=True), stops_short(reply(PRICE, RISE)[:120])],
    ids=["cut", "length"],
)
def test_a_stream_that_breaks_off_leaves_what_was_shown_and_is_no_answer(behaviour: Behaviour) -> None:
    pieces, stream = streamed(behaviour)
    result = stream.result
    assert result is not None and result.status == "failed" and result.reason
    assert "".join(pieces) == result.text
    assert all(one.verified for one in result.citations)


def test_a_stream_that_breaks_off_before_a_sentence_may_be_asked_for_again() -> None:
    with LlmServer(in_turn(cuts(40, reply(PRICE), stream=True), says(reply(PRICE)))) as server:
        given_settings = settings_for(server, retry_attempts=1)
        stream = pincite.answer_stream(ASKED, SOURCES, model="openai:small", settings=given_settings)
        pieces = list(stream)
    assert stream.result is not None and stream.result.status == "answered"
    assert "".join(pieces) == stream.result.text


def test_a_reader_may_stop_at_any_time() -> None:
    with LlmServer(reply(PRICE, RISE)) as server:
        stream = pincite.answer_stream(ASKED, SOURCES, model="openai:small", settings=settings_for(server))
        assert next(stream) == "A cubic metre of water costs 2.50 euros [1]."
        stream.close()
    assert stream.result is None


def test_nothing_is_shown_before_all_is_checked_where_one_failure_refuses_the_answer() -> None:
    pieces, stream = streamed(in_turn(reply(PRICE, WRONG), reply(WRONG)), on_unsupported="refuse")
    assert stream.result is not None and stream.result.status == "refused"
    assert pieces == [stream.result.text]


def test_that_there_is_no_answer_is_streamed_too() -> None:
    pieces, stream = streamed(reply(answerable=False))
    assert stream.result is not None and stream.result.status == "cannot_answer"
    assert "".join(pieces) == stream.result.text


TRUE = ("A cubic metre of water costs 2.50 euros.", "The price rose by 21.4% in 2023.", "It sails at 8.15!")
texts = st.lists(
    st.one_of(st.sampled_from(TRUE), st.text(max_size=40)).map(lambda text: said(text, 1)), max_size=5
)


@settings(max_examples=40)
@given(texts, st.booleans(), st.sampled_from(["drop", "mark"]), st.sampled_from(["numbers", "spans"]))
def test_whatever_is_drafted_the_pieces_are_the_text(
    sentences: Any, raw: bool, policy: str, cite: str
) -> None:
    stream = pincite.answer_stream(
        ASKED,
        SOURCES,
        model=Scripted(drafted(*sentences), drafted()),
        judge="rules",
        raw=raw,
        on_unsupported=policy,
        cite=cite,
    )
    pieces = list(stream)
    assert stream.result is not None and joined(pieces) == stream.result.text
