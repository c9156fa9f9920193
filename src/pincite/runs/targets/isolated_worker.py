"""The process that a function under test has to itself: it is asked one query after the other."""

from __future__ import annotations

import asyncio
import numbers
import os
import pickle
import queue
import signal
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, Any

import msgspec

from pincite.engine.processes import Closed, own_pipes, receive, send
from pincite.errors import InputError
from pincite.named_functions import find_function
from pincite.runs.targets.function import Answering, answer_of, call_here, failure_of
from pincite.runs.targets.imported import code_digest
from pincite.runs.targets.target import TargetFailed


def main() -> int:
    inward, outward = own_pipes()
    asked: queue.SimpleQueue[Any] = queue.SimpleQueue()
    # If our parent dies while the function runs, nobody else would end this process.
    threading.Thread(target=_listen, args=(inward, asked), daemon=True).start()
    with suppress(Closed, OSError):
        _serve(asked, outward)
    return 0


def _listen(inward: IO[bytes], asked: queue.SimpleQueue[Any]) -> None:
    try:
        while True:
            asked.put(receive(inward))
    except BaseException:
        if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)  # with all that the function has started
        os._exit(0)


def _serve(asked: queue.SimpleQueue[Any], outward: IO[bytes]) -> None:
    paths, spec, memory_mb = asked.get()
    sys.path[:] = paths
    try:
        _limit_memory(memory_mb)
        function = find_function(spec)
    except InputError as error:
        send(outward, ("refused", str(error)))
        return
    send(outward, ("ready", code_digest(function)))
    with asyncio.Runner() as runner:  # one loop for all queries, as an asynchronous client needs it
        while True:
            query_id, text = asked.get()
            send(outward, _answered(function, runner, query_id, text))


def _answered(function: Answering, runner: asyncio.Runner, query_id: str, text: str) -> bytes:
    try:
        read = answer_of(*call_here(function, text, runner), query_id)
        return pickle.dumps(("answered", _plain(read)), pickle.HIGHEST_PROTOCOL)
    except BaseException as error:
        failed = error if isinstance(error, TargetFailed) else failure_of(error)
        return pickle.dumps(("failed", failed.reason, failed.retryable))


def _plain(value: Any) -> Any:
    """The value without classes of the function's own modules, which the parent does not import."""
    if value is None or type(value) in (str, int, float, bool):
        return value
    if isinstance(value, Mapping):
        return {_plain(key): _plain(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return (list if isinstance(value, list) else tuple)(_plain(held) for held in value)
    if isinstance(value, msgspec.Struct):
        fields = {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
        ours = type(value).__module__.partition(".")[0] == "pincite"
        return msgspec.structs.replace(value, **fields) if ours else fields
    if isinstance(value, numbers.Integral):
        return int(value)
    return float(value) if isinstance(value, numbers.Real) else str(value)


def _limit_memory(megabytes: int | None) -> None:
    if megabytes is None:
        return
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 2**20, megabytes * 2**20))
    except (ImportError, OSError, ValueError) as error:
        raise InputError(f"the memory of a process cannot be limited here: {error}") from error


if __name__ == "__main__":
    sys.exit(main())
