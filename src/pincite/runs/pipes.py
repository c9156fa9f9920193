"""Values between our own processes: a length, then the value. Nobody else ever writes into these pipes."""

from __future__ import annotations

import pickle
from typing import IO, Any


class Closed(Exception):
    """The other process is gone."""


def send(pipe: IO[bytes] | None, value: Any) -> None:
    if pipe is None:
        raise Closed
    content = value if isinstance(value, bytes) else pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    pipe.write(len(content).to_bytes(8, "big"))
    pipe.write(content)
    pipe.flush()


def receive(pipe: IO[bytes] | None) -> Any:
    if pipe is None:
        raise Closed
    return pickle.loads(_exactly(pipe, int.from_bytes(_exactly(pipe, 8), "big")))  # noqa: S301 - our own child


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    content = pipe.read(size)
    if len(content) < size:
        raise Closed
    return content
