"""A claim against one value of a JSON document: compared as a value, not read as prose.

`1200` has no unit and no sentence around it, so numbers are compared bare: `$1,200`, `1.2K` and `1200
dollars` all state it. A percentage fits the value as written and
as a fraction (`3.75%` fits 3.75 and 0.0375).
"""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec import Struct

from pincite.records import Outcome, Passage, Span, Verdict
from pincite.text import WORD, NumberTokens, compare, find_quantities, find_terms, read_core

JUDGE = "values/1"
_NO = re.compile(
    r"\b(?:no|not|false|never|none|without|disabled|excluded|inactive|lacks?)\b|n['’]t\b", re.IGNORECASE
)
_OPEN_END = re.compile(r"\b(?:since|from|until|till|as of|starting|effective|on or after)\s", re.IGNORECASE)
LARGEST = 1e300
"""Numbers beyond this, and those that are none, are not compared."""
_CURRENCY = "$€£¥₹"


class Number(Struct, frozen=True):
    """A number as it is written, whatever it counts; `slack` is half a unit of its last digit."""

    text: str
    value: float
    slack: float
    percent: bool


def judge_value(passages: tuple[Passage, ...], claim: str, near: str) -> Verdict | None:
    """Whether the claim states the passage's value; None when the value is prose for a judge to read.

    `near` is the part of the claim before the marker: where the value should be.
    """
    if len(passages) != 1:
        return None
    try:
        value = json.loads(passages[0].text)
    except ValueError:
        # A table's cell is plain text.
        value = _cell(passages[0].text)
    if isinstance(value, bool):
        return _judge_flag(value, near if near.strip() else claim, passages[0])
    if isinstance(value, int | float):
        if not -LARGEST < value < LARGEST:
            return None
        return _judge_number(float(value), near, claim, passages[0])
    if value is None:
        return _decided(passages[0], _NO.search(claim) is not None, "null", "the value is null")
    if isinstance(value, str):
        return _judge_words(value, claim, passages[0])
    return None


def find_numbers(text: str) -> list[Number]:
    """Every number of the text, bare of its unit."""
    tokens = NumberTokens(text)
    found, index = [], 0
    while index < len(tokens):
        before = tokens[index - 1]
        if before.kind == WORD and tokens.joined(index):
            index += 1  # the 2 of `Q2` and of `H2O` counts nothing
            continue
        core = read_core(tokens, index, money=before.text in _CURRENCY and index > 0)
        if core is None:
            index += 1
            continue
        start, end = tokens[index].start, tokens[core.next - 1].end
        negative = _is_negative(tokens, index, core.next)
        percent = tokens[core.next].text == "%" or tokens[core.next].lower in ("percent", "per")
        value = -core.value if negative else core.value
        found.append(Number(text[start:end], value, core.slack, percent))
        index = core.next
    return found


def _is_negative(tokens: NumberTokens, index: int, after: int) -> bool:
    """`-5`, `−5`, `minus 5`, and the accountant's `(5)`."""
    at = index - 1
    if tokens[at].text in _CURRENCY:
        at -= 1
    if tokens[at].lower == "minus":
        return True
    if tokens[at].text in "-−" and tokens[at].text:
        apart = at == 0 or tokens[at - 1].end < tokens[at].start or tokens[at - 1].text in "(:="
        return apart and tokens[at].end == tokens[at + 1].start
    return tokens[at].text == "(" and tokens[after].text == ")"


def _judge_number(value: float, near: str, claim: str, passage: Passage) -> Verdict | None:
    numbers = find_numbers(near) or find_numbers(claim)
    if not numbers:
        words = {term.stem for term in find_terms(claim) if not term.stop}
        names = find_terms(re.sub(r"[._\[\]'\"]+", " ", passage.context))
        stated = not words.isdisjoint([term.stem for term in names if not term.stop])
        reason = f"the value {_shown(value)} is not stated near the marker"
        return _decided(passage, stated, _shown(value), reason)
    if any(fits(number, value) for number in numbers):
        return _decided(passage, True, _shown(value), "")
    said = numbers[-1].text
    reason = f"number differs: {said} in the claim, {passage.text} in the source"
    return _differs(passage, "number", reason, said)


def fits(number: Number, value: float) -> bool:
    """Equal, or equal once the value is rounded to the digits that the claim writes.

    Rounding forgives a value that has more digits than the claim, never another digit.
    """
    for scale in (1.0, 0.01) if number.percent else (1.0,):
        apart = abs(number.value * scale - value)
        if apart <= 1e-12 * max(1.0, abs(value)):
            return True
        unit = number.slack * 2 * scale
        has_more_digits = unit > 0 and abs(value / unit - round(value / unit)) > 1e-6
        if has_more_digits and apart <= number.slack * scale * (1 + 1e-9):
            return True
    return False


def _judge_flag(value: bool, near: str, passage: Passage) -> Verdict:
    denied = _NO.search(near) is not None
    if denied == value:
        word = "no" if value else "yes"
        return _differs(passage, "negation", f"the claim says {word}, the source {json.dumps(value)}")
    return _decided(passage, True, json.dumps(value), "")


def _judge_words(value: str, claim: str, passage: Passage) -> Verdict | None:
    """A short value must be named; a longer one is prose and goes to the judge."""
    wanted = [term.stem for term in find_terms(value)]
    if not wanted or len(wanted) > 6:
        return None
    if any(character.isdigit() for character in value) and find_numbers(value):
        return _judge_date(value, claim, passage)
    said = {term.stem for term in find_terms(claim)}
    shared = sum(stem in said for stem in wanted)
    if shared / len(wanted) >= 0.8:
        return _decided(passage, True, value, "")
    shown = value if len(value) <= 80 else value[:79] + "…"
    return _decided(passage, False, shown, f"the value “{shown}” is not stated near the marker")


def _judge_date(value: str, claim: str, passage: Passage) -> Verdict | None:
    """A date is compared with the claim's dates; any other text with figures is for a judge to read."""
    dates = [quantity for quantity in find_quantities(value) if quantity.kind == "date"]
    # `since April 2018` is a claim about the day on which it began.
    claimed = [q for q in find_quantities(_OPEN_END.sub("in ", claim)) if q.kind in ("date", "day")]
    if len(dates) != 1 or dates[0].text != value.strip() or not claimed:
        return None
    compared = [compare(date, dates[0]) for date in claimed]
    if "inside" in compared or "overlap" in compared:
        return _decided(passage, True, value, "")
    if "apart" not in compared:
        return None
    said = claimed[compared.index("apart")].text
    return _differs(passage, "date", f"date differs: {said} in the claim, {value} in the source", said)


def _differs(passage: Passage, cause: str, reason: str, said: str | None = None) -> Verdict:
    words = passage.text.strip('"')  # of a JSON string, without its quotation marks
    whole = Span(0, len(passage.text))
    return Verdict("contradicted", 0.0, reason, cause, 0, whole, said, words, judge=JUDGE)


def _decided(passage: Passage, stated: bool, shown: str, reason: str) -> Verdict:
    outcome: Outcome = "supported" if stated else "not_enough"
    why = f"the claim states the value {shown}" if stated else reason
    whole = Span(0, len(passage.text))
    return Verdict(outcome, float(stated), why, "value", 0, whole, None, passage.text, judge=JUDGE)


def _shown(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def _cell(text: str) -> Any:
    numbers = find_numbers(text)
    only_number = len(numbers) == 1 and not re.search(r"[^\W\d_]{2,}", text.replace(numbers[0].text, ""))
    return numbers[0].value if only_number else text.strip().strip('"')
