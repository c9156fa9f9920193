"""NaN and Infinity in JSON, which are no numbers of the format, and numbers of more than 64 bits.

Python and others write them. A long file is read by a parser that takes none of them. `Marked` puts a text in
the place of each on the way to that parser; `unmarked` puts the word back into what is written out again, for
whoever reads one answer.
"""

from __future__ import annotations

import re
import secrets
from typing import BinaryIO

_INSIDE = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_WORD = re.compile(
    rb"(?<![\w.+-])-?(?:NaN|Infinity|[0-9]{19,}+(?![.eE])|[0-9]++(?:\.[0-9]++)?+[eE][+-]?+[0-9]{3,}+)\b"
)
_OF_WORDS = b"+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What such a word is made of: at the end of a piece it may be cut off."""
_LONGEST = 1 << 20
"""Bytes of a word that is waited for; no parser takes a longer number anyway."""


class Marked:
    """A stream of JSON in which each such word outside of texts is a text that nobody else writes."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._mark = b"pincite-" + secrets.token_hex(16).encode() + b":"
        self._inside = False
        self._held = b""
        self._over = False

    def read(self, size: int = -1) -> bytes:
        """The next piece, which may be longer than was asked for."""
        while size and not self._over:  # a parser may ask for nothing, to see what comes
            fresh = self._stream.read(size)
            self._over = not fresh
            if piece := self._pass_on(self._held + fresh):
                return piece
        return b""

    def unmarked(self, raw: bytes) -> bytes:
        """The same with the words as they were."""
        return re.sub(rb'"' + self._mark + rb'([-+.\w]+)"', rb"\1", raw)

    def _pass_on(self, raw: bytes) -> bytes:
        parts: list[bytes] = []
        at, self._held = 0, b""
        while at < len(raw):
            if self._inside:
                inside = _INSIDE.match(raw, at)
                end = inside.end() if inside is not None else at
                closed = raw[end : end + 1] == b'"'
                parts.append(raw[at : end + closed])
                self._inside = not closed
                if not closed:  # at most a backslash is left, whose second half is still to come
                    self._held = raw[end:]
                    break
                at = end + 1
            else:
                quote = raw.find(b'"', at)
                end = quote if quote >= 0 else len(raw)
                if quote < 0 and not self._over:
                    end = max(at, len(raw.rstrip(_OF_WORDS)))
                    end = end if len(raw) - end <= _LONGEST else len(raw)
                    self._held = raw[end:]
                parts.append(_WORD.sub(self._marked, raw[at:end]))
                if quote < 0:
                    break
                parts.append(b'"')
                self._inside, at = True, end + 1
        return b"".join(parts)

    def _marked(self, word: re.Match[bytes]) -> bytes:
        return b'"' + self._mark + word[0] + b'"'
