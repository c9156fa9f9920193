"""A system behind an address: asked over real connections, whatever it answers."""

from __future__ import annotations

import asyncio
import errno
import gzip
import json
import os
import zlib
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_system import http_system, reply

from pincite.config import Settings
from pincite.datasets import EvaluationQuery
from pincite.errors import InputError
from pincite.records import RecordedAnswer
from pincite.runs import HttpTarget, Target, TargetFailed
from pincite.runs import ask as ask_target
from pincite.runs.targets.http import fill, read_body, read_headers

QUERY = EvaluationQuery(query_id="q1", query_text='Who said "stop" {query_id}\n?')
PLAIN = "text/plain"


def ask(url: str, times: int = 1, **options: Any) -> list[RecordedAnswer]:
    async def go() -> list[RecordedAnswer]:
        target = HttpTarget(url, **options)
        try:
            return [await target.answer(QUERY) for _ in range(times)]
        finally:
            await target.close()

    return asyncio.run(go())


def failure(url: str, **options: Any) -> TargetFailed:
    with pytest.raises(TargetFailed) as caught:
        ask(url, **options)
    return caught.value


def test_the_query_is_posted_as_json_and_the_answer_read() -> None:
    seen: list[bytes] = []

    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        seen.append(body)
        writer.write(reply("200 OK", json.dumps({"answer": "Nobody [a.txt:0-3]."}).encode()))

    with http_system(handler) as url:
        (found,) = ask(url)
    assert json.loads(seen[0]) == {"query": QUERY.query_text}
    assert found.answer == "Nobody [a.txt:0-3]."
    assert found.query_id == "q1"
    assert found.latency_ms is not None and found.latency_ms > 0


def test_paths_name_the_answer_and_the_citations() -> None:
    value = {"reply": {"text": "Yes.", "sources": [{"file_name": "a.txt", "start_char": 0, "end_char": 4}]}}

    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(reply("200 OK", json.dumps(value).encode()))

    with http_system(handler) as url:
        (found,) = ask(url, answer_path="reply.text", citations_path="reply.sources")
        missing = failure(url, answer_path="reply.words")
    assert found.answer == "Yes."
    assert found.citations == ({"file_name": "a.txt", "start_char": 0, "end_char": 4},)
    assert "reply.words" in missing.reason


def test_the_usual_place_of_a_chat_reply_is_found_without_being_told() -> None:
    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(reply("200 OK", b'{"choices": [{"message": {"content": "Hello."}}]}'))

    with http_system(handler) as url:
        assert ask(url)[0].answer == "Hello."


def test_connections_are_used_again_and_one_that_was_closed_meanwhile_is_replaced() -> None:
    writers: list[int] = []

    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        writers.append(id(writer))
        writer.write(reply("200 OK", b'{"answer": "x"}'))
        if len(writers) == 2:
            await writer.drain()
            writer.close()

    with http_system(handler) as url:
        assert [one.answer for one in ask(url, times=3)] == ["x"] * 3
    assert len(set(writers[:2])) == 1


def test_chunks_and_replies_without_a_length_are_read() -> None:
    count = 0

    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        nonlocal count
        count += 1
        if count == 1:
            start = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            writer.write(start + b'4;x=1\r\n{"an\r\n11\r\nswer": "in two"}\n\r\n0\r\nTrailer: 1\r\n\r\n')
        else:
            writer.write(b'HTTP/1.0 200 OK\r\n\r\n{"answer": "to the end"}')
            await writer.drain()
            writer.close()

    with http_system(handler) as url:
        assert [one.answer for one in ask(url, times=2)] == ["in two", "to the end"]


@pytest.mark.parametrize("kind", [PLAIN, ""])
def test_plain_text_is_an_answer(kind: str) -> None:
    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(reply("200 OK", "Fähre <html> is fine within a text.".encode(), kind))

    with http_system(handler) as url:
        assert ask(url)[0].answer == "Fähre <html> is fine within a text."


