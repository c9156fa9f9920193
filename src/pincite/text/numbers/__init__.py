"""Finds the quantities of a text: numbers, measures, money, shares, ranks and dates, each as an interval.

What is left alone: names with digits in them (`COVID-19`, `F-16`, `3D`), versions (`1.2.3`), identifiers,
numbers inside web addresses and citation markers such as `[3]`.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from pincite.text.numbers.bounds import Bound, date_bound_before
from pincite.text.numbers.calendar import MONTHS
from pincite.text.numbers.dates import DASHES, Day, read_date
from pincite.text.numbers.quantities import Comparison, Quantity, compare
from pincite.text.numbers.tokens import NUMBER, WORD, NumberTokens, cells_apart
from pincite.text.numbers.with_units import (
    VAGUE,
    is_part_of_name,
    ordinal_quantity,
    read_number,
    vague_quantity,
)
from pincite.text.numbers.words import HALVED, ORDINALS, STARTERS, read_ordinal
from pincite.text.wordlists import word_set

__all__ = ["Comparison", "Quantity", "compare", "find_quantities"]

_ADDRESS = re.compile(r"(?:https?://|www\.)\S++")


def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Every quantity of the text, in order, none overlapping another."""
    without_addresses = _ADDRESS.sub(lambda match: " " * len(match.group()), text)
    tokens = NumberTokens(cells_apart(without_addresses), text)
    found: list[Quantity] = []
    index = 0
    floor = 0
    while index < tokens.real:
        token = tokens[index]
        read = None
        starts = token.kind == NUMBER or (token.kind == WORD and token.lower in _STARTS)
        if starts and (token.lower not in _ARTICLES or tokens[index + 1].lower in _AFTER_ARTICLE):
            read = _read(tokens, index, floor)
        if read is None:
            index += 1
        else:
            quantity, index = read
            floor = index
            found.append(quantity)
    return tuple(found)


_ARTICLES = frozenset({"a", "an"})
_AFTER_ARTICLE = HALVED | word_set(
    "dozen hundred thousand million billion trillion third quarter fifth half week month"
)
_TO_A_DATE = frozenset({"until", "till", "through"})
_STARTS = STARTERS | frozenset(ORDINALS) | frozenset(MONTHS) | word_set("q h fy fiscal cy") | frozenset(VAGUE)


def _read(tokens: NumberTokens, index: int, floor: int) -> tuple[Quantity, int] | None:
    token = tokens[index]
    if token.kind == NUMBER and is_part_of_name(tokens, index):
        return None
    day = read_date(tokens, index)
    if day is not None:
        return _finish_date(tokens, index, floor, day)
    if token.kind == WORD and token.lower in VAGUE:
        return vague_quantity(tokens, index, floor)
    ordinal = read_ordinal(tokens, index)
    if ordinal is not None:
        return ordinal_quantity(tokens, index, ordinal)
    return read_number(tokens, index, floor)


# --- dates ---------------------------------------------------------------------------------------


def _finish_date(tokens: NumberTokens, index: int, floor: int, day: Day) -> tuple[Quantity, int]:
    after, lead = day.next, tokens[index - 1].lower
    joiner = tokens[after].lower
    between = joiner == "and" and lead == "between"
    if between or joiner in DASHES or joiner in _TO_A_DATE or (joiner == "to" and lead == "from"):
        second = read_date(tokens, after + 1)
        first = index - 1 if lead in {"from", "between"} and index - 1 >= floor else index
        if second is not None and second.kind == day.kind and second.high > day.high:
            after = second.next
            spread = _date_quantity(tokens, first, after, day._replace(high=second.high), None)
            if lead == "between":
                return spread, after
            return replace(spread, begins=_edge(day), ends=_edge(second)), after
        if second is not None and day.kind == "day" and second.kind == "date":
            return _date_quantity(tokens, first, second.next, second._replace(unit=""), None), second.next
    bound, first = date_bound_before(tokens, index, floor)
    or_later = joiner == "or" and tokens[after + 1].lower == "later"
    if bound is None and (or_later or joiner in {"onward", "onwards"}):
        bound, after = Bound.AT_LEAST, after + (2 if or_later else 1)
    quantity = _date_quantity(tokens, first, after, day, bound)
    if bound is None and day.parts is not None:
        return replace(quantity, begins=(day.low, day.parts[0]), ends=(day.parts[1], day.high)), after
    word = tokens[first].lower if tokens[first + 1].lower != "at" else ""
    if bound is Bound.AT_LEAST and word == "since":
        return replace(quantity, begins=_edge(day)), after
    if bound is Bound.AT_MOST and word in _TO_A_DATE:
        return replace(quantity, ends=_edge(day)), after
    return quantity, after


def _edge(day: Day) -> tuple[float, float]:
    """The date as a half-open interval; days without a year are counted to the last one."""
    return (day.low, day.high + 1 if day.kind == "day" else day.high)


def _date_quantity(tokens: NumberTokens, first: int, after: int, day: Day, bound: Bound | None) -> Quantity:
    low, high, closed = day.low, day.high, day.kind == "day"
    low_open, high_open = False, not closed
    if bound is Bound.BELOW:
        low, high, high_open = -float("inf"), low, True
    elif bound is Bound.AT_MOST:
        low = -float("inf")
    elif bound is Bound.ABOVE:
        low, high, low_open, high_open = high, float("inf"), closed, False
    elif bound is Bound.AT_LEAST:
        high, high_open = float("inf"), False
    elif bound is Bound.NEAR:
        width = max(high - low, 1.0)
        low, high = low - width, high + width
    start, end = tokens[first].start, tokens[after - 1].end
    interval = (day.kind, low, high, day.unit, low_open, high_open, day.low)
    return Quantity(tokens.source[start:end], start, end, *interval, blurred=bound is Bound.NEAR)
