"""The lines of a file, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

MARK = b"\xef\xbb\xbf"
"""What some editors put at the beginning of a file."""


def lines_of(file: BinaryIO, most: int, digest: Any = None) -> Iterator[tuple[int, int, bytes | None]]:
    """Number, place and bytes of each line that is not empty; None for one of more than `most` bytes."""
    number = offset = 0
    while raw := file.readline(most + 1):
        number += 1
        start = offset
        kept: bytes | None = raw if len(raw) <= most else None
        while True:
            offset += len(raw)
            if digest is not None:
                digest.update(raw)
            if kept is not None or raw.endswith(b"\n") or not (raw := file.readline(most)):
                break
        if number == 1 and kept is not None and kept.startswith(MARK):
            kept, start = kept[len(MARK) :], start + len(MARK)
        if kept is None or kept.strip():
            yield number, start, kept
