"""The tolerant reader: a model's reply becomes one answer an item, or the reason why there is none.

It takes the JSON that was asked for, and what models send instead: JSON in a fence or after a sentence, a
list, one object a line, `{"1": 0.8}`, a reply that was cut off, and for one item plain words
(`reply_scores`). An item that is missing, given twice, out of range or at odds with itself stays unread; the
others are kept.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from pincite.judges.llm.reply_json import OUTCOME_KEYS, SCORE_KEYS, TWICE, Entry, find_entries, item_number
from pincite.judges.llm.reply_scores import read_outcome, read_plain, read_score
from pincite.records import Outcome

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


def read_reply(text: str, items: int, outcomes: Sequence[Outcome], grades: bool = False) -> ReadReply:
    """Read a reply about the items 1 to `items`; `grades` lets a bare 1, 2 or 3 be the grade of one item."""
    if len(text) > LONGEST:
        return _unread(items, "the reply was far too long")
    text = _without_thoughts(text)
    entries = find_entries(text)
    if entries:
        return _read_entries(entries, items, outcomes)
    if not text.strip():
        return _unread(items, "the reply was empty")
    # Broken JSON is not plain words: the score could be read without the outcome that stands beside it.
    said = read_plain(text, grades) if items == 1 and "{" not in text else None
    if said is None:
        wanted = "a score or an outcome" if items == 1 else "the JSON object with one verdict per item"
        return _unread(items, f"{wanted} could not be found in the reply")
    answer = _settled(said.outcome, said.score, outcomes)
    return ReadReply({}, {1: answer}) if isinstance(answer, str) else ReadReply({1: answer}, {})


def shown(text: str, most: int = 500) -> str:
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


def _read_entries(entries: Sequence[Entry], items: int, outcomes: Sequence[Outcome]) -> ReadReply:
    if all(entry.item is None for entry in entries):
        if len(entries) != items:
            return _unread(items, "the verdicts did not say which item they are for")
        entries = [Entry(number, entry.value) for number, entry in enumerate(entries, 1)]
    given: dict[int, list[Any]] = {}
    for entry in entries:
        if entry.item is not None:
            given.setdefault(entry.item, []).append(entry.value)
    if 0 in given and items not in given:
        # Then every number is likely to be one too low, and each verdict to be about the next item.
        return _unread(items, "items were counted from 0: use the numbers as given")
    read = ReadReply({}, {})
    for item in range(1, items + 1):
        values = given.get(item, [])
        if len(values) == 1 and values[0] is not TWICE:
            answer = _read_value(values[0], outcomes)
        else:
            answer = "it was given more than one verdict" if values else "it was given no verdict"
        if isinstance(answer, str):
            read.complaints[item] = answer
        else:
            read.answers[item] = answer
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
