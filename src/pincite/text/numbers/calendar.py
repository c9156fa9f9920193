"""Days counted from the year 0, as floats: a date is an interval `[first day, day after the last)`."""

from __future__ import annotations

import datetime
import math

from pincite.text.wordlists import LISTS

MONTHS = {name: int(number) for name, number in LISTS.keys("months").items()}
_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_BEFORE = tuple(sum(_LENGTHS[:month]) for month in range(13))


def valid_day(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= _LENGTHS[month - 1]


def day_number(year: int, month: int = 1, day: int = 1) -> float:
    """The day's number. Years before 1 and after 9998 count 365.25 days each; a 29 February always exists."""
    if 1 <= year <= 9998:
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        if month == 2 and day == 29 and not leap:
            month, day = 3, 1
        return float(datetime.date(year, month, day).toordinal())
    return (year - 1) * 365.25 + _BEFORE[month - 1] + day


def year_interval(year: int, years: int = 1) -> tuple[float, float]:
    return day_number(year), day_number(year + years)


def month_interval(year: int, month: int, months: int = 1) -> tuple[float, float]:
    after = month - 1 + months
    return day_number(year, month), day_number(year + after // 12, after % 12 + 1)


def yearless(month: int, day: int | None = None) -> tuple[float, float]:
    """A day or a whole month of any year, as numbers of days of a leap year, both ends inside."""
    if day is None:
        return float(_BEFORE[month - 1] + 1), float(_BEFORE[month])
    number = float(_BEFORE[month - 1] + day)
    return number, number


def day_range(low: float, high: float) -> tuple[float, float] | None:
    """Which days of the year the interval of dates covers, both ends inside; None when it leaves one year."""
    if math.isinf(low) or math.isinf(high) or not 1 <= low < high <= 3_650_000:
        return None
    first = datetime.date.fromordinal(int(low))
    last = datetime.date.fromordinal(max(int(low), math.ceil(high) - 1))
    if first.year != last.year:
        return None
    return yearless(first.month, first.day)[0], yearless(last.month, last.day)[0]


def year_of(number: float) -> int | None:
    """The year of a day's number, or None where the calendar does not reach."""
    if not 1 <= number <= 3_650_000:
        return None
    return datetime.date.fromordinal(int(number)).year
