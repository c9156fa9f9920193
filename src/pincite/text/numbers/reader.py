"""Walks over the tokens of a text: reads each date, and each number with its unit, sign, bound and range."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from pincite.text.numbers.bounds import Bound, bound_after, bound_before, date_bound_before
from pincite.text.numbers.calendar import MONTHS
from pincite.text.numbers.dates import DASHES, Day, read_date
from pincite.text.numbers.quantities import Quantity
from pincite.text.numbers.units import UNITS, NumberUnit, read_currency_before, read_unit
from pincite.text.numbers.words import (
    HALVED,
    NUMBER,
    ORDINALS,
    PART_SLACK,
    SIGN,
    STARTERS,
    WORD,
    Core,
    NumberTokens,
    cells_apart,
    read_core,
    read_ordinal,
)
from pincite.text.wordlists import LISTS, word_set

VAGUE = {"dozens": 12.0, "hundreds": 100.0, "thousands": 1e3, "millions": 1e6, "billions": 1e9}
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


# --- everything countable that is not a date ---

_CHANGES = frozenset(LISTS.words("changes"))
_NAME_PREFIXES = frozenset({"mid", "pre", "post", "early", "late", "circa", "sub"})
_ONE_IS_PRONOUN_BEFORE = word_set("no this that any which each every the another some only")
Read = tuple[Quantity, int]
"""A quantity, and the token after it."""
_CURRENCIES = frozenset({"usd", "eur", "gbp", "rs", "us", "chf", "rmb"})
"""Words that a number may be written to without a space; the 3 of a bare `Q3` counts nothing."""


def is_part_of_name(tokens: NumberTokens, index: int) -> bool:
    """`COVID-19`, `H1N1`, `v1.2`, `[3]`: digits that name rather than count."""
    before = tokens[index - 1]
    if not tokens.joined(index):
        return False
    if before.kind == WORD:
        return before.lower not in _CURRENCIES
    if before.text == "[":
        return tokens[index + 1].text in {"]", ","}
    if before.text == "-" and tokens.joined(index - 1):
        word = tokens[index - 2]
        return word.kind == WORD and word.lower not in _NAME_PREFIXES
    return before.text in {"_", "#", "@", "\\"}


def ordinal_quantity(tokens: NumberTokens, index: int, core: Core) -> Read | None:
    before = tokens[index - 1]
    counted = before.kind == NUMBER or before.lower in {"a", "per", "every", "each", "one"}
    if tokens[index].lower == "second" and counted:
        return None
    return _quantity(tokens, index, core.next, "ordinal", core.value, core.value), core.next


def vague_quantity(tokens: NumberTokens, index: int, floor: int) -> Read | None:
    if tokens[index + 1].lower != "of" or tokens[index - 1].kind == NUMBER:
        return None
    value = VAGUE[tokens[index].lower]
    return _quantity(tokens, index, index + 1, "count", value, float("inf"), blurred=True), index + 1


def read_number(tokens: NumberTokens, index: int, floor: int) -> Read | None:
    first, currency = read_currency_before(tokens, index, floor)
    core = read_core(tokens, index, money=bool(currency))
    if core is None:
        return None
    if core.spelled and core.value == 1 and _one_is_pronoun(tokens, index, core.next):
        return None
    clock = _read_clock(tokens, index, floor, core)
    if clock is not None:
        return clock
    pair = _read_score_or_rating(tokens, index, floor, core)
    if pair is not None:
        return pair
    measure, after = read_unit(tokens, core.next, core, currency)
    if measure is None:
        return None
    sign, first = _read_sign(tokens, first, floor)
    ranged = _read_range(tokens, first, floor, core, measure, after, currency) if sign > 0 else None
    if ranged is not None:
        return ranged
    bound, first_bound = bound_before(tokens, first, floor)
    later, after = bound_after(tokens, after)
    quantity = _number_quantity(tokens, first_bound, after, core, measure, bound or later, sign)
    return quantity, after


def _one_is_pronoun(tokens: NumberTokens, index: int, after: int) -> bool:
    before, following = tokens[index - 1].lower, tokens[after]
    if before in _ONE_IS_PRONOUN_BEFORE or (following.kind != WORD and following.text != "-"):
        return True
    return following.lower in {"of", "another", "is", "was", "can", "who", "that", "and", "or"}


def _read_sign(tokens: NumberTokens, first: int, floor: int) -> tuple[float, int]:
    """-1 for `-5`, `minus 5` and the accountant's `(5)`; and where the number now begins."""
    before = tokens[first - 1]
    if first - 1 < floor:
        return 1.0, first
    if before.lower in {"minus", "negative"}:
        return -1.0, first - 1
    if before.text in {"-", "−"} and tokens.joined(first):
        beyond = tokens[first - 2]
        if not tokens.joined(first - 1) or beyond.text in {"(", "$", "€", "£", "[", "="}:
            return -1.0, first - 1
    return 1.0, first


