"""Dates as they are written, each as an interval of days; a date without a year as days of any year."""

from __future__ import annotations

import re
from typing import NamedTuple

from pincite.text.numbers.calendar import (
    MONTHS,
    day_number,
    month_interval,
    valid_day,
    year_interval,
    yearless,
)
from pincite.text.numbers.units import CODES, CURRENCY_WORDS, SYMBOLS, UNITS
from pincite.text.numbers.words import NUMBER, ORDINALS, SIGN, SUFFIXES, WORD, NumberTokens, read_ordinal
from pincite.text.wordlists import word_set


class Day(NamedTuple):
    """A date that was read: `kind` is date or day, `low` and `high` as in `Quantity`."""

    kind: str
    low: float
    high: float
    next: int
    unit: str = ""
    parts: tuple[float, float] | None = None
    """Of `1990–1995`: where the first year ends and where the last begins."""


_AMBIGUOUS = frozenset({"may", "march", "mar", "august", "jan", "dec", "sep", "jun"})
"""Months that are also words, names or abbreviations: alone they count only after a preposition."""
_DATE_LEADS = word_set(
    "in since by during of until till from early late mid after before last next and to between"
)
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
DASHES = frozenset("-–—−")
_FIRST_YEAR, _LAST_YEAR = 1000, 2199
_ERAS = {"bc": -1, "bce": -1, "ad": 1, "ce": 1}
_NOT_PLURAL = word_set(
    "was is has its this as us series does plus thus across news perhaps always sometimes towards besides "
    "afterwards"
)
_COUNT_LEADS = frozenset({"than", "over", "under", "least", "most", "nearly", "almost", "exceeding", "total"})
_YEAR_LEADS = word_set(
    "in since by during of until till from early late mid after before the around and to between for year "
    "circa c"
)


def read_date(tokens: NumberTokens, index: int) -> Day | None:
    """The date that begins at this token, or None."""
    token = tokens[index]
    if token.kind == NUMBER:
        return _read_from_number(tokens, index)
    if token.kind == WORD:
        lower = token.lower
        if lower in MONTHS:
            return _read_month(tokens, index)
        if lower in {"q", "h", "fy", "fiscal", "cy"}:
            return _read_period(tokens, index)
        if lower in ORDINALS:
            return _read_century(tokens, index) or _read_quarter_words(tokens, index)
    return None


def _read_from_number(tokens: NumberTokens, index: int) -> Day | None:
    text, following = tokens[index].text, tokens[index + 1]
    if following.text in {"-", "/"} or "." in text:
        numeric = _read_numeric(tokens, index)
        if numeric is not None:
            return numeric
    if len(text) > 4:
        return None
    if following.kind == WORD and tokens.joined(index + 1):
        return _read_day_month(tokens, index) or _read_century(tokens, index) or _read_decade(tokens, index)
    if len(text) <= 2:
        day = _read_day_month(tokens, index)
        if day is not None:
            return day
    return _read_decade(tokens, index) or _read_year(tokens, index)


def read_year(tokens: NumberTokens, index: int) -> int | None:
    """The bare number of a year at this token, or None."""
    text = tokens[index].text
    if tokens[index].kind != NUMBER or len(text) != 4 or not text.isdecimal():
        return None
    year = int(text)
    return year if _FIRST_YEAR <= year <= _LAST_YEAR else None


def _after_comma(tokens: NumberTokens, index: int) -> int:
    return index + 1 if tokens[index].text in {",", "."} else index


def _read_month(tokens: NumberTokens, index: int) -> Day | None:
    token = tokens[index]
    month = MONTHS[token.lower]
    risky = token.lower in _AMBIGUOUS
    if (risky or len(token.lower) <= 4) and not token.text[0].isupper():
        return None
    place = index + 1
    if tokens[place].text == "." and len(token.lower) <= 4:
        place += 1
    day, after = _read_day(tokens, place)
    if day is not None and valid_day(month, day):
        last = day
        if tokens[after].text in DASHES:
            end_day, end = _read_day(tokens, after + 1)
            if end_day is not None and end_day > day and valid_day(month, end_day):
                last, after = end_day, end
        return _with_year(tokens, after, month, day, last)
    place = _after_comma(tokens, place)
    if tokens[place].lower == "of":
        place += 1
    year = read_year(tokens, place)
    if year is not None:
        return Day("date", *month_interval(year, month), place + 1)
    if (risky or len(token.lower) <= 4) and tokens[index - 1].lower not in _DATE_LEADS:
        return None
    return Day("day", *yearless(month), index + 1)


