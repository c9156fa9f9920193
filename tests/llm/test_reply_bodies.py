"""Whatever an endpoint sends is a reply or a failure with a cause, and never an exception."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.llm import LlmReply, RequestFailure, events, in_a_line, read_reply_body

KINDS = ("openai", "anthropic")
CAUSES = ("connection", "server", "rate_limit", "error", "refusal", "length", "empty")
WORDS = (
    "choices",
    "message",
    "content",
    "text",
    "delta",
    "error",
    "usage",
    "type",
    "finish_reason",
    "refusal",
)
STRANGE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=20,
)


def check(outcome: LlmReply | RequestFailure) -> None:
    if isinstance(outcome, RequestFailure):
        assert outcome.cause in CAUSES and outcome.reason
    else:
        assert outcome.text.strip()


@settings(deadline=None)
@given(
    st.text(), st.sampled_from(KINDS), st.booleans(), st.sampled_from(("", "text/event-stream", "text/html"))
)
def test_any_text_is_a_reply_or_a_failure(body: str, kind: str, cut: bool, content_type: str) -> None:
    check(read_reply_body(body, content_type, kind, cut))


@settings(deadline=None)
@given(STRANGE, st.sampled_from(KINDS))
def test_any_json_is_a_reply_or_a_failure(value: Any, kind: str) -> None:
    body = json.dumps(value)
    check(read_reply_body(body, "application/json", kind))
    check(read_reply_body(f"data: {body}\n\ndata: [DONE]\n\n", "text/event-stream", kind))


@settings(deadline=None)
@given(
    st.lists(st.text(), min_size=1).filter(lambda pieces: "".join(pieces).strip()),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_a_stream_says_what_its_pieces_say_together(pieces: list[str], ending: str) -> None:
    lines = []
    for piece in pieces:
        lines += [": stay", "data: " + json.dumps({"choices": [{"delta": {"content": piece}}]}), ""]
    lines += ['data:{"choices": [{"delta": {}, "finish_reason": "stop"}]}', "", "data: [DONE]", ""]
    heard = read_reply_body(ending.join(lines) + ending, "text/event-stream", "openai")
    assert isinstance(heard, LlmReply) and heard.text == "".join(pieces)


def test_an_event_of_several_lines_is_one_value() -> None:
    assert list(events('event: x\ndata: {"a":\ndata: 1}\n\ndata: [DONE]\n\n')) == [{"a": 1}, None]


@pytest.mark.parametrize(
    ("usage", "asked", "replied", "cost"),
    [
        ({"prompt_tokens": 5, "completion_tokens": 7}, 5, 7, None),
        ({"prompt_tokens": 5.0, "completion_tokens": 7, "cost": 0.5}, 5, 7, 0.5),
        ({"prompt_tokens": -5, "completion_tokens": "7", "cost": -1}, None, None, None),
        ({"prompt_tokens": True, "completion_tokens": 10**400, "cost": 10**400}, None, None, None),
        ({"prompt_tokens": float("nan"), "cost": float("inf")}, None, None, None),
        ([], None, None, None),
        ({"input_tokens": 5, "output_tokens": 7, "cache_read_input_tokens": 90}, 95, 7, None),
    ],
)
def test_only_numbers_are_a_bill(
    usage: Any, asked: int | None, replied: int | None, cost: float | None
) -> None:
    body = json.dumps({"choices": [{"message": {"content": "ok"}}], "usage": usage})
    assert read_reply_body(body, "", "openai") == LlmReply("ok", asked, replied, cost)


def test_content_in_parts_is_joined() -> None:
    parts = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "a"},
        {"type": "text", "text": "b"},
    ]
    whole = json.dumps({"content": parts, "stop_reason": "end_turn"})
    assert read_reply_body(whole, "", "anthropic") == LlmReply("ab")
    chat = json.dumps({"choices": [{"message": {"content": parts}}]})
    assert read_reply_body(chat, "", "openai") == LlmReply("ab")


def test_a_long_stream_is_read_in_a_moment() -> None:
    event = 'data: {"choices": [{"delta": {"content": "0123456"}}]}\n\n'
    heard = read_reply_body(event * 50_000 + "data: [DONE]\n\n", "text/event-stream", "openai")
    assert isinstance(heard, LlmReply) and len(heard.text) == 350_000


@settings(deadline=None)
@given(st.text())
def test_words_of_strangers_stay_on_one_harmless_line(text: str) -> None:
    line = in_a_line(text)
    assert len(line) <= 300 and line.isprintable()