def _read_clock(tokens: NumberTokens, index: int, floor: int, core: Core) -> Read | None:
    """`12:00`, `4:52 pm`, `5 p.m.`, in minutes of the day."""
    hour, minute, after = core.value, 0.0, core.next
    has_minutes = False
    if not core.plain or hour > 24:
        return None
    if tokens[after].text in {":", "."} and tokens.joined(after) and tokens.joined(after + 1):
        text = tokens[after + 1].text
        if tokens[after].text == ":" and len(text) == 2 and text.isdecimal() and int(text) < 60:
            minute, after, has_minutes = float(text), after + 2, True
    half = tokens[after].lower
    dotted = half in {"a", "p"} and tokens[after + 1].text == "." and tokens[after + 2].lower == "m"
    if half in {"am", "pm"} or dotted:
        after += 3 if dotted else 1
        hour = hour % 12 + (12 if half[0] == "p" else 0)
    elif not has_minutes:
        return None
    value = hour * 60 + minute
    slack = 0.5 if has_minutes else 30.0
    bound, first = date_bound_before(tokens, index, floor)
    if bound is Bound.NEAR:
        bound, first = None, index
    core = Core(value, slack, slack, after)
    return _number_quantity(tokens, first, after, core, NumberUnit("clock"), bound), after


def _read_score_or_rating(tokens: NumberTokens, index: int, floor: int, core: Core) -> Read | None:
    """`4.5/10`, `7 out of 10`, `one in five`, `1/2`, and results such as `3–1`."""
    after = core.next
    sign = tokens[after]
    second_at, kind = 0, ""
    if sign.text == "/" and tokens.joined(after) and tokens.joined(after + 1):
        second_at, kind = after + 1, "share"
    elif sign.lower == "out" and tokens[after + 1].lower == "of":
        second_at, kind = after + 2, "share"
    elif sign.lower == "in" and _is_one_in(tokens, core, after + 1):
        second_at, kind = after + 1, "share"
    elif sign.text in DASHES and core.plain and tokens.joined(after) and tokens.joined(after + 1):
        second_at, kind = after + 1, "score"
    if not second_at:
        return None
    in_words = sign.lower == "in"
    second = read_core(tokens, second_at)
    if second is None or (second.value <= 0 and kind == "share"):
        return None
    end = second.next
    if kind == "share":
        if core.value > second.value or (core.value, second.value) == (9.0, 11.0):
            return None
        value, slack = core.value / second.value, core.slack / second.value
        bound, start = bound_before(tokens, index, floor)
        measure = NumberUnit("share", f"/{second.value:g}")
        rounded = "." in tokens[index].text or second.value in {10.0, 100.0}
        scaled = Core(value, PART_SLACK if in_words else slack if rounded else 0.0, 0.0, end)
        return _number_quantity(tokens, start, end, scaled, measure, bound), end
    unlikely = not second.plain or second.value > core.value or core.value > 200
    if unlikely or (tokens[end].kind == WORD and tokens.joined(end)):
        return None
    return _quantity(tokens, index, end, "score", core.value, second.value), end


_ONE_IN = frozenset(
    (3, 4, 5, 6, 7, 8, 9, 10, 12, 20, 25, 50, 100, 200, 500, 1000, 10_000, 100_000, 1_000_000)
)


def _is_one_in(tokens: NumberTokens, core: Core, index: int) -> bool:
    """`one in five`, `1 in 5`, `3 in 10 people`; not `1 in 5 minutes`, nor `2 in 2014`."""
    if core.spelled and core.value < 100 and tokens[index].lower in STARTERS:
        return True
    if not (core.plain or core.spelled):
        return False
    second = read_core(tokens, index)
    if second is None or not 1 <= core.value < min(10, second.value) or second.value not in _ONE_IN:
        return False
    return tokens[second.next].lower not in UNITS


