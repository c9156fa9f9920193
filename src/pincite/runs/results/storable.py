"""Results as bytes, whatever stands in them: a lone surrogate or an endless number must not lose a result."""

from __future__ import annotations

from typing import Any

import msgspec

from pincite.any_json import MOST_BITS
from pincite.records import ItemResult

_LARGEST = 2**63
_encoder = msgspec.msgpack.Encoder(enc_hook=str)
_decoder = msgspec.msgpack.Decoder(ItemResult)


def encode(result: ItemResult) -> bytes:
    return _encoder.encode(result)


def decode(content: bytes) -> ItemResult:
    return _decoder.decode(content)


def storable(result: ItemResult) -> ItemResult:
    """The result, with what no file can hold written as text that it can."""
    try:
        _encoder.encode(result)
        return result
    except (UnicodeEncodeError, OverflowError, ValueError, TypeError, RecursionError):
        return msgspec.convert(_plain(msgspec.to_builtins(result, enc_hook=str)), ItemResult)


def _plain(value: Any, depth: int = 0) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
        return str(value)[:100] if value.bit_length() <= MOST_BITS else "a number of thousands of digits"
    if depth > 100:
        return None
    if isinstance(value, dict):
        return {_plain(key): _plain(held, depth + 1) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(held, depth + 1) for held in value]
    return value
