"""Numbers that follow from others: sums, differences, products, shares, and spans of time."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence, Set
from itertools import combinations

from pincite.judges.rules.texts import ReadText, once_per_text
from pincite.text import UNITS, Quantity

MAX_VALUES = 40
"""So many numbers are reckoned with; a passage with more is a table."""
MAX_SUMMED = 16
"""Sums of three are looked for among so many."""
_NEAR = 0.006
"""How far, relatively, a reckoned number may be from the claim's: people round what they reckon."""
_SHARE_ROOM = 0.01
_TIMES = {"date": 86400.0, "day": 86400.0, "clock": 60.0}
"""How many seconds one step of each kind of time is."""
_WORDS = {
    "half": 0.5, "halves": 0.5, "halved": 0.5, "third": 1 / 3, "thirds": 1 / 3, "quarter": 0.25,
    "quarters": 0.25, "fifth": 0.2, "tenth": 0.1, "double": 2.0, "doubled": 2.0, "doubles": 2.0, "twice": 2.0,
    "both": 2.0, "pair": 2.0, "triple": 3.0, "tripled": 3.0, "dozen": 12.0, "single": 1.0, "once": 1.0,
    "minute": 60.0, "hour": 60.0, "day": 24.0, "week": 7.0, "weekly": 7.0, "fortnight": 14.0, "month": 12.0,
    "monthly": 12.0, "year": 12.0,
}  # fmt: skip
"""Words that multiply, divide or count, although they are no quantities of their own."""
_FACTORS = {unit.name: unit.factor for unit in UNITS.values() if not unit.offset}
_FIGURE = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?")


def can_be_reckoned(quantity: Quantity, passages: Sequence[ReadText]) -> bool:
    """Whether a number is the sum, difference, product or ratio of two of the passages, or a sum of three.

    Dates and times of day give durations, and with a duration other dates. What agrees only by chance is
    found too: this shows where a number may be right, never that it is.
    """
    if quantity.kind == "ordinal":
        return False
    if quantity.kind in _TIMES:
        return any(_is_moved(quantity, reading) for reading in passages)
    if quantity.kind == "duration" and any(_is_span(quantity, reading) for reading in passages):
        return True
    values = sorted({value for reading in passages for value in _values(reading)})[:MAX_VALUES]
    if quantity.kind == "share" and _is_part(quantity, values):
        return True
    shares = frozenset().union(*map(_shares, passages))
    return any(
        _is_sum(wanted, values) or _is_product(wanted, values, shares)
        for wanted in _figures(quantity)
        if wanted
    )


def _figures(quantity: Quantity) -> Iterator[float]:
    """The number in its base unit, in its own, and the figures as they are written."""
    for value in (quantity.nominal, quantity.low, quantity.high):
        if abs(value) < 1e15:
            yield value
            if quantity.unit in _FACTORS:
                yield value / _FACTORS[quantity.unit]
    for match in _FIGURE.finditer(quantity.text):
        yield float(match[0].replace(",", ""))


@once_per_text
def _values(reading: ReadText) -> frozenset[float]:
    """What there is to reckon with in a passage."""
    found = {
        value
        for quantity in reading.quantities[:MAX_VALUES]
        if quantity.kind not in {"date", "day", "ordinal"}
        for value in _figures(quantity)
        if value
    }
    found.update([_WORDS[term.text.lower()] for term in reading.terms if term.text.lower() in _WORDS])
    return frozenset(found)


@once_per_text
def _shares(reading: ReadText) -> frozenset[float]:
    """The shares of a passage, by which something may have become more or less."""
    return frozenset(
        [quantity.nominal for quantity in reading.quantities[:MAX_VALUES] if quantity.kind == "share"]
    )


def _is_sum(wanted: float, values: Sequence[float]) -> bool:
    """Whether a number is the sum or the difference of two, or of three."""
    if any(_holds(values, other) for one in values for other in (wanted - one, wanted + one)):
        return True
    return any(
        _holds(values, wanted - one - two) or _holds(values, wanted + one + two)
        for one, two in combinations(values[:MAX_SUMMED], 2)
    )


def _is_product(wanted: float, values: Sequence[float], shares: Set[float]) -> bool:
    """Whether a number is a product or a ratio of two, or one of them with a share added or taken away."""
    for one in values:
        if one and any(_holds(values, other) for other in (wanted / one, wanted * one, one / wanted)):
            return True
    return any(
        _holds(values, wanted * times) or (times and _holds(values, wanted / times))
        for share in shares
        for times in (1 + share, 1 - share)
    )


def _is_part(share: Quantity, values: Sequence[float]) -> bool:
    """Whether a share is that of one number in another, or in both together: `two thirds` voted 6 to 3."""
    low, high = share.low - _SHARE_ROOM, share.high + _SHARE_ROOM
    return any(
        low <= one / two <= high or low <= 1 - one / two <= high or low <= part / (one + two) <= high
        for one, two in combinations(values, 2)
        if one > 0
        for part in (one, two)
    )


def _holds(values: Sequence[float], value: float) -> bool:
    room = _NEAR * abs(value)
    place = bisect_left(values, value - room)
    return place < len(values) and values[place] <= value + room


def _is_span(duration: Quantity, reading: ReadText) -> bool:
    """Whether a duration lies between two dates or two times of day."""
    times = [quantity for quantity in reading.quantities[:MAX_VALUES] if quantity.kind in _TIMES]
    spans = [
        (one.kind, one.nominal - two.nominal) for one, two in combinations(times, 2) if one.kind == two.kind
    ]
    spans += [(one.kind, one.ends[0] - one.begins[0]) for one in times if one.begins and one.ends]
    return any(
        abs(abs(gap) * _TIMES[kind] - duration.nominal) <= max(_TIMES[kind], 0.04 * duration.nominal)
        for kind, gap in spans
    )


def _is_moved(time: Quantity, reading: ReadText) -> bool:
    """Whether a date or a time of day is another one of the passage, so much earlier or later."""
    found = reading.quantities[:MAX_VALUES]
    step = _TIMES[time.kind]
    lengths = [quantity.nominal / step for quantity in found if quantity.kind == "duration"]
    return any(
        time.low - 1 <= other.nominal + sign * length <= time.high + 1
        for other in found
        if other.kind == time.kind
        for length in lengths
        for sign in (1, -1)
    )
