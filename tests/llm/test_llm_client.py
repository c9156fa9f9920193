"""Calls of language models over real HTTP: what comes back, what is tried again, what a failure is called."""

from __future__ import annotations

import asyncio
import gc
import socket
import sys
import time

import pytest
from llm_calls import BOTH, PLAIN, PROMPT, call, caller_for, failure

import llm_server as server_of
from llm_server import Behaviour, LlmServer, Replier, in_turn, says
from pincite.base import run_sync
from pincite.config import LlmSettings, Settings
from pincite.errors import MissingExtraError
from pincite.llm import CallFailed, Prompt, make_client


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    sleep = asyncio.sleep
    monkeypatch.setattr(asyncio, "sleep", lambda seconds, *more: sleep(seconds / 25, *more))


@BOTH
@pytest.mark.parametrize("stream", [False, True])
def test_a_reply_comes_back_with_its_bill(model: str, stream: bool) -> None:
    text = 'Naïve "quotes"\u2028 and\ttabs, 日本語 ' * 20
    with LlmServer(says(text)) as server:
        caller = caller_for(server, model, stream=stream)
        reply = call(caller)
    assert reply == text
    assert caller.usage.requests == 1 and caller.usage.output_tokens == len(text) // 4 + 1
    assert caller.usage.input_tokens > 0 and caller.usage.cost is None
    assert server.bodies[0].get("stream", False) is stream


@BOTH
def test_a_stream_that_nobody_asked_for_is_read(model: str) -> None:
    with LlmServer(says("a streamed reply", stream=True)) as server:
        assert call(caller_for(server, model)) == "a streamed reply"


@BOTH
def test_a_whole_reply_to_a_request_for_a_stream_is_read(model: str) -> None:
    with LlmServer(says("all at once", stream=False)) as server:
        assert call(caller_for(server, model, stream=True)) == "all at once"


def test_the_request_says_what_was_set() -> None:
    with LlmServer() as server:
        call(caller_for(server, "some/model", temperature=0.3, max_tokens=50))
        call(caller_for(server, "some/model", max_tokens=50_000), PLAIN)
    body, large = server.bodies
    assert body["model"] == "some/model" and body["temperature"] == 0.3
    assert body["messages"] == [
        {"role": "system", "content": "You judge."},
        {"role": "user", "content": "Does it?"},
    ]
    assert body["max_tokens"] == 50 * 2 + 64, "for each pair, and a margin"
    asked = body["response_format"]["json_schema"]
    assert asked["name"] == "support_1" and asked["strict"] is True and asked["schema"] == PROMPT.schema
    assert large["max_tokens"] == 50_000, "the cap never lowers what was set for one pair"
    assert "response_format" not in large


def test_anthropic_is_asked_in_its_own_words() -> None:
    with LlmServer() as server:
        call(caller_for(server, "anthropic:claude-x"))
    (body,) = server.bodies
    assert server.seen[0].path == "/v1/messages"
    assert body["model"] == "claude-x" and body["system"] == "You judge." and body["temperature"] == 0.0
    assert body["messages"] == [{"role": "user", "content": "Does it?"}]
    assert body["output_config"]["format"] == {"type": "json_schema", "schema": PROMPT.schema}