@pytest.mark.parametrize(
    ("sent", "reason", "retryable"),
    [
        (reply("500 Oops", b"broken"), "HTTP 500: broken", True),
        (reply("404 Not Found", b""), "HTTP 404", False),
        (reply("200 OK", b"{not json"), "not JSON", True),
        (reply("200 OK", b"<!DOCTYPE HTML><p>Sign in</p>", PLAIN), "an HTML page", True),
        (reply("200 OK", b"\n<html>Down for repairs</html>", PLAIN), "an HTML page", True),
        (reply("200 OK", b"Down for repairs", "text/html; charset=utf-8"), "an HTML page", True),
        (reply("200 OK", b"\xff\xfe\x00\x01", PLAIN), "not UTF-8 text", True),
        (reply("200 OK", b"PK\x00\x00", PLAIN), "not text", True),
        (reply("200 OK", b'{"answer": "\xff"}'), "not UTF-8 text", True),
        (reply("200 OK", b"[1, 2]"), "list", False),
        (reply("200 OK", b"5"), "an int", False),
        (reply("200 OK", b'{"unknown": 1}'), "--answer-path", False),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", "connection closed in the middle", True),
        (b"", "without an answer", True),
        (b"SSH-2.0-OpenSSH\r\n\r\n", "not HTTP", False),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", "over 32 MB", False),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", "not HTTP", False),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "not HTTP", False),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n", "over 32 MB", False),
        (reply("307 Moved", b"", extra="Location: http://elsewhere.invalid/\r\n"), "another host", False),
        (reply("308 Moved", b"", extra="Location: /again\r\n"), "too many redirects", False),
        (reply("307 Moved", b""), "does not say where", False),
        (reply("307 Moved", b"", extra="Location: http://[::1\r\n"), "not an address", False),
        (reply("307 Moved", b"", extra="Location: http://127.0.0.1:99999/\r\n"), "not an address", False),
        (reply("307 Moved", b"", extra="Location: /a b\r\n"), "not an address", False),
        (reply("302 Found", b"", extra="Location: /other\r\n"), "with 307 and 308 alone", False),
        (reply("200 OK", b"x", extra="Content-Encoding: br\r\n"), "compressed as 'br'", False),
        (reply("200 OK", b"plain words", extra="Content-Encoding: gzip\r\n"), "gzip, and is not", True),
        (
            reply("200 OK", gzip.compress(b"x" * 50)[:-9], extra="Content-Encoding: gzip\r\n"),
            "connection closed in the middle",
            True,
        ),
        (
            reply("200 OK", gzip.compress(bytes(40 * 2**20)), extra="Content-Encoding: gzip\r\n"),
            "over 32 MB",
            False,
        ),
        (reply("200 OK", b"\xe4", "text/plain; charset=nonsense"), "not UTF-8 text", True),
        (reply("200 OK", b"\xe4", "text/plain; charset=base64"), "not UTF-8 text", True),
        (reply("200 OK", b"\xe4", "text/plain; charset=unicode_escape"), "not UTF-8 text", True),
        (reply("200 OK", b'data: {"x": 1}\n\n', "text/event-stream"), "comes in pieces", False),
    ],
)
def test_what_is_no_answer_is_a_failure_with_its_reason(sent: bytes, reason: str, retryable: bool) -> None:
    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(sent)
        await writer.drain()
        if not sent.startswith(b"HTTP/1.1 30"):
            writer.close()

    with http_system(handler) as url:
        failed = failure(url)
    assert reason in failed.reason
    assert failed.retryable is retryable


EVENTS = "text/event-stream"


@pytest.mark.parametrize(
    ("sent", "options"),
    [
        (
            reply("200 OK", gzip.compress(b'{"answer": "F\xc3\xa4hre"}'), extra="Content-Encoding: gzip\r\n"),
            {},
        ),
        (reply("200 OK", zlib.compress("Fähre".encode()), PLAIN, "Content-Encoding: deflate\r\n"), {}),
        (reply("200 OK", b'{"answer": "F\xe4hre"}', "application/json; charset=ISO-8859-1"), {}),
        (reply("200 OK", "Fähre".encode(), "text/plain; charset=iso-8859-1"), {}),
        (reply("200 OK", "Fähre".encode("utf-16"), 'text/plain; charset="utf-16"'), {}),
        (reply("200 OK", '\ufeff{"answer": "Fähre"}'.encode()), {}),
        (reply("200 OK", 'data: "Fä"\n\n: a comment\n\ndata: hre\n\n'.encode(), EVENTS), {}),
        (
            reply(
                "200 OK",
                'data: {"choices": [{"delta": {"role": "assistant"}}]}\r\n\r\n'
                'event: x\r\ndata: {"choices": [{"delta": {"content": "Fä"}}]}\r\n\r\n'
                'data: {"choices":\r\ndata: [{"delta": {"content": "hre"}}]}\r\n\r\n'
                "data: [DONE]\r\n\r\n".encode(),
                EVENTS,
            ),
            {},
        ),
        (reply("200 OK", '{"token": "Fä"}\n{"token": "hre"}\n'.encode(), "application/x-ndjson"), {}),
        (
            reply("200 OK", '{"a": {"b": "Fä"}}\n{"a": {"b": "hre"}}\n'.encode(), PLAIN),
            {"answer_path": "a.b"},
        ),
    ],
)
def test_an_answer_is_read_however_it_is_packed_encoded_or_cut(sent: bytes, options: dict[str, Any]) -> None:
    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(sent)

    with http_system(handler) as url:
        assert ask(url, **options)[0].answer == "Fähre"


