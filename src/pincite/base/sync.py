"""The one way from synchronous code into the asynchronous core."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")
RunHere = Callable[[Coroutine[Any, Any, T]], T]


def run_sync(coroutine: Coroutine[Any, Any, T], waits: bool = True) -> T:
    """Run `coroutine` to its end, also from inside a running event loop (a notebook, a server).

    A loop that already runs is left alone: the coroutine gets a loop of its own in another thread. One that
    `waits` for nothing needs no loop at all, and is spared the time that importing asyncio takes.
    """
    if not waits:
        return _straight_through(coroutine)
    with event_loop() as run_here:
        result: T = run_here(coroutine)
    return result


@contextmanager
def event_loop(waits: bool = True) -> Iterator[RunHere[Any]]:
    """The same for several coroutines: all run in one event loop, so that they can share connections."""
    if not waits:
        yield _straight_through
        return
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        with asyncio.Runner() as runner:
            yield runner.run
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="pincite") as pool:
        elsewhere = asyncio.Runner()
        try:
            yield lambda coroutine: pool.submit(elsewhere.run, coroutine).result()
        finally:
            pool.submit(elsewhere.close).result()


def _straight_through(coroutine: Coroutine[Any, Any, T]) -> T:
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    coroutine.close()
    raise RuntimeError("judge declares waits=False but awaited")
