"""Fields that a live system gives and nobody can use: told once a kind, counted, never taken for a zero."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from small_system import RULES, dataset, http_system, reply

from pincite.config import with_overrides
from pincite.errors import InputError
from pincite.runs import EvalRequest, read_reply, run_evaluation
from pincite.store import open_store

SETTINGS = with_overrides(RULES, {"evaluation_resamples": 100, "evaluation_max_in_flight": 1})


def request(target: Any, queries: int = 4) -> EvalRequest:
    return EvalRequest(dataset=dataset(queries), target=target, metrics=("hit@1",), settings=SETTINGS)


def test_a_function_that_gives_odd_fields_is_told_so_once_a_kind() -> None:
    calls = 0

    def answer(text: str) -> dict[str, Any]:
        nonlocal calls
        calls += 1
        odd = {"citations": 5} if calls == 2 else {"latency_ms": "fast"}
        return {"answer": "Nine.", "retrieved_docs": ("ferry",), "relevance_scores": [0.5], **odd}

    with run_evaluation(request(answer)) as done:
        told, quality = done.oddities, done.run.document.metadata.quality_assurance
    assert told == (
        "the reply to q0: expected latency_ms as a number, 0 or more, found the text 'fast'; "
        "it counts as not given (3 replies have something like it)",
        "the reply to q1: expected citations as a list, found the number 5; it counts as not given",
    )
    assert quality["replies"] == "4 problems"


def test_an_address_that_sends_nan_loses_that_field_alone() -> None:
    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(reply("200 OK", b'{"answer": "NaN is none.", "usage": {"total_tokens": NaN}}'))

    with http_system(handler) as url, run_evaluation(request(url, 2)) as done:
        assert done.run.failed == 0
        assert [item.answer for item in done.items()] == ["NaN is none."] * 2
        assert any("found NaN or Infinity" in line and "2 replies" in line for line in done.oddities)


def test_a_run_that_goes_on_tells_also_what_was_odd_before(tmp_path: Path) -> None:
    calls = 0

    def answer(text: str) -> dict[str, Any]:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise InputError("stop")
        return {"answer": "Nine.", "usage": "much"}

    with open_store(str(tmp_path / "runs.sqlite")) as store:
        with run_evaluation(request(answer), store) as done:
            pass
        assert done.run.failed == 1
        assert [len(item.oddities) for item in store.items(done.run.run_id)] == [1, 1, 0, 1]


@pytest.mark.parametrize(
    ("field", "expected", "found"),
    [
        ({"relevance_scores": [1, 2]}, "a score for each of retrieved_docs", "2 for 1; the rest is left out"),
        ({"retrieved_docs": ["a", "b"]}, "a score for each of retrieved_docs", "1 for 2; the rest counts"),
        ({"references": "a"}, "references as a list", "the text 'a'"),
        ({"sources": 7}, "sources as a list of documents", "the number 7"),
        ({"conversation": ["?", 3], "citations": "x"}, "citations as a list", "the text 'x'"),
        ({"conversation": 3}, "conversation as a list of messages", "the number 3"),
        ({"latency_ms": float("nan")}, "latency_ms as a number", "the number nan"),
    ],
)
def test_every_field_of_another_shape_is_odd(field: dict[str, Any], expected: str, found: str) -> None:
    usual = {"answer": "Nine.", "retrieved_docs": ["a"], "relevance_scores": [0.5]}
    (odd,) = read_reply(usual | field, "q1").oddities
    assert expected in odd[0] and found in odd[1]


@pytest.mark.parametrize(
    "field",
    [
        {"citations": ({"file_name": "a"},), "retrieved_docs": ("a", "b"), "relevance_scores": ()},
        {"references": ("a",), "sources": {"a": "text"}, "conversation": []},
        {"latency_ms": None, "usage": {"prompt_tokens": 4}, "retrieval_results": ({"id": 4},)},
    ],
)
def test_what_can_be_used_is_not_odd(field: dict[str, Any]) -> None:
    assert read_reply({"answer": "Nine."} | field, "q1").oddities == ()


HALVES = [
    ("application/json", b'{"answer": "So it is. \\ud800", "\\ud800": 1, "citations": [{"\\ud800": "x"}]}'),
    ("application/x-ndjson", b'{"text": "So it is. "}\n{"text": "\\ud800", "n": 99999999999999999999}\n'),
    ("text/event-stream", b'data: {"text": "So it is. \\ud800"}\n\ndata: [DONE]\n\n'),
]


@pytest.mark.parametrize(("kind", "body"), HALVES)
def test_an_address_that_sends_half_a_character_has_answered(kind: str, body: bytes) -> None:
    async def handler(head: bytes, asked: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(reply("200 OK", body, kind))

    asks = {"query_text": "What is \ud800?"}
    value = dataset(2)
    value["queries"] = [{**query, **asks} for query in value["queries"]]
    with (
        http_system(handler) as url,
        run_evaluation(EvalRequest(dataset=value, target=url, metrics=("hit@1",), settings=SETTINGS)) as done,
    ):
        assert done.run.failed == 0
        assert [(item.answer or "")[:9] for item in done.items()] == ["So it is."] * 2


def test_an_address_that_sends_endless_numbers_loses_those_fields_alone() -> None:
    async def handler(head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        usage = b'{"total_tokens": 99999999999999999999, "x": 1e400}'
        writer.write(reply("200 OK", b'{"answer": "Nine.", "usage": ' + usage + b"}"))

    with http_system(handler) as url, run_evaluation(request(url, 2)) as done:
        assert done.run.failed == 0
        assert any("usage.total_tokens as a count below 2^63" in line for line in done.oddities)
        assert any("one too large" in line for line in done.oddities)
