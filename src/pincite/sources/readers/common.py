"""What every reader shares: the record it makes, the error it raises, and what reading may cost."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from pincite.config import Limits
from pincite.errors import SourceError
from pincite.records import Source
from pincite.sources.passages import page_starts_of
from pincite.text import decode_declared


class Unreadable(SourceError):
    """A source that cannot be read; the message is a reason for a person, without the source's name."""


def make_source(
    name: str,
    text: str,
    *,
    title: str | None = None,
    page_starts: tuple[int, ...] | None = None,
    **known: Any,
) -> Source:
    """A source with its hash and what else is `known`; pages come from form feeds unless they are given."""
    return Source(
        name=name,
        text=text,
        title=clean_title(title),
        page_starts=page_starts if page_starts is not None else page_starts_of(text),
        sha256=hash_text(text),
        **known,
    )


_HASHED = 1 << 20
"""Characters at a time: a whole text in bytes would be as large as the text once more."""


def hash_text(text: str) -> str:
    """SHA-256 of the text in UTF-8; a lone surrogate, for which UTF-8 has no form, counts as three bytes."""
    digest = hashlib.sha256()
    for start in range(0, len(text), _HASHED):
        digest.update(text[start : start + _HASHED].encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def clean_title(title: str | None) -> str | None:
    """A title on one line, or None for an empty one and for what tools write when there is none."""
    folded = " ".join((title or "").split())[:1000]
    return None if folded.casefold() in ("", "untitled", "untitled document") else folded


_DECLARED = re.compile(rb"""charset\s{0,9}=\s{0,9}["']?([A-Za-z0-9_.:-]{1,40})""", re.IGNORECASE)


def decode(raw: bytes, declared: bool = False) -> str:
    """The text of a file: UTF-8, or what a byte-order mark says; nothing is ever replaced.

    With `declared`, as in HTML, an encoding of text that is named in the first kilobyte counts too.
    """
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return _strictly(raw[len(mark) :], encoding, len(mark))
    if declared:
        named = _DECLARED.search(raw[:1024])
        if named and (text := decode_declared(raw, named.group(1).decode("ascii"))) is not None:
            return text
    text = _strictly(raw, "utf-8", 0)
    # ASCII text in UTF-16 is valid UTF-8 with a NUL after every letter: never what was meant.
    if raw[:4096].count(0) * 5 > len(raw[:4096]) * 2:
        raise Unreadable(
            "not UTF-8 text: it looks like UTF-16 without a byte-order mark; save it as UTF-8 and check again"
        )
    return text


_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


def _strictly(raw: bytes, encoding: str, skipped: int) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        guess = "looks like a binary file" if b"\0" in raw[:4096] else "may be Windows-1252 or Latin-1"
        hint = f" (it {guess})" if encoding == "utf-8" else ""
        where = f"byte 0x{raw[error.start]:02x} at offset {error.start + skipped:,}"
        problem = f"not {encoding.upper()}: {where} cannot be decoded{hint}; save it as UTF-8 and check again"
        raise Unreadable(problem) from None


# --- what reading may cost -------------------------------------------------------------------------
#
# A small file can hold a great many values: a byte of CSV is a cell, and a cell is some hundred bytes once
# its place is known. Readers say what they are about to make (`spend`), by rough sizes that were measured,
# and a source that makes too much of itself is refused.


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