FAILURES: dict[str, tuple[Behaviour, str, str, int]] = {
    # what the server does, the cause, a piece of the reply that is kept, how many requests
    "too many": (server_of.too_many(), "rate_limit", "Rate limit reached", 3),
    "too many, come again": (server_of.too_many("0"), "rate_limit", "Rate limit reached", 3),
    "500": (server_of.fails(500), "server", "it broke", 3),
    "529": (server_of.fails(529, "overloaded"), "server", "overloaded", 3),
    "wrong JSON": (server_of.wrong_json(), "error", '"0.9"', 3),
    "a list": (server_of.sends("[1, 2]"), "error", "[1, 2]", 3),
    "too deep": (server_of.sends("[" * 100_000), "error", "[[[", 3),
    "no choices": (server_of.no_choices(), "empty", "choices", 3),
    "no content": (says(None), "empty", "", 3),
    "blank": (says(" \n "), "empty", " \n ", 3),
    "refusal": (server_of.refuses(), "refusal", "", 1),
    "filter": (server_of.filtered(), "refusal", "", 1),
    "cut short": (server_of.stops_short(), "length", '"item": 1, "sco', 1),
    "HTML": (server_of.html_page(), "error", "Bad gateway", 1),
    "HTML 502": (server_of.html_page(502), "server", "Bad gateway", 3),
    "wrong key": (server_of.fails(401, "bad key"), "auth", "bad key", 1),
    "forbidden": (server_of.fails(403, "not you"), "auth", "not you", 1),
    "no credit": (server_of.fails(402, "no credit"), "error", "no credit", 1),
    "no such model": (server_of.fails(404, "the model does not exist"), "error", "does not exist", 1),
    "cut off": (server_of.cuts(), "connection", '{"id": ', 3),
    "stream cut off": (server_of.cuts(420, stream=True), "connection", "", 3),
    "hangs": (server_of.hangs(3), "timeout", "", 3),
    "drips": (server_of.drips("slowly"), "timeout", "", 3),
    "error inside": (server_of.sends('{"error": {"code": 502, "message": "down"}}'), "server", "down", 3),
    "quota": (
        server_of.sends('{"error": {"code": "insufficient_quota"}}', status=429),
        "rate_limit",
        "quota",
        1,
    ),
}


@BOTH
@pytest.mark.parametrize("name", FAILURES)
def test_each_failure_has_its_cause_keeps_the_reply_and_is_tried_again_where_that_helps(
    model: str, name: str
) -> None:
    behaviour, cause, kept, requests = FAILURES[name]
    slow = name in ("hangs", "drips")
    with LlmServer(behaviour) as server:
        caller = caller_for(server, model, timeout_seconds=0.4 if slow else 20)
        failed = failure(caller)
    assert failed.cause == cause, failed
    assert kept in (failed.reply or "")
    assert caller.usage.requests == requests
    # A busy machine may use up a short time before the request is out.
    assert len(server.seen) == requests or slow
    assert str(failed).startswith("127.0.0.1:")
    assert failed.__cause__ is None and failed.__context__ is None


@BOTH
def test_a_stream_that_breaks_off_keeps_what_was_said(model: str) -> None:
    text = "the beginning of a reply, " * 20 + "and its end"
    with LlmServer(says(text, stream=True, cut_after=1200)) as server:
        kept = failure(caller_for(server, model, retry_attempts=0)).reply
    assert kept and text.startswith(kept)


def test_a_stream_that_ends_without_an_end_is_no_reply() -> None:
    event = 'data: {"choices": [{"delta": {"content": "0.9"}}]}\n\n'
    with LlmServer(server_of.sends(event, "text/event-stream")) as server:
        failed = failure(caller_for(server, retry_attempts=0))
    assert failed.cause == "connection" and failed.reply == "0.9"


def test_an_error_inside_a_stream_is_an_error() -> None:
    body = (
        'data: {"choices": [{"delta": {"content": "half"}}]}\n\n'
        'data: {"error": {"code": 503, "message": "gone"}, "choices": []}\n\ndata: [DONE]\n\n'
    )
    with LlmServer(server_of.sends(body, "text/event-stream")) as server:
        failed = failure(caller_for(server, retry_attempts=1))
    assert failed.cause == "server" and "gone" in str(failed) and failed.reply == "half"
    assert len(server.seen) == 2


@BOTH
def test_a_bill_that_is_no_number_is_guessed_and_the_reply_kept(model: str) -> None:
    with LlmServer(server_of.nan_usage("four five six")) as server:
        caller = caller_for(server, model)
        assert call(caller) == "four five six"
    assert caller.usage.output_tokens == 4 and 0 < caller.usage.input_tokens < 100


@BOTH
def test_a_passing_failure_is_survived_and_counted(model: str) -> None:
    behaviours = in_turn(server_of.fails(503), server_of.too_many("0"), "fine")
    with LlmServer(behaviours) as server:
        caller = caller_for(server, model)
        assert call(caller) == "fine"
    assert caller.usage.requests == 3


