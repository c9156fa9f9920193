"""Periods in other words: `weekly`, `once a week` and `every 7 days`; `a week` and `7 days`; `twice a day`.

Only what is equal is looked for here: a period in words that differs is left to the other rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from pincite.judges.rules.quantities import Answer
from pincite.judges.rules.reading import Reading, Sentence, kept
from pincite.judges.rules.vocabulary import words
from pincite.text.numbers import Quantity
from pincite.text.numbers.units import UNITS
from pincite.text.numbers.words import UNITS_AND_TEENS

SENTENCES = 3
"""A period is looked for in so many of the best sentences."""
_ROOM = 0.02
"""A month is 30 days, and a year 52 weeks, within this."""
_FIT = 1.5

_NAMED = {
    "hourly": "hour", "daily": "day", "nightly": "day", "weekly": "week", "fortnightly": "fortnight",
    "monthly": "month", "yearly": "year", "annually": "year",
}  # fmt: skip
_SECONDS = {
    word: UNITS[word].factor
    for word in ("second", "minute", "hour", "day", "week", "fortnight", "month", "year", "decade")
}
_UNIT = "|".join(_SECONDS)
_COUNT = rf"(?P<count>once|twice|thrice|(?:\d{{1,2}}|{'|'.join(UNITS_AND_TEENS)})[ ]times)"
_PERIOD = re.compile(
    rf"(?<![\w-])(?:(?:{_COUNT}[ ])?(?P<named>{'|'.join(_NAMED)})"
    rf"|{_COUNT.replace('count', 'times')}[ ](?:an?|per|each|every)[ ](?P<each>{_UNIT})"
    rf"|(?:every|each)[ ](?P<other>other[ ]|second[ ])?(?P<every>{_UNIT})"
    rf"|(?:\A|(?P<before>[^\W\d_]{{1,12}})[ ])(?:an?|one)[ ](?P<plain>{_UNIT}))"
    r"(?![\w-])(?![ ]and[ ]a[ ]half)",
    re.IGNORECASE,
)
_QUICK = re.compile(rf"{_UNIT}|ly\b|daily", re.IGNORECASE)
_BEFORE_PLAIN = words("before periods")
"""`within a week` is a time; `50 dollars a week` is a rate."""
_OFTEN = {"once": 1.0, "twice": 2.0, "thrice": 3.0}


class Period(Struct, frozen=True, gc=False):
    """A stretch of time, or how often something comes: `recurs` tells the two apart."""

    seconds: float
    recurs: bool
    start: int
    end: int

    def same(self, other: Period) -> bool:
        gap = abs(self.seconds - other.seconds)
        return self.recurs == other.recurs and gap <= _ROOM * max(self.seconds, other.seconds)


@kept
def _periods(reading: Reading) -> list[Period]:
    return sorted([*_in_words(reading.text), *_in_numbers(reading)], key=lambda found: found.start)


def _in_words(text: str) -> Iterator[Period]:
    if not _QUICK.search(text):
        return
    for match in _PERIOD.finditer(text):
        start = match.start()
        if match["named"]:
            unit = _SECONDS[_NAMED[match["named"].lower()]] / _often(match["count"])
        elif match["each"]:
            unit = _SECONDS[match["each"].lower()] / _often(match["times"])
        elif match["every"]:
            unit = _SECONDS[match["every"].lower()] * (2.0 if match["other"] else 1.0)
        else:
            if match["before"] and match["before"].lower() not in _BEFORE_PLAIN:
                continue
            unit = _SECONDS[match["plain"].lower()]
            start = match.end("before") + 1 if match["before"] else 0
        yield Period(unit, match["plain"] is None, start, match.end())


def _often(count: str | None) -> float:
    if count is None:
        return 1.0
    word = count.lower().split()[0]
    return _OFTEN.get(word) or float(int(word) if word.isdecimal() else UNITS_AND_TEENS[word]) or 1.0


def _in_numbers(reading: Reading) -> Iterator[Period]:
    for quantity in reading.quantities:
        if quantity.kind == "duration" and quantity.nominal > 0 and not quantity.blurred:
            before = reading.term_at(quantity.start) - 1
            recurs = before >= 0 and reading.terms[before].text.lower() in {"every", "each"}
            yield Period(quantity.nominal, recurs, quantity.start, quantity.end)


def periods_held(claim: Reading, source: Reading) -> frozenset[str]:
    """The stems of the claim's periods that the source says in other words."""
    wanted = _periods(claim)
    if not wanted:
        return frozenset()
    theirs = _periods(source)
    return frozenset(
        term.stem
        for period in wanted
        if any(period.same(other) for other in theirs)
        for term in claim.terms_in_range(period.start, period.end)
    )


def grant_periods(claim: Reading, answers: Sequence[Answer], sentences: Sequence[Sentence]) -> list[Answer]:
    """The answers, where a number of the claim is part of a period that the best sentences say otherwise."""
    if not answers or not _periods(claim):
        return list(answers)
    return [
        answer if answer.status == "inside" else _granted(claim, answer, sentences[:SENTENCES])
        for answer in answers
    ]


def _granted(claim: Reading, answer: Answer, sentences: Sequence[Sentence]) -> Answer:
    mine = next(
        (
            period
            for period in _periods(claim)
            if period.start <= answer.claim.start and answer.claim.end <= period.end
        ),
        None,
    )
    if mine is None:
        return answer
    for sentence in sentences:
        for other in _periods(sentence.reading):
            if sentence.span.start <= other.start < sentence.span.end and mine.same(other):
                text = sentence.reading.text[other.start : other.end]
                there = Quantity(
                    text,
                    other.start,
                    other.end,
                    "duration",
                    other.seconds,
                    other.seconds,
                    "",
                    nominal=other.seconds,
                )
                return Answer(answer.claim, "inside", there, sentence, _FIT)
    return answer
