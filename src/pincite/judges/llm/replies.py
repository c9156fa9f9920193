"""The tolerant reader: a model's reply becomes one answer an item, or the reason why there is none.

It takes the JSON that was asked for, and what models send instead: JSON in a fence or after a sentence, a
list, one object a line, `{"1": 0.8}`, a reply that was cut off, and for one item plain words
(`reply_scores`). An item that is missing, given twice, out of range or at odds with itself stays unread; the
others are kept.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from pincite.judges.llm.reply_scores import read_outcome, read_plain_words, read_score
from pincite.records import Outcome
from pincite.text import word_list

OUTCOME_KEYS = ("outcome", "verdict", "label")
SCORE_KEYS = ("score", "support_score", "rating", "support")

_MOST_FAILURES = 200
"""How often the search for JSON may begin anew, so that a hostile reply cannot make it slow."""
_DEEPEST = 4
_CONTAINERS = word_list("verdicts verdict results result items answers scores evaluations judgements")
_ITEM_KEYS = ("item", "item_number", "number", "id", "index", "pair")
_OPENING = re.compile(r"[\[{]")
_FENCE_BEFORE = re.compile(r"```[a-zA-Z]{0,10}\s{0,5}$")
_ITEM_NUMBER = re.compile(r"(?:item[\s_-]?)?([0-9]{1,6})", re.IGNORECASE)
TWICE = object()
"""Stands for the values of a key that an object has twice."""


ItemEntry = tuple[int | None, Any]
"""The number of an item, None where a reply does not say which, and what the reply says about it."""


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
    """Every object and list in the text, outermost first, and whether it is alone or in a fence."""
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


def _entries(value: Any, whole: bool, depth: int = 0) -> list[ItemEntry]:
    """What a value says about items. A list of bare numbers counts only where nothing else can be meant."""
    if depth > _DEEPEST:
        return []
    if isinstance(value, list):
        if whole and value and all(_is_scalar(one) for one in value):
            return [(None, one) for one in value]
        return [entry for one in value if isinstance(one, dict) for entry in _entries(one, False, depth + 1)]
    if not isinstance(value, dict):
        return []
    inside = next((value[key] for key in _CONTAINERS if isinstance(value.get(key), list | dict)), None)
    if inside is not None:
        return _entries(inside, True, depth + 1)
    if any(key in value for key in (*OUTCOME_KEYS, *SCORE_KEYS)):
        number = next((value[key] for key in _ITEM_KEYS if key in value), None)
        return [(item_number(number), value)]
    numbered = [(_ITEM_NUMBER.fullmatch(key), one) for key, one in value.items()]
    return [(int(key[1]), one) for key, one in numbered if key]


def _is_scalar(value: Any) -> bool:
    return isinstance(value, int | float | str) and not isinstance(value, bool)


THRESHOLD = 0.5
"""At and above this score a claim is supported."""

LONGEST = 4_000_000
"""A reply of more characters than this is not read."""

_REASON_KEYS = ("reason", "explanation", "rationale")
_THOUGHTS_END = "</think>"


class ItemAnswer(Struct, frozen=True):
    """What the model said about one item, made whole: outcome and score agree."""

    outcome: Outcome
    score: float
    reason: str = ""
    passage: int | None = None
    """A number of the prompt's passages, as the model gave it."""
    quote: str | None = None
    note: str = ""
    """What the reader had to add or leave out."""


class ReadReply(Struct, frozen=True):
    """Every item of a prompt, by its number, is in one of the two."""

    answers: dict[int, ItemAnswer]
    complaints: dict[int, str]
    """Why an item stays unread: our own words, fit to be sent to the model."""


def read_verdicts(text: str, items: int, outcomes: Sequence[Outcome], grades: bool = False) -> ReadReply:
    """Read a reply about the items 1 to `items`; `grades` lets a bare 1, 2 or 3 be the grade of one item."""
    if len(text) > LONGEST:
        return _unread(items, "the reply was far too long")
    text = _without_thoughts(text)
    entries = [entry for value, alone in _json_values(text) for entry in _entries(value, alone)]
    if entries:
        return _read_entries(entries, items, outcomes)
    if not text.strip():
        return _unread(items, "the reply was empty")
    # Broken JSON is not plain words: the score could be read without the outcome beside it.
    said = read_plain_words(text, grades) if items == 1 and "{" not in text else None
    if said is None:
        wanted = "a score or an outcome" if items == 1 else "the JSON object with one verdict per item"
        return _unread(items, f"{wanted} could not be found in the reply")
    answer = _settled(*said, outcomes)
    return ReadReply({}, {1: answer}) if isinstance(answer, str) else ReadReply({1: answer}, {})


