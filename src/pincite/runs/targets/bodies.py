"""The body of a reply as text: unpacked where it came compressed, decoded as it says or as it is."""

from __future__ import annotations

import zlib

from pincite.runs.targets.http_client import MOST_BYTES, Reply
from pincite.runs.targets.target import TargetFailed
from pincite.text.encodings import decode_declared

_WINDOWS = {"gzip": 31, "x-gzip": 31, "deflate": 47}
"""How zlib is told what to expect; 47 finds out by itself."""


def text_of(reply: Reply) -> str:
    """The text. Garbage may be a hiccup of the system, so it is worth another try."""
    raw = _unpacked(reply)
    text = _decoded(raw, reply.headers.get("content-type", ""))
    if "\0" in text:
        raise TargetFailed("the reply is not text: it contains NUL bytes", retryable=True)
    return text.removeprefix("\ufeff")


def _unpacked(reply: Reply) -> bytes:
    """We ask for plain replies, but not everybody listens."""
    packed = reply.headers.get("content-encoding", "identity").strip().lower()
    if packed in ("", "identity") or not reply.body:
        return reply.body
    if packed not in _WINDOWS:
        raise TargetFailed(f"the reply is compressed as {packed[:20]!r}, which was not requested")
    unfolding = zlib.decompressobj(_WINDOWS[packed])
    try:
        whole = unfolding.decompress(reply.body, MOST_BYTES)
    except zlib.error:
        raise TargetFailed(f"the reply says that it is {packed}, and is not", retryable=True) from None
    if unfolding.unconsumed_tail:
        raise TargetFailed(f"the reply is over {MOST_BYTES // 2**20} MB")
    if not unfolding.eof:
        raise TargetFailed("the connection closed in the middle of the answer", retryable=True)
    return whole


def _decoded(raw: bytes, kind: str) -> str:
    """UTF-8 where it is that, whatever the reply says of itself; else as it says."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    said = next((part for part in kind.split(";")[1:] if part.strip().lower().startswith("charset=")), "")
    charset = said.partition("=")[2].strip().strip("\"'")
    if (text := decode_declared(raw, charset)) is not None:
        return text
    raise TargetFailed("the reply is not UTF-8 text", retryable=True)
