"""The process that a function under test has to itself: it is asked one query after the other."""

from __future__ import annotations

import asyncio
import numbers
import pickle
import sys
from collections.abc import Mapping
from typing import Any

import msgspec

from pincite.base import ParentPipe, find_function
from pincite.errors import InputError
from pincite.runs.targets.function import Answering, answer_of, call_here, failure_of
from pincite.runs.targets.target import TargetFailed


def serve(parent: ParentPipe) -> None:
    paths, spec, memory_mb = pickle.loads(parent.receive())  # noqa: S301 - of the process that started us
    sys.path[:] = paths  # from here on also the working folder, for the function's own imports
    try:
        _limit_memory(memory_mb)
        function = find_function(spec)
    except InputError as error:
        parent.send(pickle.dumps(str(error)))
        return
    parent.send(pickle.dumps(None))  # nothing is wrong with it
    with asyncio.Runner() as runner:  # one loop for all queries, as an asynchronous client needs it
        while True:
            query_id, text = pickle.loads(parent.receive())  # noqa: S301 - of the process that started us
            parent.send(_answered(function, runner, query_id, text))


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