def test_what_comes_with_the_last_piece_of_a_stream_is_kept() -> None:
    last = b'{"delta": "", "citations": ["a.txt"], "usage": {"total_tokens": 4}}'
    pieces = b'data: {"delta": "Yes."}\n\ndata: ' + last + b"\n\n"

    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(reply("200 OK", pieces, EVENTS))

    with http_system(handler) as url:
        (found,) = ask(url)
    assert (found.answer, found.citations, found.usage) == (
        "Yes.",
        ({"file_name": "a.txt"},),
        {"total_tokens": 4},
    )


@pytest.mark.parametrize(
    "sent",
    [
        reply("200 OK", b'data: {"delta": "s3cret"}\n\ndata: {"delta": "-value"}\n\n', EVENTS),
        reply("200 OK", b'{"answer": "\\u00733cret-value"}'),
    ],
)
def test_a_secret_that_comes_back_in_disguise_is_blotted_out_too(sent: bytes) -> None:
    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(sent)

    with http_system(handler) as url:
        assert ask(url, headers={"x-key": "s3cret-value"})[0].answer == "***"


def test_a_redirect_to_another_host_takes_no_header_along() -> None:
    seen: list[bytes] = []

    async def elsewhere(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        seen.append(head)
        writer.write(reply("200 OK", b'{"answer": "stolen"}'))

    with http_system(elsewhere) as other:

        async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
            writer.write(reply("307 Moved", b"", extra=f"Location: {other}\r\n"))

        with http_system(handler) as url:
            failed = failure(url, headers={"authorization": "Bearer s3cret-value"})
    assert "another host" in failed.reason
    assert seen == []


@pytest.mark.parametrize(
    ("said", "least", "most"),
    [
        ("7", 7.0, 7.0),
        ("in an hour", 3000.0, 3600.0),
        ("Wed, 21 Oct 2015 07:28:00 -0000", 0.0, 0.0),
    ],
)
def test_a_system_may_say_when_to_come_back(said: str, least: float, most: float) -> None:
    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        # Tests may be collected long before they run: the hour begins when the question comes.
        in_an_hour = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
        after = in_an_hour if said == "in an hour" else said
        writer.write(reply("429 Slow down", b"", extra=f"Retry-After: {after}\r\n"))

    with http_system(handler) as url:
        failed = failure(url)
    assert failed.retryable and failed.after is not None
    assert least <= failed.after <= most


@pytest.mark.parametrize(
    "said",
    ["soon", "-5", "9" * 12, "Wed, 21 Oct 99999999999 07:28:00 GMT", "Fri, 31 Dec 9999 23:59:59 -2300"],
)
def test_a_moment_that_is_none_is_not_waited_for(said: str) -> None:
    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(reply("503 Busy", b"", extra=f"Retry-After: {said}\r\n"))

    with http_system(handler) as url:
        failed = failure(url)
    assert failed.retryable
    assert failed.after is None or failed.after > 1e9


def test_why_several_addresses_refuse_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*given: object, **options: object) -> None:
        raise OSError(
            "Multiple exceptions: [Errno 2] Connect call failed ('::1', 9), [Errno 2] Connect call …"
        )

    monkeypatch.setattr(asyncio, "open_connection", refuse)
    assert failure("http://127.0.0.1:9/ask").reason == f"cannot reach 127.0.0.1:9: {os.strerror(2)}"


def test_nobody_listening_is_a_failure_worth_another_try() -> None:
    failed = failure("http://127.0.0.1:9/ask")
    assert failed.reason == f"cannot reach 127.0.0.1:9: {os.strerror(errno.ECONNREFUSED)}"
    assert failed.retryable