def _read_day(tokens: NumberTokens, index: int) -> tuple[int | None, int]:
    """A day of the month, `1` or `1st`, and the index after it."""
    text, after = tokens[index].text, index + 1
    if not text.isdecimal() or len(text) > 2 or not 1 <= int(text) <= 31:
        return None, index
    if tokens.joined(after) and tokens[after].lower in SUFFIXES:
        return int(text), after + 1
    if tokens.joined(after) and (tokens[after].kind == WORD or tokens[after].text in {":", "%", "/"}):
        return None, index
    counted = tokens[after].lower in {"million", "billion", "percent", "%"}
    return (None, index) if counted else (int(text), after)


def _with_year(tokens: NumberTokens, index: int, month: int, first: int, last: int) -> Day:
    place = _after_comma(tokens, index)
    if tokens[place].lower in {"of", "in"}:
        place += 1
    year = read_year(tokens, place)
    if year is None:
        return Day("day", yearless(month, first)[0], yearless(month, last)[0], index)
    return Day("date", day_number(year, month, first), day_number(year, month, last) + 1, place + 1)


def _read_day_month(tokens: NumberTokens, index: int) -> Day | None:
    """`1 May 2014`, `1st of May`, `5–10 May`."""
    first, after = _read_day(tokens, index)
    if first is None:
        return None
    last = first
    if tokens[after].text in DASHES or tokens[after].lower == "to":
        end_day, end = _read_day(tokens, after + 1)
        if end_day is not None and end_day > first:
            last, after = end_day, end
    if tokens[after].lower == "of":
        after += 1
    name = tokens[after]
    if name.lower not in MONTHS or not name.text[0].isupper():
        return None
    month = MONTHS[name.lower]
    if not valid_day(month, first) or not valid_day(month, last):
        return None
    return _with_year(tokens, after + 1, month, first, last)


def _read_numeric(tokens: NumberTokens, index: int) -> Day | None:
    """`2014-05-01`, `2014/05/01`, `31/12/2014`, `01.05.2014`. Of an unclear day and month, both are kept."""
    dotted = _DOTTED.fullmatch(tokens[index].text)
    if dotted:
        return _from_numbers(int(dotted[3]), int(dotted[2]), int(dotted[1]), index + 1)
    sign = tokens[index + 1].text
    if sign not in {"-", "/"} or tokens[index + 3].text != sign:
        return None
    if not all(tokens.joined(place) for place in range(index + 1, index + 5)):
        return None
    parts = [tokens[index + step].text for step in (0, 2, 4)]
    if not all(part.isdecimal() and len(part) in (1, 2, 4) for part in parts):
        return None
    first, second, third = (int(part) for part in parts)
    if len(parts[0]) == 4 and _FIRST_YEAR <= first <= _LAST_YEAR:
        return _from_numbers(first, second, third, index + 5)
    if len(parts[2]) != 4 or not _FIRST_YEAR <= third <= _LAST_YEAR:
        return None
    if first <= 12 and second <= 12 and first != second:
        one, two = _from_numbers(third, first, second, 0), _from_numbers(third, second, first, 0)
        if one and two:
            return Day("date", min(one.low, two.low), max(one.high, two.high), index + 5)
    return _from_numbers(third, second, first, index + 5) or _from_numbers(third, first, second, index + 5)


def _from_numbers(year: int, month: int, day: int, after: int) -> Day | None:
    if not valid_day(month, day):
        return None
    low = day_number(year, month, day)
    return Day("date", low, low + 1, after)


def _read_decade(tokens: NumberTokens, index: int) -> Day | None:
    """`1990s`, `'90s`."""
    text = tokens[index].text
    place = index + 2 if tokens[index + 1].text in {"'", "’"} and tokens.joined(index + 1) else index + 1
    if not (text.isdecimal() and text.endswith("0") and tokens[place].text == "s" and tokens.joined(place)):
        return None
    if len(text) == 4 and read_year(tokens, index) is not None:
        start = int(text)
    elif len(text) == 2 and tokens[index - 1].text in {"'", "’", "the"}:
        start = 1900 + int(text)
    else:
        return None
    years = 100 if text.endswith("00") and len(text) == 4 else 10
    return Day("date", *year_interval(start, years), place + 1)


def _read_century(tokens: NumberTokens, index: int) -> Day | None:
    ordinal = read_ordinal(tokens, index)
    if ordinal is None:
        return None
    place = ordinal.next + 1 if tokens[ordinal.next].text == "-" else ordinal.next
    if tokens[place].lower != "century" or not 1 <= ordinal.value <= 30:
        return None
    number = int(ordinal.value)
    era = _ERAS.get(tokens[place + 1].lower.replace(".", ""))
    start = (number - 1) * 100 + 1
    if era == -1:
        start = -number * 100 + 1
    return Day("date", day_number(start - 1), day_number(start + 99), place + (2 if era else 1))