def test_no_retries_means_one_request() -> None:
    with LlmServer(server_of.fails(500)) as server:
        failure(caller_for(server, retry_attempts=0))
    assert len(server.seen) == 1


@pytest.mark.parametrize("asks", [server_of.too_many("0.3"), server_of.too_many("9", milliseconds="300")])
def test_retry_after_is_honoured(asks: Behaviour) -> None:
    with LlmServer(in_turn(asks, "fine")) as server:
        call(caller_for(server))
    first, second = server.seen
    assert 0.29 <= second.at - first.at < 5


def test_others_wait_too_when_the_endpoint_asks_for_it() -> None:
    async def two() -> None:
        caller = caller_for(server, max_in_flight=1)
        await asyncio.gather(caller.call(PROMPT), caller.call(PROMPT))

    with LlmServer(in_turn(server_of.too_many("0.3"), "fine")) as server:
        asyncio.run(two())
    assert len(server.seen) == 3
    assert server.seen[1].at - server.seen[0].at >= 0.29


def test_an_endpoint_that_asks_for_an_hour_is_not_waited_for() -> None:
    with LlmServer(server_of.too_many("3600")) as server:
        failed = failure(caller_for(server))
    assert failed.cause == "rate_limit" and "3600 s" in str(failed) and len(server.seen) == 1


@BOTH
@pytest.mark.parametrize("status", [400, 404, 422])
def test_an_endpoint_without_structured_output_is_asked_without_it_and_remembered(
    model: str, status: int
) -> None:
    with LlmServer(server_of.without_schema("fine", status)) as server:
        caller = caller_for(server, model, retry_attempts=0)
        assert call(caller) == "fine"
        assert call(caller) == "fine"
    structured = ["response_format" in body or "output_config" in body for body in server.bodies]
    assert structured == [True, False, False]


def test_a_bad_request_for_another_reason_is_reported_and_nothing_is_remembered() -> None:
    with LlmServer(server_of.fails(400, "the text is not polite")) as server:
        caller = caller_for(server)
        failed = failure(caller)
        assert "not polite" in str(failed)
        failure(caller)
    assert ["response_format" in body for body in server.bodies] == [True, False, True, False]


def test_parameters_that_newer_models_refuse_are_changed() -> None:
    def picky(request: dict[str, object], nth: int) -> Behaviour | str:
        if "max_tokens" in request:
            return server_of.fails(400, "Unsupported parameter: use 'max_completion_tokens' instead")
        if "temperature" in request:
            return server_of.fails(400, "Unsupported value: 'temperature' does not support 0.0")
        if "stream_options" in request:
            return server_of.fails(400, "unknown field stream_options")
        return "fine"

    with LlmServer(picky) as server:
        caller = caller_for(server, stream=True, retry_attempts=0)
        call(caller)
        assert caller.usage.requests == 4
        call(caller)
        assert caller.usage.requests == 5
    assert server.bodies[-1]["max_completion_tokens"] == 264
    assert "response_format" in server.bodies[-1]


@BOTH
def test_a_redirect_is_not_followed(model: str) -> None:
    with LlmServer("stolen") as other, LlmServer(server_of.redirects(f"{other.url}/x?k=1")) as server:
        failed = failure(
            caller_for(server, model, {"OPENAI_API_KEY": "k" * 20, "ANTHROPIC_API_KEY": "k" * 20})
        )
        assert other.root in str(failed) and len(server.seen) == 1
        assert other.seen == []


def test_requests_in_flight_are_limited() -> None:
    def waits_for_company(request: dict[str, object], nth: int) -> str:
        for _ in range(500):
            if nth >= 3 or server.most_at_once >= 3:
                break
            time.sleep(0.02)
        return "ok"

    async def many() -> None:
        caller = caller_for(server, max_in_flight=3)
        await asyncio.gather(*(caller.call(PROMPT) for _ in range(15)))

    with LlmServer(waits_for_company) as server:
        asyncio.run(many())
    assert len(server.seen) == 15 and server.most_at_once == 3


def test_one_caller_serves_one_loop_after_the_other_and_leaves_nothing_open() -> None:
    with LlmServer() as server:
        caller = caller_for(server)
        for _ in range(3):
            assert run_sync(caller.call(PROMPT)) == "ok"

        async def inside_a_loop() -> str:
            return run_sync(caller.call(PROMPT))

        assert asyncio.run(inside_a_loop()) == "ok"
    gc.collect()
    assert caller.usage.requests == 4