def test_header_values_come_from_the_environment_and_are_told_to_nobody() -> None:
    seen: list[bytes] = []

    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        seen.append(head)
        if len(seen) == 1:
            writer.write(reply("200 OK", json.dumps({"answer": f"got {head.decode()}"}).encode()))
        else:
            writer.write(reply("401 No", b"the key s3cret-value is wrong"))

    headers = read_headers(["Authorization=MY_KEY"], {"MY_KEY": "Bearer s3cret-value"})
    with http_system(handler) as url:
        (found,) = ask(url, headers=headers)
        failed = failure(url, headers=headers)
    assert b"authorization: Bearer s3cret-value\r\n" in seen[0]
    assert "s3cret" not in (found.answer or "") + failed.reason + HttpTarget(url, headers=headers).name


def test_a_password_in_the_address_is_sent_and_not_told() -> None:
    seen: list[bytes] = []

    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        seen.append(head)
        writer.write(reply("403 No", b"user:pa55word"))

    with http_system(handler) as url:
        secret = url.replace("http://", "http://user:pa55word@") + "?key=k3y"
        failed = failure(secret)
        name = HttpTarget(secret).name
    assert b"authorization: Basic dXNlcjpwYTU1d29yZA==" in seen[0]
    assert "pa55word" not in failed.reason + name
    assert "k3y" not in name


@pytest.mark.parametrize("given", ["Authorization", "=KEY", "A B=KEY", "X=NOT_SET"])
def test_a_header_that_cannot_be_sent_is_refused_without_repeating_its_value(given: str) -> None:
    with pytest.raises(InputError) as caught:
        read_headers([given], {"KEY": "value"})
    assert "NOT_SET" not in str(caught.value)


@pytest.mark.parametrize("url", ["http://", "http://host:port/", "http://h/a b", "http://h:0/", "http://ü/"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="the target"):
        HttpTarget(url)


@given(st.text(), st.text())
def test_whatever_a_query_holds_the_body_stays_json_and_says_it(text: str, name: str) -> None:
    template = '{"a": "{query_text}", "b": ["{query_id}", "x {query_text}"]}'
    value = json.loads(fill(template, query_text=text, query_id=name))
    assert value == {"a": text, "b": [name, f"x {text}"]}


@pytest.mark.parametrize("content", ['{"q": 1}', '{"q": {query_text}}', "{query_text}", "\ufffe"])
def test_a_body_that_cannot_work_is_refused_before_anything_is_asked(tmp_path: Path, content: str) -> None:
    path = tmp_path / "body.json"
    path.write_text(content, encoding="utf-16" if content == "\ufffe" else "utf-8")
    with pytest.raises(InputError, match=r"body\.json"):
        read_body(path)


ECHOED = "t0p-s3cret"


@pytest.mark.parametrize("way", ["answer", "error", "escaped", "relative", "cut", "redirect"])
def test_a_system_that_echoes_its_own_address_gives_no_secret_away(way: str) -> None:
    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        path = head.split()[1].decode()
        address = f"http://127.0.0.1{path}"
        sent = {
            "answer": reply("200 OK", json.dumps({"answer": f"I am {address}"}).encode()),
            "error": reply("400 No", f"cannot POST {address}".encode()),
            "escaped": reply("400 No", json.dumps({"url": address}).replace("/", "\\/").encode()),
            "relative": reply("400 No", f"Cannot POST {path}".encode()),
            "cut": reply("400 No", (f"{'x' * 190} {path}").encode()),
            "redirect": reply("307 Moved", b"", extra=f"Location: http://other.example{path}\r\n"),
        }[way]
        writer.write(sent)

    with http_system(handler) as url:
        given = url.replace("http://", "http://ann:pa55word@") + f"?token={ECHOED}&lang=en-GB"
        if way == "answer":
            (found,) = ask(given)
            told = found.answer or ""
            assert "lang=en-GB" in told, "an answer is measured as it is, but for what is secret"
        else:
            told = failure(given).reason
            assert "en-GB" not in told
    assert ECHOED not in told and "t0p" not in told and "pa55word" not in told


def test_no_failure_of_any_target_keeps_the_values_of_an_address() -> None:
    class Mine(Target):
        name = "mine"

        async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
            raise ConnectionError("cannot reach https://ann:pw1@h.example/ask?token=pw2&n=pw3")

    query = EvaluationQuery(query_id="q", query_text="Why?")
    found = asyncio.run(ask_target(Mine(), query, Settings()))
    assert found.failure is not None and "pw" not in found.failure
    assert "https://***@h.example/ask?token=***&n=***" in found.failure
