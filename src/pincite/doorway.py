"""The one way from synchronous code into the asynchronous core."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run `coroutine` to its end, also from inside a running event loop (a notebook, a server).

    A loop that already runs is left alone: the coroutine gets a loop of its own in another thread.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="pincite") as pool:
        return pool.submit(asyncio.run, coroutine).result()
