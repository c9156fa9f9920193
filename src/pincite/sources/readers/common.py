"""What every reader shares: the record it makes, and the error it raises."""

from __future__ import annotations

import hashlib
import re
from typing import Any

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