def _read_range(
    tokens: NumberTokens, first: int, floor: int, core: Core, measure: NumberUnit, after: int, currency: str
) -> Read | None:
    """`5–10 km`, `between 5 and 10`, `from 5% to 10%`; not `rose from 5 to 10`, which names two numbers."""
    joiner = tokens[after].lower
    lead = tokens[first - 1].lower if first - 1 >= floor else ""
    if not (joiner in DASHES or joiner in {"to", "or"} or (joiner == "and" and lead == "between")):
        return None
    if joiner in DASHES and tokens.joined(after) != tokens.joined(after + 1):
        return None
    if joiner == "to" and any(tokens[first - step].lower in _CHANGES for step in range(1, 7)):
        return None
    place = after + 1
    currency_two = currency
    if tokens[place].kind == SIGN or tokens[place].text.isupper():
        probe = place
        while probe < place + 3 and tokens[probe].kind != NUMBER:
            probe += 1
        begins, named = read_currency_before(tokens, probe, place)
        if begins != place:
            return None
        place, currency_two = probe, named or currency
    if tokens[place].kind == NUMBER and is_part_of_name(tokens, place) and joiner not in DASHES:
        return None
    second = read_core(tokens, place, money=bool(currency_two))
    if second is None or second.part != core.part:
        return None
    if read_date(tokens, place) is not None and not second.plain:
        return None
    measure_two, end = read_unit(tokens, second.next, second, currency_two)
    if measure_two is None:
        return None
    if measure.kind == "count":
        measure = measure_two
    elif measure_two.kind == "count":
        measure_two = measure
    if measure.kind != measure_two.kind or (measure.name != measure_two.name and measure.kind == "money"):
        return None
    value = core.value
    if core.exponent == 0 and second.exponent and value < 1000:
        value *= 10.0**second.exponent
    low, high = measure.to_base(value), measure_two.to_base(second.value)
    if low >= high or (joiner == "or" and second.value - core.value != 1):
        return None
    start = first - 1 if lead in {"between", "from"} else first
    bound, start_bound = bound_before(tokens, start, floor)
    if bound in (Bound.ABOVE, Bound.AT_LEAST, Bound.BELOW, Bound.AT_MOST):
        return None
    more = {"unit": measure.name, "slack": measure.width(core.slack), "loose": measure.width(core.slack)}
    return _quantity(tokens, start_bound, end, measure.kind, low, high, **more), end


def _quantity(
    tokens: NumberTokens, first: int, after: int, kind: str, low: float, high: float, **more: Any
) -> Quantity:
    """The quantity that is written in the tokens from the first on; the lower number is what it says."""
    start, end = tokens[first].start, tokens[after - 1].end
    return Quantity(tokens.source[start:end], start, end, kind, low, high, nominal=low, **more)


def _number_quantity(
    tokens: NumberTokens,
    first: int,
    after: int,
    core: Core,
    measure: NumberUnit,
    bound: Bound | None,
    sign: float = 1.0,
) -> Quantity:
    start, end = tokens[first].start, tokens[after - 1].end
    # `(5)` in a table or alone is negative; in prose, `five (5) days` repeats the number instead.
    enclosed = tokens[first - 1].text == "(" and tokens[after].text == ")"
    enclosed = enclosed and tokens.joined(first) and tokens.joined(after)
    if sign > 0 and enclosed and tokens[first - 2].kind != WORD:
        sign, start, end = -1.0, tokens[first - 1].start, tokens[after].end
    value = measure.to_base(sign * core.value)
    low = high = value
    if bound in (Bound.ABOVE, Bound.AT_LEAST):
        high = float("inf")
    elif bound in (Bound.BELOW, Bound.AT_MOST):
        low = -float("inf")
    elif bound is Bound.NEAR:
        low, high = value - abs(value) * 0.05, value + abs(value) * 0.05
    elif bound is Bound.NEARLY:
        low = value - abs(value) * 0.1
    elif bound is Bound.JUST_OVER:
        high = value + abs(value) * 0.1
    low_open, high_open = bound is Bound.ABOVE, bound is Bound.BELOW
    blurred = bound in (Bound.NEAR, Bound.NEARLY, Bound.JUST_OVER)
    slack, loose = measure.width(core.slack), measure.width(core.loose)
    interval = (measure.kind, low, high, measure.name, low_open, high_open, value, slack, loose, blurred)
    return Quantity(tokens.source[start:end], start, end, *interval)
