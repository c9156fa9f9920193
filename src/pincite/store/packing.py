"""Records as bytes for a column, and back."""

from __future__ import annotations

import json
import re
import zlib
from typing import Any, TypeVar

import msgspec

from pincite.errors import StoreError

T = TypeVar("T")

WORTH_COMPRESSING = 512
"""Bytes below which compressing saves less than it costs."""
MOST_BYTES = 1024 * 1024 * 1024
"""What a damaged or forged row may unfold to."""

MOST_CHARACTERS = 500

_PLAIN, _COMPRESSED, _JSON = b"m", b"z", b"j"
_NOT_TEXT = re.compile("[\0\ud800-\udfff]")
_encode = msgspec.msgpack.Encoder(enc_hook=str).encode


def pack(value: Any) -> bytes:
    """The value as bytes, compressed where that pays."""
    try:
        data = _encode(value)
    except (UnicodeEncodeError, OverflowError):
        # Half a surrogate pair, or a number of more than 64 bits, which only the standard library writes.
        plain = msgspec.to_builtins(value, str_keys=True, enc_hook=str)
        text = json.dumps(plain, ensure_ascii=False)
        return _JSON + zlib.compress(text.encode("utf-8", "surrogatepass"), 1)
    if len(data) >= WORTH_COMPRESSING:
        smaller = zlib.compress(data, 1)
        if len(smaller) < len(data):
            return _COMPRESSED + smaller
    return _PLAIN + data


def unpack(stored: bytes, kind: type[T]) -> T:
    """The value that `pack` was given. What cannot be read back is a `StoreError`."""
    if not isinstance(stored, bytes | bytearray | memoryview):  # SQLite keeps any value in any column
        raise StoreError(f"a row of the history is damaged: expected bytes, found a {type(stored).__name__}")
    mark, data = bytes(stored[:1]), bytes(stored[1:])
    try:
        if mark == _PLAIN:
            return msgspec.msgpack.decode(data, type=kind)
        if mark == _COMPRESSED:
            return msgspec.msgpack.decode(_unfold(data), type=kind)
        if mark == _JSON:
            return msgspec.convert(json.loads(_unfold(data).decode("utf-8", "surrogatepass")), kind)
    except (msgspec.MsgspecError, zlib.error, ValueError, RecursionError) as error:
        raise StoreError(f"a row of the history is damaged: {str(error)[:200]}") from error
    raise StoreError("a row of the history is damaged, or was written by a newer Pincite")


def as_text(text: str | None) -> str | None:
    """Text for a column; the record itself holds it as it was.

    PostgreSQL takes no NUL, no database takes half a surrogate pair, and no index takes endless text.
    """
    if text is None or (len(text) <= MOST_CHARACTERS and text.isascii() and "\0" not in text):
        return text  # nearly every time
    return _NOT_TEXT.sub("\ufffd", text[:MOST_CHARACTERS])


def _unfold(data: bytes) -> bytes:
    unfolding = zlib.decompressobj()
    whole = unfolding.decompress(data, MOST_BYTES)
    if not unfolding.eof:
        raise ValueError("it is cut short, or far too large")
    return whole
