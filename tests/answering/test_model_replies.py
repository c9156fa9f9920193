"""Replies of models: whatever comes is read or refused in words, and pieces give what the whole gives."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.answering import DraftSentence, SentenceScanner, UnreadReply, read_draft

sentences = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.text(max_size=30),
            "citations": st.lists(
                st.fixed_dictionaries(
                    {"passage": st.integers(0, 9), "quote": st.none() | st.text(max_size=9)}
                ),
                max_size=3,
            ),
        }
    ),
    max_size=4,
)


@settings(max_examples=100)
@given(sentences, st.integers(1, 12), st.booleans())
def test_pieces_of_a_reply_give_the_sentences_of_the_whole(
    written: list[dict[str, object]], size: int, spread: bool
) -> None:
    reply = json.dumps({"answerable": True, "sentences": written}, indent=2 if spread else None)
    heard: list[DraftSentence] = []
    scanner = SentenceScanner(heard.append)
    for at in range(0, len(reply), size):
        scanner.feed(reply[at : at + size])
    assert tuple(heard) == read_draft(reply, range(10)).sentences


@settings(max_examples=200)
@given(st.text(max_size=80), st.booleans())
def test_any_text_is_a_draft_or_is_refused_in_words(text: str, plain: bool) -> None:
    SentenceScanner(lambda sentence: None).feed(text)
    try:
        read_draft(text, [1, 2], plain)
    except UnreadReply as unread:
        assert str(unread)


@pytest.mark.parametrize(
    "reply",
    [
        "[" * 100_000,
        '{"sentences":' * 20_000,
        '{"answerable": true, "sentences": [{"text": "A", "citations": [',
        '{"sentences": 7}',
        '{"sentences": [{"txt": 1}]}',
        "null",
        "I think it costs 2.50 euros.",
    ],
    ids=["deep list", "deep object", "cut", "no list", "no text", "null", "no marker"],
)
def test_what_is_no_draft_is_refused(reply: str) -> None:
    SentenceScanner(lambda sentence: None).feed(reply)
    with pytest.raises(UnreadReply):
        read_draft(reply, [1, 2], plain=True)
