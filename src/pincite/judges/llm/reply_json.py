"""Finds JSON in a model's reply, and what it says about which item.

JSON may stand alone, in a fence, after a sentence or line by line. Where an outer object is broken or cut
off, the whole ones inside it are found.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

OUTCOME_KEYS = ("outcome", "verdict", "label")
SCORE_KEYS = ("score", "support_score", "rating", "support")

_MOST_FAILURES = 200
"""How often the search for JSON may begin anew, so that a hostile reply cannot make it slow."""
_DEEPEST = 4
_CONTAINERS = (
    "verdicts",
    "verdict",
    "results",
    "result",
    "items",
    "answers",
    "scores",
    "evaluations",
    "judgements",
)
_ITEM_KEYS = ("item", "item_number", "number", "id", "index", "pair")
_OPENING = re.compile(r"[\[{]")
_FENCE_BEFORE = re.compile(r"```[a-zA-Z]{0,10}\s{0,5}$")
_ITEM_NUMBER = re.compile(r"(?:item[\s_-]?)?([0-9]{1,6})", re.IGNORECASE)


class Twice:
    """Stands for the values of a key that an object has twice."""


TWICE = Twice()


class Entry(Struct, frozen=True):
    """What a reply says about one item; `item` is None where it does not say which."""

    item: int | None
    value: Any


def find_entries(text: str) -> list[Entry]:
    """Everything that the JSON in a reply says about items, in the order of the text."""
    return [entry for value, alone in _json_values(text) for entry in _entries(value, alone)]


def item_number(value: Any) -> int | None:
    """The number; -1 for one that was given and is none; None where there is no number."""
    if value is None:
        return None
    if isinstance(value, str):
        found = _ITEM_NUMBER.fullmatch(value.strip())
        return int(found[1]) if found else -1
    if isinstance(value, bool) or not isinstance(value, int | float):
        return -1
    return int(value) if math.isfinite(value) and value == int(value) else -1


def _json_values(text: str) -> Iterator[tuple[Any, bool]]:
    """Every object and list in the text, outermost first, and whether it stands alone or in a fence."""
    decoder = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, strict=False)
    position = failures = 0
    while failures < _MOST_FAILURES:
        opening = _OPENING.search(text, position)
        if opening is None:
            return
        start = opening.start()
        try:
            value, position = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            failures, position = failures + 1, start + 1
            continue
        yield value, _stands_alone(text, start, position)


def _stands_alone(text: str, start: int, end: int) -> bool:
    before, after = text[max(0, start - 20) : start], text[end : end + 20].strip()
    if _FENCE_BEFORE.search(before):
        return after.startswith("```") or not after
    return start < 20 and not before.strip("\ufeff \t\r\n") and not after


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        found[key] = TWICE if key in found else value
    return found


def _integer(digits: str) -> float:
    return int(digits) if len(digits) < 20 else math.inf


def _entries(value: Any, whole: bool, depth: int = 0) -> list[Entry]:
    """What a value says about items. A list of bare numbers counts only where nothing else can be meant."""
    if depth > _DEEPEST:
        return []
    if isinstance(value, list):
        if whole and value and all(_is_scalar(one) for one in value):
            return [Entry(None, one) for one in value]
        return [entry for one in value if isinstance(one, dict) for entry in _entries(one, False, depth + 1)]
    if not isinstance(value, dict):
        return []
    inside = next((value[key] for key in _CONTAINERS if isinstance(value.get(key), list | dict)), None)
    if inside is not None:
        return _entries(inside, True, depth + 1)
    if any(key in value for key in (*OUTCOME_KEYS, *SCORE_KEYS)):
        number = next((value[key] for key in _ITEM_KEYS if key in value), None)
        return [Entry(item_number(number), value)]
    numbered = [(_ITEM_NUMBER.fullmatch(key), one) for key, one in value.items()]
    return [Entry(int(key[1]), one) for key, one in numbered if key]


def _is_scalar(value: Any) -> bool:
    return isinstance(value, int | float | str) and not isinstance(value, bool)
