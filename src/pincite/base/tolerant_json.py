r"""JSON and hashes of values that the fast library (msgspec) refuses.

JSON can write half a character (a lone surrogate, `"\ud800"`) and whole numbers of any length. Python reads
both; UTF-8 has no form for the first, and msgspec takes neither. Here the standard library steps in for such
a value, so that it is carried as it is and costs nobody else's result.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

import msgspec

MOST_BITS = 14_000
"""Of a whole number. Python writes out no number of more than 4,300 digits, which are a few bits more."""


def read_json(raw: bytes | str) -> Any:
    """The value of a JSON text; what is not JSON raises `msgspec.DecodeError` or `UnicodeDecodeError`."""
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        return _read_again(raw, error, parse_constant=_refuse, parse_float=_finite)


def read_lenient_json(raw: bytes | str) -> tuple[Any, bool]:
    """The same, and whether something in it is no number: NaN, Infinity, or one too large. Each is null."""
    try:
        return msgspec.json.decode(raw), False
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        left_out: list[str] = []

        def number(read: Callable[[str], float], written: str) -> float | None:
            try:
                return read(written)
            except ValueError:  # infinite, or more digits than Python reads
                left_out.append(written)
                return None

        value = _read_again(
            raw,
            error,
            parse_constant=left_out.append,  # which gives None
            parse_float=partial(number, _finite),
            parse_int=partial(number, int),
        )
        return value, bool(left_out)


def write_json(value: Any, indent: int | None = None) -> bytes:
    """Plain values and records as JSON. Only a value that UTF-8 cannot hold is written with escapes."""
    try:
        written = msgspec.json.encode(value, enc_hook=str)
    except (UnicodeEncodeError, OverflowError):
        return json.dumps(_finite_only(_plain(value)), indent=indent).encode("ascii")
    return written if indent is None else msgspec.json.format(written, indent=indent)


def hashed_form(value: Any) -> bytes:
    """Bytes that differ where two plain values or records differ, whatever is in them."""
    try:
        return msgspec.json.encode(value, enc_hook=str, order="deterministic")
    except (UnicodeEncodeError, OverflowError):
        return json.dumps(_plain(value), sort_keys=True).encode("ascii")


def _read_again(raw: bytes | str, error: Exception, **hooks: Any) -> Any:
    text = raw if isinstance(raw, str) else raw.decode("utf-8")
    try:
        return json.loads(text, **hooks)
    except ValueError as problem:
        if isinstance(error, msgspec.DecodeError) and "truncated" not in str(error):
            raise error from None
        raise msgspec.DecodeError(str(problem)) from None  # msgspec takes half a character for the end


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON number")


def _finite(written: str) -> float:
    value = float(written)
    if abs(value) == float("inf"):
        raise ValueError("a number is out of range")
    return value


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value, str_keys=True, enc_hook=str)


def _finite_only(value: Any) -> Any:
    """NaN and infinity as null, as msgspec writes them."""
    if isinstance(value, dict):
        return {key: _finite_only(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [_finite_only(held) for held in value]
    return None if isinstance(value, float) and not abs(value) < float("inf") else value
