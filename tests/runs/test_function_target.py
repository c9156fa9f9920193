"""A Python function as the system under test, whatever it does."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from small_system import RULES

from pincite.answers import citations_of
from pincite.base import find_function
from pincite.citations import span_target, web_target
from pincite.config import with_overrides
from pincite.datasets import EvaluationQuery
from pincite.errors import InputError
from pincite.records import Answer, Citation, RecordedAnswer, Source
from pincite.runs import ask
from pincite.runs.targets.function import FunctionTarget

QUERY = EvaluationQuery(query_id="q1", query_text="Who?")


def answered(function: Callable[[str], Any], timeout: float = 5.0) -> RecordedAnswer:
    evaluation = msgspec.structs.replace(RULES.evaluation, timeout_seconds=timeout)
    errors = msgspec.structs.replace(RULES.errors, max_retries=0)
    settings = msgspec.structs.replace(RULES, evaluation=evaluation, errors=errors)

    async def go() -> RecordedAnswer:
        target = FunctionTarget(function)
        try:
            return await ask(target, QUERY, settings)
        finally:
            await target.close()

    return asyncio.run(go())


async def later(text: str) -> str:
    await asyncio.sleep(0.01)
    return f"{text} later"


class Callable_:
    async def __call__(self, text: str) -> str:
        return f"{text} object"


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda text: f"{text} A [a.txt:0-1].", "Who? A [a.txt:0-1]."),
        (lambda text: {"generated_answer": "B", "latency_ms": 5}, "B"),
        (lambda text: Answer("C"), "C"),
        (lambda text: RecordedAnswer(answer="D"), "D"),
        (later, "Who? later"),
        (lambda text: later(text), "Who? later"),
        (Callable_(), "Who? object"),
    ],
)
def test_a_text_a_dict_or_an_answer_may_come_back_now_or_later(
    function: Callable[[str], Any], expected: str
) -> None:
    found = answered(function)
    assert (found.answer, found.failure, found.query_id) == (expected, None, "q1")
    assert found.latency_ms is not None  # ours, for a system that we asked ourselves


def pieces(text: str) -> Iterator[str]:
    yield from ("Nine", " metres", ".")


async def pieces_later(text: str) -> AsyncIterator[str]:
    for piece in pieces(text):
        await asyncio.sleep(0)
        yield piece


async def stream_of_a_coroutine(text: str) -> Any:
    return pieces_later(text)


def a_loop_of_its_own(text: str) -> str:
    return asyncio.run(later(text))


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (pieces, "Nine metres."),
        (pieces_later, "Nine metres."),
        (stream_of_a_coroutine, "Nine metres."),
        (lambda text: pieces_later(text), "Nine metres."),
        (a_loop_of_its_own, "Who? later"),
    ],
)
def test_a_stream_is_put_together_and_a_function_may_run_a_loop_of_its_own(
    function: Callable[[str], Any], expected: str
) -> None:
    found = answered(function)
    assert (found.answer, found.failure) == (expected, None)


def test_an_answer_that_comes_back_keeps_its_citations_and_sources() -> None:
    source = Source("ferry.txt", "The ferry carries 84 cars.")
    span, web = span_target("ferry.txt", None, 0, 26), web_target("https://a.example/x", None)
    cited = Citation("provider", "", 0, 0, (span, web), cited_text="The ferry")
    found = answered(lambda text: Answer("It carries 84 cars.", citations=(cited,), sources=(source,)))
    assert [(one.name, one.text) for one in found.sources] == [(source.name, source.text)]
    assert found.oddities == ()
    assert found.citations is not None
    assert citations_of(found.citations, found.answer) == (
        Citation("span", f"[{span.key}]", 0, 0, (span,), cited_text="The ferry"),
        Citation("web", f"[{web.key}]", 0, 0, (web,), cited_text="The ferry"),
    )


def endless(text: str) -> Iterator[str]:
    while True:
        yield "x" * 1_000_000


async def odd_stream(text: str) -> AsyncIterator[Any]:
    yield "a"
    yield {"delta": "b"}


def test_threads_are_used_again_and_what_hangs_is_left_behind() -> None:
    made: list[int] = []
    kept = threading.local()

    def answer(text: str) -> str:
        if not hasattr(kept, "connection"):
            kept.connection = True
            made.append(threading.get_ident())
        if text == "hang":
            time.sleep(1)
        return "Yes."

    async def go() -> None:
        target = FunctionTarget(answer)
        for text in ("a", "hang", *"bcdefghijkl"):
            query = EvaluationQuery(query_id="q", query_text=text)
            try:
                async with asyncio.timeout(0.2 if text == "hang" else 60):
                    await target.answer(query)
            except TimeoutError:
                assert text == "hang"
        await target.close()

    asyncio.run(go())
    # On a busy machine a thread may be asked for before the last one is back; thirteen are never made.
    assert 2 <= len(made) <= 6


def test_queries_that_a_blocked_loop_never_began_are_told_so() -> None:
    async def blocking(text: str) -> str:
        time.sleep(0.6)
        return "late"

    settings = with_overrides(RULES, {"evaluation_timeout_seconds": 0.2, "errors_max_retries": 0})

    async def go() -> list[RecordedAnswer]:
        target = FunctionTarget(blocking)
        try:
            return await asyncio.gather(*(ask(target, QUERY, settings) for _ in range(2)))
        finally:
            await target.close()

    first, second = asyncio.run(go())
    assert first.failure == "no answer within 0.2 s"
    assert "blocks its event loop" in (second.failure or "")


def leave(text: str) -> str:
    sys.exit(3)


async def leave_later(text: str) -> str:
    raise KeyboardInterrupt


def break_(text: str) -> str:
    raise ValueError("no\nidea")


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (leave, "SystemExit: 3"),
        (leave_later, "KeyboardInterrupt"),
        (break_, "ValueError: no idea"),
        (lambda text: None, "returned None"),
        (lambda text: 7, "returned an int"),
        (lambda text: {"other": 1}, "a dict with generated_answer"),
        (endless, "a stream that does not end"),
        (odd_stream, "a stream with a dict in it"),
        (lambda: "x", "TypeError"),
    ],
)
def test_whatever_goes_wrong_inside_is_a_failure_that_says_so(
    function: Callable[[str], Any], reason: str
) -> None:
    found = answered(function)
    assert found.answer is None
    assert reason in (found.failure or "")


async def block(text: str) -> str:
    time.sleep(0.7)  # blocks its own event loop, not ours
    return "late"


@pytest.mark.parametrize("function", [lambda text: time.sleep(0.7), block])
def test_a_function_that_hangs_is_given_up_after_its_time(function: Callable[[str], Any]) -> None:
    begun = time.monotonic()
    found = answered(function, timeout=0.1)
    assert found.failure == "no answer within 0.1 s"
    assert time.monotonic() - begun < 0.6


def test_a_function_is_found_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_small_rag.py").write_text(
        "class Rag:\n    def __call__(self, text): return 'hi'\nrag = Rag()\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "my_small_rag", raising=False)
    assert find_function("my_small_rag:rag")("x") == "hi"
    assert find_function("my_small_rag:Rag")("x") == "hi"
    with pytest.raises(InputError, match="has no 'missing'"):
        find_function("my_small_rag:missing")
    (tmp_path / "my_small_rag.py").write_text("class Rag:\n    def __init__(self, key): pass\n")
    monkeypatch.delitem(sys.modules, "my_small_rag")
    with pytest.raises(InputError, match="a class that cannot be instantiated: TypeError"):
        find_function("my_small_rag:Rag")
    with pytest.raises(InputError, match="which cannot be called"):
        find_function("my_small_rag:__name__")


def test_a_module_that_breaks_or_is_not_there_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_broken_rag.py").write_text("raise SystemExit('bye')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(InputError, match=r"cannot import 'my_broken_rag'.*SystemExit: bye"):
        find_function("my_broken_rag:answer")
    with pytest.raises(InputError, match="cannot import 'not_there_at_all'"):
        find_function("not_there_at_all:answer")