def _read_quarter_words(tokens: NumberTokens, index: int) -> Day | None:
    """`the first quarter of 2020`."""
    number = ORDINALS.get(tokens[index].lower, 0)
    if tokens[index + 1].lower != "quarter" or not 1 <= number <= 4:
        return None
    place = index + 3 if tokens[index + 2].lower == "of" else index + 2
    return _period_of(tokens, place, "q", number, ("fiscal",))


def _period_of(
    tokens: NumberTokens, place: int, letter: str, number: int, fiscal_words: tuple[str, ...]
) -> Day | None:
    """The quarter or half of the year that is named here: `2020`, `fiscal year 2020`."""
    fiscal = tokens[place].lower in fiscal_words
    while tokens[place].lower in (*fiscal_words, "year"):
        place += 1
    year = read_year(tokens, place)
    return None if year is None else _period(year, letter, number, place + 1, fiscal)


def _period(year: int, letter: str, number: int, after: int, fiscal: bool) -> Day | None:
    months = 3 if letter == "q" else 6
    if not 1 <= number <= 12 // months:
        return None
    interval = month_interval(year, (number - 1) * months + 1, months)
    return Day("date", *interval, after, "fiscal" if fiscal else "")


def _read_period(tokens: NumberTokens, index: int) -> Day | None:
    """`Q1 2020`, `H2 2021`, `FY2020`, `FY20`, `fiscal year 2020`."""
    word = tokens[index].lower
    place = index + 1
    if word in {"q", "h"}:
        if not tokens.joined(place) or not tokens[place].text.isdecimal() or len(tokens[place].text) != 1:
            return None
        number, place = int(tokens[place].text), place + 1
        if tokens[place].text in {",", "-"} or tokens[place].lower == "of":
            place += 1
        return _period_of(tokens, place, word, number, ("fy", "fiscal"))
    while tokens[place].lower == "year":
        place += 1
    year = read_year(tokens, place)
    text = tokens[place].text
    if year is None and word == "fy" and len(text) == 2 and text.isdecimal():
        year = 2000 + int(text)
    if year is None:
        return None
    return Day("date", *year_interval(year), place + 1, "" if word == "cy" else "fiscal")


def _read_year(tokens: NumberTokens, index: int) -> Day | None:
    """A bare year, or a small number before an era (`44 BC`). Not `2015 people`, nor `$2015`."""
    text = tokens[index].text
    era = _ERAS.get(tokens[index + 1].lower) if tokens[index + 1].text.isupper() else None
    if era is not None and text.isdecimal() and len(text) <= 4:
        year = int(text) if era > 0 else 1 - int(text)
        return Day("date", *year_interval(year), index + 2)
    year_number = read_year(tokens, index)
    if year_number is None or not _stands_as_year(tokens, index):
        return None
    after = index + 1
    if tokens[after].text == "Q" and tokens[after + 1].text.isdecimal() and tokens.joined(after + 1):
        return _period(year_number, "q", int(tokens[after + 1].text[0]), after + 2, False)
    last, second = year_number, tokens[after + 1].text
    if tokens[after].text in DASHES and second.isdecimal() and len(second) in (2, 4):
        end = int(second) if len(second) == 4 else year_number // 100 * 100 + int(second)
        if year_number < end <= _LAST_YEAR and tokens[after + 2].text != tokens[after].text:
            last, after = end, after + 2
    low, high = day_number(year_number), day_number(last + 1)
    parts = (day_number(year_number + 1), day_number(last)) if last != year_number else None
    return Day("date", low, high, after, parts=parts)


def _stands_as_year(tokens: NumberTokens, index: int) -> bool:
    before, after = tokens[index - 1], tokens[index + 1]
    if before.lower == "least" and tokens[index - 3].lower in {"since", "until", "till"}:
        return True
    if before.text in SYMBOLS or (before.lower in _COUNT_LEADS and before.lower != "over"):
        return before.text not in SYMBOLS and tokens[index - 2].lower in {"later", "earlier"}
    if tokens.joined(index + 1) and after.kind == WORD:
        return False
    if after.text in {"%", "°", "€", "£"} or after.text in CODES or before.text in CODES:
        return False
    place = index + 2 if after.text == "-" else index + 1
    following = tokens[place]
    if following.kind == SIGN or before.lower in _YEAR_LEADS or before.lower in MONTHS:
        return True
    lower = following.lower
    if lower in UNITS or lower in CURRENCY_WORDS or lower in {"million", "billion", "thousand", "people"}:
        return False
    plural = len(lower) > 3 and lower.endswith("s") and not lower.endswith("ss") and lower == following.text
    return not (plural and lower not in _NOT_PLURAL)