def test_a_cancelled_call_frees_its_place_and_is_counted() -> None:
    async def cancel_one() -> None:
        caller = caller_for(server, max_in_flight=1)
        task = asyncio.create_task(caller.call(PROMPT))
        while not server.seen:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await caller.call(PROMPT) == "fine"
        assert caller.usage.requests == 2

    with LlmServer(in_turn(server_of.hangs(5), "fine")) as server:
        asyncio.run(cancel_one())
    gc.collect()


def test_nobody_at_the_other_end_is_a_connection_failure() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        caller = make_client("m", Settings(llm=LlmSettings(base_url=url, retry_attempts=1)), {})
        failed = failure(caller)
    assert failed.cause == "connection" and "base URL" in str(failed) and "(after 2 requests)" in str(failed)


def test_a_reply_without_end_is_not_read_to_its_end() -> None:
    with LlmServer(says("x" * 5_000_000)) as server:
        assert "over 4194304 bytes" in str(failure(caller_for(server)))


@BOTH
def test_halves_of_characters_neither_leave_nor_enter(model: str) -> None:
    with LlmServer(says("\ud83d half")) as server:
        reply = call(caller_for(server, model), Prompt("support/1", "a \udc00", "b \ud800"))
    assert reply == "� half"
    assert "b \ufffd" in str(server.bodies[0]["messages"])


def test_what_a_server_says_cannot_drive_a_terminal() -> None:
    with LlmServer(server_of.fails(400, "\x1b[2J\x07bad\nnews")) as server:
        reason = str(failure(caller_for(server), PLAIN))
    assert "bad news" in reason and reason.isprintable()


def test_a_missing_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("openai", "anthropic"):
        monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pincite\[llm\]'"):
        make_client("m", None, {"OPENAI_API_KEY": "k" * 20})
    with pytest.raises(MissingExtraError, match=r"pip install 'pincite\[anthropic\]'"):
        make_client("claude-x", None, {"ANTHROPIC_API_KEY": "k" * 20})


def test_the_identity_tells_apart_whatever_changes_a_reply() -> None:
    def identity(model: str = "m", **llm: object) -> str:
        settings = Settings(llm=LlmSettings(**{"base_url": "http://localhost:1/v1", **llm}))  # type: ignore[arg-type]
        return repr(make_client(model, settings, {"OPENAI_API_KEY": "k" * 20}).identity)

    others = [
        identity("n"),
        identity("anthropic:m"),
        identity(temperature=1.0),
        identity(max_tokens=7),
        identity(base_url="http://localhost:2/v1"),
    ]
    assert len({identity(), *others}) == 6
    assert identity(max_in_flight=1, timeout_seconds=5.0, stream=True) == identity()


def test_fifty_answers_at_once(short_pauses: None) -> None:
    fails_now_and_then: Replier = lambda request, nth: server_of.fails(503) if nth % 7 == 3 else "ok"  # noqa: E731

    async def fifty() -> list[str]:
        caller = caller_for(server, retry_attempts=5)
        return await asyncio.gather(*(caller.call(PROMPT) for _ in range(50)))

    with LlmServer(fails_now_and_then) as server:
        assert asyncio.run(fifty()) == ["ok"] * 50


def test_call_failed_says_where_and_what_but_is_one_line() -> None:
    with LlmServer(server_of.fails(500, "a\nb")) as server:
        failed = failure(caller_for(server, retry_attempts=0))
    assert isinstance(failed, CallFailed) and "\n" not in str(failed)


def test_pauses_between_tries_double_and_are_shaken(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def note(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", note)
    with LlmServer(server_of.fails(500)) as server:
        failure(caller_for(server, retry_attempts=8))
    pauses = [seconds for seconds in slept if seconds > 0]
    whole = [min(20.0, 0.5 * 2**attempt) for attempt in range(8)]
    assert all(most / 2 <= pause <= most for pause, most in zip(pauses, whole, strict=True))
    assert pauses != whole
