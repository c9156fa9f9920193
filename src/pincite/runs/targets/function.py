"""A Python function as the system under test: `package.module:function`, synchronous or not."""

from __future__ import annotations

import asyncio
import inspect
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from importlib import import_module
from typing import Any

import msgspec

from pincite.datasets.formats import EvaluationQuery
from pincite.errors import InputError
from pincite.measured import RecordedAnswer
from pincite.runs.targets.code import code_digest
from pincite.runs.targets.replies import read_reply
from pincite.runs.targets.target import TargetFailed

Answering = Callable[[str], Any]


class CallableTarget:
    """Calls a function with the text of a query.

    The function never runs in the harness's own event loop or threads: whatever it does there, hangs, exits
    or blocks, costs its own query alone. A thread that does not come back is left behind.
    """

    waits = True
    retries_timeouts = False

    def __init__(self, function: Answering, name: str | None = None) -> None:
        self._function = function
        self._is_async = _is_async(function)
        self._name = name or f"{function.__module__}:{getattr(function, '__qualname__', 'callable')}"
        self.code = code_digest(function)
        """Decides with the name which run goes on: answers of edited code must not mix with earlier ones."""
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def name(self) -> str:
        return f"callable:{self._name}"

    async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
        given, milliseconds = await self._call(query.query_text)
        read = read_reply(given, query.query_id)
        return msgspec.structs.replace(read, latency_ms=milliseconds)

    async def close(self) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._loop = None

    async def _call(self, text: str) -> tuple[Any, float]:
        if self._is_async:
            coroutine = _guarded(self._function, text)
            return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, self._own_loop()))
        given, milliseconds = await _in_thread(lambda: _timed(self._function, text))
        if inspect.isawaitable(given):  # a synchronous function that gave back something to wait for
            waiting = _guarded(lambda _: given, text)
            given, more = await asyncio.wrap_future(
                asyncio.run_coroutine_threadsafe(waiting, self._own_loop())
            )
            milliseconds += more
        return given, milliseconds

    def _own_loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            threading.Thread(target=_serve, args=(self._loop,), name="pincite-target", daemon=True).start()
        return self._loop


def find_function(spec: str, folder: str = "") -> Answering:
    """The function that `package.module:function` names; modules of the current folder are found too."""
    module_name, _, path = spec.partition(":")
    # A program that is started from a folder finds the modules in it; an installed command would not.
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        found: Any = import_module(module_name)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # a module may do anything when it is imported, also exit
        raise InputError(f"cannot import {module_name!r} of the target {spec!r}: {_said(error)}") from error
    for step in path.split("."):
        found = getattr(found, step, None)
        if found is None:
            raise InputError(f"the target {spec!r}: {module_name!r} has no {path!r}")
    if isinstance(found, type):
        found = found()
    if not callable(found):
        raise InputError(f"the target {spec!r} is a {type(found).__name__}, and nothing that can be called")
    answering: Answering = found
    return answering


def _is_async(function: Any) -> bool:
    call = getattr(function, "__call__", None)  # noqa: B004 - an object whose call is a coroutine function
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


def _timed(function: Answering, text: str) -> tuple[Any, float]:
    begun = time.perf_counter()
    return function(text), (time.perf_counter() - begun) * 1000


def _guarded(function: Callable[[str], Any], text: str) -> Coroutine[Any, Any, tuple[Any, float]]:
    async def call() -> tuple[Any, float]:
        begun = time.perf_counter()
        try:
            return await function(text), (time.perf_counter() - begun) * 1000
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # SystemExit too: it would end the loop that all queries share
            raise _failure(error) from error

    return call()


async def _in_thread(work: Callable[[], tuple[Any, float]]) -> tuple[Any, float]:
    """The result of `work`, from a thread of its own that is left behind when nobody waits any longer."""
    loop = asyncio.get_running_loop()
    waiting: asyncio.Future[tuple[Any, float]] = loop.create_future()

    def tell(result: tuple[Any, float] | None, error: BaseException | None) -> None:
        if waiting.done():
            return
        if error is not None:
            waiting.set_exception(_failure(error))
        elif result is not None:
            waiting.set_result(result)

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except BaseException as raised:
            error = raised
        try:
            loop.call_soon_threadsafe(tell, result, error)
        except RuntimeError:
            pass  # the run is over

    threading.Thread(target=run, name="pincite-target", daemon=True).start()
    return await waiting


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


def _failure(error: BaseException) -> TargetFailed:
    if isinstance(error, TargetFailed):
        return error
    return TargetFailed(f"the function raised {_said(error)}", retryable=isinstance(error, OSError))


def _said(error: BaseException) -> str:
    words = " ".join(str(error).split())[:200]
    return type(error).__name__ + (f": {words}" if words else "")
