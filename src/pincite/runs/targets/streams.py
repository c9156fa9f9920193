"""An answer that comes in pieces, put together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pincite.runs.targets.target import TargetFailed

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
                f"the function gave back a stream with a {type(piece).__name__} in it: yield pieces of text"
            )
        self._parts.append(piece)
        self._length += len(piece)
        if self._length > MOST_CHARACTERS or len(self._parts) > MOST_PIECES:
            raise TargetFailed("the function gave back a stream that does not end")

    def text(self) -> str:
        return "".join(self._parts)


def is_stream(value: Any) -> bool:
    return isinstance(value, Iterator)


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