def shown_reply(text: str, most: int = 500) -> str:
    """A reply as it may be kept and printed: on one line, trimmed, invisible characters escaped."""
    cut = " ".join(text[: 4 * most].split())
    safe = "".join(_escaped(character) for character in cut[: most + 1])
    return f"{safe[: most - 1]}…" if len(safe) > most or len(text) > 4 * most else safe


def _escaped(character: str) -> str:
    if unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return character
    return character.encode("unicode_escape").decode("ascii")


def _unread(items: int, complaint: str) -> ReadReply:
    return ReadReply({}, dict.fromkeys(range(1, items + 1), complaint))


def _without_thoughts(text: str) -> str:
    """The reply without what some models think aloud before it; nothing when they never came to an end."""
    if not text[:50].lstrip().startswith("<think>"):
        return text
    return text.rpartition(_THOUGHTS_END)[2] if _THOUGHTS_END in text else ""


def _read_entries(entries: Sequence[ItemEntry], items: int, outcomes: Sequence[Outcome]) -> ReadReply:
    if all(item is None for item, _ in entries):
        if len(entries) != items:
            return _unread(items, "the verdicts did not say which item they are for")
        entries = [(number, value) for number, (_, value) in enumerate(entries, 1)]
    given: dict[int | None, list[Any]] = {}
    for item, value in entries:
        given.setdefault(item, []).append(value)
    if 0 in given and items not in given:
        # Then every number is likely to be one too low, and each verdict to be about the next item.
        return _unread(items, "items were counted from 0: use the numbers as given")
    read = ReadReply({}, {})
    for number in range(1, items + 1):
        values = given.get(number, [])
        if len(values) == 1 and values[0] is not TWICE:
            answer = _read_value(values[0], outcomes)
        else:
            answer = "it was given more than one verdict" if values else "it was given no verdict"
        if isinstance(answer, str):
            read.complaints[number] = answer
        else:
            read.answers[number] = answer
    return read


def _read_value(value: Any, outcomes: Sequence[Outcome]) -> ItemAnswer | str:
    """One item's verdict, or what is wrong with it."""
    if not isinstance(value, dict):
        outcome, score = read_outcome(value), read_score(value)
        if outcome is None and score is None:
            return "its score was not a number from 0.0 to 1.0"
        return _settled(outcome, score, outcomes)
    said_outcome, said_score = _first(value, OUTCOME_KEYS), _first(value, SCORE_KEYS)
    outcome, score = read_outcome(said_outcome), read_score(said_score)
    if said_score is not None and score is None:
        return "its score was not a number from 0.0 to 1.0"
    if said_outcome is not None and outcome is None:
        return f"its outcome was none of {', '.join(outcomes)}"
    reason, quote, passage = _first(value, _REASON_KEYS), value.get("quote"), value.get("passage")
    return _settled(
        outcome,
        score,
        outcomes,
        reason=reason if isinstance(reason, str) else "",
        passage=item_number(passage),
        quote=quote if isinstance(quote, str) and quote.strip() else None,
    )


def _first(value: dict[str, Any], keys: Sequence[str]) -> Any:
    return next((value[key] for key in keys if value.get(key) is not None), None)


def _settled(
    outcome: Outcome | None, score: float | None, outcomes: Sequence[Outcome], **told: Any
) -> ItemAnswer | str:
    """Outcome and score made one: what is missing follows from the other, and what is at odds is unread."""
    if outcome is None and score is None:
        return "it was given neither an outcome nor a score"
    if outcome is None:
        below: Outcome = "not_enough" if "not_enough" in outcomes else "contradicted"
        outcome = "supported" if score is not None and score >= THRESHOLD else below
    if outcome not in outcomes:
        return f"its outcome was none of {', '.join(outcomes)}"
    if score is None:
        told["note"] = "the model gave no score, so this is the end of the scale"
        score = 1.0 if outcome == "supported" else 0.0
    elif outcome == "contradicted" and score >= THRESHOLD:
        told["note"] = f"the model gave a score of {score:g} with it, which cannot be one of support"
        score = 0.0
    elif (outcome == "supported") != (score >= THRESHOLD):
        return f"its outcome {outcome} and its score {score:g} did not agree"
    return ItemAnswer(outcome, score, **told)
