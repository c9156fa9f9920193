"""JSON read strictly: duplicate keys, NaN and nesting without end are refused, with their place."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from pincite.errors import InputError
from pincite.sources.readers.common import Unreadable, decode

DEEPEST = 200
"""How many lists and objects may stand inside one another."""

_TEXT = re.compile(r'"[^"\\]*+(?:\\(?:.|\Z)[^"\\]*+)*+(?:"|\Z)', re.DOTALL)
_NO_BRACKETS = re.compile(r"[^\[\]{}]++")
_TOKEN = re.compile(r'"(?:[^"\\]|\\(?:.|\Z))*+(?:"|\Z)|[\[\]{},:]|[^\s\[\]{},:"]++', re.DOTALL)


def read_text(raw: bytes, name: str) -> str:
    """The text of a file; a byte-order mark is dropped, and what is not UTF-8 is refused."""
    try:
        return decode(raw)
    except Unreadable as error:
        raise InputError(f"{name}: {error}") from None


def parse_json(raw: bytes, name: str, deepest: int = DEEPEST) -> Any:
    """The value of a JSON file, or of a part of one, which may be nested less deeply."""
    text = read_text(raw, name)
    if not text.strip():
        raise InputError(f"{name}: the file is empty")
    _check_depth(text, name, deepest)
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_refuse, parse_float=_number)
    except _Found as found:
        raise InputError(f"{name}{_place_of(text, found)}: {found.what}") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        open_text = error.msg.endswith(" starting at")
        told = "the text that begins there never ends" if open_text else error.msg.removesuffix(" at")
        cut = " (the file seems to be cut off)" if open_text or error.pos >= len(text.rstrip()) else ""
        raise InputError(f"{name}: not valid JSON at {where}: {told}{cut}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: not valid JSON: {error}") from None


class _Found(Exception):
    """Something that the standard parser lets through."""

    def __init__(self, what: str, key: str | None = None, constant: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.key = key
        self.constant = constant


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Found(f"the key {key!r:.80} comes twice in one object", key=key)
            seen.add(key)
    return made


def _refuse(constant: str) -> Any:
    raise _Found(f"{constant} is not a JSON number; write null where there is no value", constant=constant)


def _number(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):  # 1e999, which is JSON and could not be written as such again
        raise _Found(f"{digits:.40} is larger than any number that can be held", constant=digits)
    return number


def _place_of(text: str, found: _Found) -> str:
    """The line and column of what was found, looked for only now that there is something to tell."""
    open_keys: list[set[str] | None] = []
    expects_key = False
    for match in _TOKEN.finditer(text):
        piece = match.group()
        if piece == "{":
            open_keys.append(set())
            expects_key = True
        elif piece == "[":
            open_keys.append(None)
            expects_key = False
        elif piece in "]}":
            if open_keys:
                open_keys.pop()
        elif piece == ",":
            expects_key = bool(open_keys) and open_keys[-1] is not None
        elif piece == ":":
            expects_key = False
        elif piece == found.constant:
            return _line_and_column(text, match.start())
        elif expects_key and found.key is not None:
            keys = open_keys[-1]
            key = json.loads(piece)
            if keys is not None and key in keys and key == found.key:
                return _line_and_column(text, match.start())
            if keys is not None:
                keys.add(key)
    return ""


def _line_and_column(text: str, at: int) -> str:
    line = text.count("\n", 0, at) + 1
    return f": line {line}, column {at - text.rfind(chr(10), 0, at)}"


def _check_depth(text: str, name: str, most: int) -> None:
    # The standard parser recurses, so that the input would decide how deep the stack goes.
    if text.count("[") + text.count("{") <= most or _depth(text) <= most:
        return
    depth = 0
    for match in _TOKEN.finditer(text):
        piece = match.group()
        if piece in "[{":
            depth += 1
            if depth > most:
                place = _line_and_column(text, match.start())
                raise InputError(f"{name}{place}: nested more than {most} levels deep")
        elif piece in "]}":
            depth -= 1


def _depth(text: str) -> int:
    """The most lists and objects that are open at once; several times as fast as looking for the place."""
    depth = deepest = 0
    for bracket in _NO_BRACKETS.sub("", _TEXT.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest
