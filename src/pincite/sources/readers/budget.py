"""What reading one source may cost, in memory and in time.

A small file can hold a great many values: a byte of CSV is a cell, and a cell is some hundred bytes once its
place is known. Readers say what they are about to make (`spend`), by rough sizes that were measured, and a
source that makes too much of itself is refused.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pincite.config import Limits
from pincite.sources.readers.common import Unreadable

CELL = 110
"""Bytes of a cell's or a value's span, as part of a row."""
NAMED = 240
"""Bytes of a value that is found by its path, without the path."""
CONTAINER = 120
"""Bytes of a list, an object, a row or a table."""
ENTRY = 900
"""Bytes of a source that is one of many in a file."""

_PACKED_RATIO = 250
_ALWAYS_UNPACKED = 8 * 1024 * 1024


class OverBudget(Unreadable):
    """Reading the source takes more than it may; what is left of it is not read either."""


class _Budget:
    def __init__(self, limits: Limits, size: int) -> None:
        self.megabytes = limits.reader_mb
        self.left = limits.reader_mb * 1024 * 1024 + size
        self.seconds = seconds_for(size, limits)
        self.deadline = time.monotonic() + self.seconds


_current: ContextVar[_Budget | None] = ContextVar("budget", default=None)


@contextmanager
def budget(limits: Limits, size: int) -> Iterator[None]:
    """Within it, a source of so many bytes is read, and `spend` counts."""
    token = _current.set(_Budget(limits, size))
    try:
        yield
    finally:
        _current.reset(token)


def spend(memory: int = 0) -> None:
    """Take bytes of memory from the budget of the source that is being read, and look at the clock."""
    current = _current.get()
    if current is None:
        return
    current.left -= memory
    if current.left < 0:
        raise OverBudget(out_of_memory(current.megabytes))
    if time.monotonic() > current.deadline:
        raise OverBudget(out_of_time(current.seconds))


def seconds_for(size: int, limits: Limits) -> float:
    """How long reading a source of so many bytes may take: five seconds more for each megabyte."""
    return limits.reader_seconds + 5 * size / 1_000_000


def most_unpacked(packed: int) -> int:
    """To how much something of this size may unpack; what goes beyond was made to do harm."""
    return max(_ALWAYS_UNPACKED, packed * _PACKED_RATIO)


def out_of_memory(megabytes: int, place: str = "") -> str:
    return (
        f"reading it takes more than {megabytes:,} MB of memory{place}; "
        f"raise limits.reader_mb to give it more"
    )


def out_of_time(seconds: float, place: str = "") -> str:
    return (
        f"reading it was stopped after {seconds:,.3g} seconds{place}; "
        f"raise limits.reader_seconds to give it more time"
    )
