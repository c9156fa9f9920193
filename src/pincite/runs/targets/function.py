"""A Python function as the system under test: `package.module:function`, synchronous or not."""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeVar

import msgspec

from pincite.base import describe_error
from pincite.datasets import EvaluationQuery
from pincite.records import RecordedAnswer
from pincite.runs.targets.replies import read_reply
from pincite.runs.targets.target import Target, TargetFailed

Answering = Callable[[str], Any]
BLOCKED = (
    "the function blocks its event loop with another query, so this one never started; "
    "await what takes time, or make the function synchronous"
)


class FunctionTarget(Target):
    """Calls a function with the text of a query.

    The function never runs in the harness's own event loop or threads: whatever it does there, hangs, exits
    or blocks, costs its own query alone. A thread that does not come back is left behind.
    """

    waits = True
    retries_timeouts = False
    keeps_its_code = False

    def __init__(self, function: Answering, name: str | None = None) -> None:
        self._function = function
        self._is_async = _is_async(function)
        self._name = name or f"{function.__module__}:{getattr(function, '__qualname__', 'callable')}"
        self._loop: asyncio.AbstractEventLoop | None = None
        self._threads = Threads()

    @property
    def name(self) -> str:
        return f"callable:{self._name}"

    async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
        return answer_of(*await self._call(query.query_text), query.query_id)

    async def close(self) -> None:
        self._threads.close()
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._loop = None

    async def _call(self, text: str) -> tuple[Any, float]:
        if self._is_async:
            return await self._later(lambda: self._function(text))
        given, milliseconds = await self._threads.run(lambda: _timed(self._function, text), failure_of)
        if inspect.isawaitable(given) or is_async_stream(given):  # of a synchronous function
            given, more = await self._later(lambda: given)
            milliseconds += more
        return given, milliseconds

    async def _later(self, begin: Callable[[], Any]) -> tuple[Any, float]:
        """What is to be waited for, in the event loop that all calls share."""
        begun = threading.Event()
        call = asyncio.run_coroutine_threadsafe(_guarded(begin, begun), self._own_loop())
        try:
            return await asyncio.wrap_future(call)
        except asyncio.CancelledError:
            if begun.is_set():
                raise
            raise asyncio.CancelledError(BLOCKED) from None

    def _own_loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            threading.Thread(target=_serve, args=(self._loop,), name="pincite-target", daemon=True).start()
        return self._loop


def call_here(function: Answering, text: str, runner: asyncio.Runner) -> tuple[Any, float]:
    """Call a function of either kind in this thread: what it gives, and the milliseconds that it took."""
    if _is_async(function):
        return runner.run(_guarded(lambda: function(text), threading.Event()))
    given, milliseconds = _timed(function, text)
    if inspect.isawaitable(given) or is_async_stream(given):
        given, more = runner.run(_guarded(lambda: given, threading.Event()))
        milliseconds += more
    return given, milliseconds


def answer_of(given: Any, milliseconds: float, query_id: str) -> RecordedAnswer:
    """What a function returned, with the time that it took by our own clock."""
    return msgspec.structs.replace(read_reply(given, query_id), latency_ms=milliseconds)


def _is_async(function: Any) -> bool:
    call = getattr(function, "__call__", None)  # noqa: B004 - an object whose call is a coroutine function
    kinds = (inspect.iscoroutinefunction, inspect.isasyncgenfunction)
    return any(is_kind(one) for is_kind in kinds for one in (function, call))


def _timed(function: Answering, text: str) -> tuple[Any, float]:
    begun = time.perf_counter()
    given = function(text)
    if isinstance(given, Iterator):
        given = joined(given)
    return given, (time.perf_counter() - begun) * 1000


def _guarded(begin: Callable[[], Any], begun: threading.Event) -> Coroutine[Any, Any, tuple[Any, float]]:
    async def call() -> tuple[Any, float]:
        begun.set()
        moment = time.perf_counter()
        try:
            given = begin()
            if inspect.isawaitable(given):
                given = await given
            if is_async_stream(given):
                given = await joined_later(given)
            return given, (time.perf_counter() - moment) * 1000
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # SystemExit too: it would end the loop that all queries share
            raise failure_of(error) from error

    return call()


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
    finally:
        loop.close()


def failure_of(error: BaseException) -> TargetFailed:
    """What a function raised, as the failure of its query."""
    if isinstance(error, TargetFailed):
        return error
    return TargetFailed(f"the function raised {describe_error(error)}", retryable=isinstance(error, OSError))


MOST_CHARACTERS = 32 * 1024 * 1024
MOST_PIECES = 1_000_000
"""A stream without an end must not fill the memory of a thread that nobody waits for."""


class Pieces:
    """Collects the pieces of one stream. Only texts can be joined; what else comes is a failure."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0

    def add(self, piece: Any) -> None:
        if not isinstance(piece, str):
            raise TargetFailed(
                f"the function returned a stream with a {type(piece).__name__} in it: yield pieces of text"
            )
        self._parts.append(piece)
        self._length += len(piece)
        if self._length > MOST_CHARACTERS or len(self._parts) > MOST_PIECES:
            raise TargetFailed("the function returned a stream that does not end")

    def text(self) -> str:
        return "".join(self._parts)


def is_async_stream(value: Any) -> bool:
    return hasattr(value, "__aiter__") and hasattr(value, "__anext__")


def joined(stream: Iterator[Any]) -> str:
    pieces = Pieces()
    for piece in stream:
        pieces.add(piece)
    return pieces.text()


async def joined_later(stream: Any) -> str:
    pieces = Pieces()
    async for piece in stream:
        pieces.add(piece)
    return pieces.text()


# --- threads ---

T = TypeVar("T")
Job = Callable[[], None]


class Threads:
    """As many threads as there are calls at once, reused: what a function keeps per thread, it makes once.

    One that does not come back is left behind.
    """

    def __init__(self) -> None:
        self._idle: list[SimpleQueue[Job | None]] = []
        self._closed = False

    async def run(self, work: Callable[[], T], failure: Callable[[BaseException], Exception]) -> T:
        """The result of `work`; what it raises, also `SystemExit`, comes back as `failure` makes it."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[T] = loop.create_future()

        def tell(result: T | None, error: BaseException | None) -> None:
            if waiting.done():
                return  # nobody waits any longer
            if error is not None:
                waiting.set_exception(failure(error))
            else:
                waiting.set_result(result)  # type: ignore[arg-type]

        def job() -> None:
            result, error = None, None
            try:
                result = work()
            except BaseException as raised:
                error = raised
            with suppress(RuntimeError):  # where the run is over
                loop.call_soon_threadsafe(tell, result, error)

        (self._idle.pop() if self._idle else self._begin()).put(job)
        return await waiting

    def close(self) -> None:
        self._closed = True
        while self._idle:
            self._idle.pop().put(None)

    def _begin(self) -> SimpleQueue[Job | None]:
        self._closed = False
        jobs: SimpleQueue[Job | None] = SimpleQueue()
        threading.Thread(target=self._serve, args=(jobs,), name="pincite-target", daemon=True).start()
        return jobs

    def _serve(self, jobs: SimpleQueue[Job | None]) -> None:
        while (job := jobs.get()) is not None:
            job()
            del job  # with all that it holds
            if self._closed:
                return
            self._idle.append(jobs)
