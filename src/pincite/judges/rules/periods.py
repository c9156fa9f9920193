"""Periods: `weekly` is `every 7 days`, and `$49 per year` is not `$49 per month`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pincite.judges.rules.quantities import NOT_AMOUNTS, NumberAnswer
from pincite.judges.rules.texts import ReadText, Sentence, once_per_text
from pincite.judges.rules.words import listed_words
from pincite.text import UNITS, UNITS_AND_TEENS, Quantity

SENTENCES = 3
"""A period is looked for in so many of the best sentences."""
_ROOM = 0.02
"""A month is 30 days, and a year 52 weeks, within this."""
_FIT, _SURE = 1.5, 2.0
"""How surely the same period, and the same number beside another period, is the one that is meant."""
_SECONDS = {
    word: UNITS[word].factor
    for word in ("second", "minute", "hour", "day", "week", "fortnight", "month", "year", "decade")
}
_NAMED = {
    "hourly": "hour", "daily": "day", "nightly": "day", "weekly": "week", "fortnightly": "fortnight",
    "monthly": "month", "yearly": "year", "annually": "year",
}  # fmt: skip
_SHORT = {"sec": "second", "min": "minute", "hr": "hour", "h": "hour", "night": "day", "wk": "week",
          "mo": "month", "yr": "year", "annum": "year"}  # fmt: skip
_LASTS = (
    _SECONDS
    | {word: _SECONDS[unit] for word, unit in (_NAMED | _SHORT).items()}
    | dict.fromkeys(("quarter", "quarterly"), _SECONDS["year"] / 4)
)
"""Every word for a period → its seconds."""


def _same(one: float, two: float) -> bool:
    return abs(one - two) <= _ROOM * max(abs(one), abs(two))


# --- the same period in other words ----------------------------------------------------------------

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
_BEFORE_PLAIN = listed_words("before periods")
"""`within a week` is a time; `50 dollars a week` is a rate."""
_OFTEN = {"once": 1.0, "twice": 2.0, "thrice": 3.0}


class Period(Struct, frozen=True, gc=False):
    """A stretch of time, or how often something happens: `recurs` says which."""

    seconds: float
    recurs: bool
    start: int
    end: int

    def same(self, other: Period) -> bool:
        return self.recurs == other.recurs and _same(self.seconds, other.seconds)


@once_per_text
def _periods(reading: ReadText) -> list[Period]:
    return sorted([*_in_words(reading.text), *_in_numbers(reading)], key=lambda found: found.start)


def _in_words(text: str) -> Iterator[Period]:
    for match in _PERIOD.finditer(text) if _QUICK.search(text) else ():
        start, before = match.start(), match["before"]
        if before:
            if before.lower() not in _BEFORE_PLAIN:
                continue
            start = match.end("before") + 1
        unit = match["named"] or match["each"] or match["every"] or match["plain"]
        lasts = _LASTS[unit.lower()] / _often(match["count"] or match["times"])
        yield Period(lasts * (2.0 if match["other"] else 1.0), match["plain"] is None, start, match.end())


def _often(count: str | None) -> float:
    if count is None:
        return 1.0
    word = count.lower().split()[0]
    return _OFTEN.get(word) or float(int(word) if word.isdecimal() else UNITS_AND_TEENS[word]) or 1.0


def _in_numbers(reading: ReadText) -> Iterator[Period]:
    for quantity in reading.quantities:
        if quantity.kind == "duration" and quantity.nominal > 0 and not quantity.blurred:
            before = reading.term_before(quantity.start)
            recurs = before is not None and before.text.lower() in {"every", "each"}
            yield Period(quantity.nominal, recurs, quantity.start, quantity.end)


def periods_held(claim: ReadText, source: ReadText) -> frozenset[str]:
    """The stems of the claim's periods that the source says in other words."""
    wanted = _periods(claim)
    theirs = _periods(source) if wanted else []
    return frozenset(
        term.stem
        for period in wanted
        if any(period.same(other) for other in theirs)
        for term in claim.terms_in_range(period.start, period.end)
    )


def grant_period(claim: ReadText, answer: NumberAnswer, sentences: Sequence[Sentence]) -> NumberAnswer:
    """The answer, where a number of the claim is part of a period that the best sentences say otherwise."""
    at = answer.claim
    mine = next((p for p in _periods(claim) if p.start <= at.start and at.end <= p.end), None)
    if mine is None or answer.status == "inside":
        return answer
    for sentence in sentences[:SENTENCES]:
        for other in _periods(sentence.reading):
            if sentence.span.start <= other.start < sentence.span.end and mine.same(other):
                long = other.seconds
                text = sentence.reading.text[other.start : other.end]
                there = Quantity(text, other.start, other.end, "duration", long, long, "", nominal=long)
                return NumberAnswer(at, "inside", there, sentence, _FIT)
    return answer


# --- numbers for a period --------------------------------------------------------------------------

_NOT_RATED = NOT_AMOUNTS | {"share", "duration"}
_NOT_BEFORE = listed_words("not before a rate")
_JOINS = frozenset({"and", "or", "but"})
_RATE = re.compile(
    r"\s*+(?P<between>(?:[^\W\d_]++\s++){0,3}?)(?:(?:(?:per\s+|/\s?)|(?P<article>an?|each|every)\s+)"
    rf"(?:{'|'.join(sorted(_LASTS.keys() - _NAMED.keys()))})|(?:{'|'.join([*_NAMED, 'quarterly'])}))(?![\w-])"
    rf"(?!\s+(?:{'|'.join(sorted(listed_words('no rate')))})\b)",
    re.IGNORECASE,
)
"""`50 tonnes of steel a day`; `50 tonnes a year earlier` is no rate."""
_REACH = 60


def compare_rate(claim: ReadText, answer: NumberAnswer, sentences: Sequence[Sentence]) -> NumberAnswer:
    """The answer, taken back where the source's number is so much in another period."""
    mine, source, sentence = answer.claim, answer.source, answer.sentence
    if source is None or sentence is None or answer.status == "overlap" or mine.kind in _NOT_RATED:
        return answer
    text = sentence.reading.text
    here, there = _period(claim.text, mine), _period(text, source)
    if here is None or there is None or _same(there[0], here[0]):
        return answer
    if answer.status == "apart":
        # `$10 per month` comes to `$120 per year`.
        comparable = (mine.unit, mine.kind) == (source.unit, source.kind)
        agrees = comparable and _same(mine.nominal / here[0], source.nominal / there[0])
        return replace(answer, status="inside") if agrees else answer
    alike = ((near, q) for near in sentences for q in near.read.quantities if q.nominal == mine.nominal)
    others = (_period(near.reading.text, quantity) for near, quantity in alike)
    if any(other is not None and _same(other[0], here[0]) for other in others):
        return answer
    mine = replace(mine, text=claim.text[mine.start : here[1]])
    source = replace(source, text=text[source.start : there[1]])
    return replace(answer, status="apart", claim=mine, source=source, fit=_SURE, unit_differs=True)


def _period(text: str, quantity: Quantity) -> tuple[float, int] | None:
    """The seconds of the period that a number is given for, and where its words end."""
    match = _RATE.match(text, quantity.end, quantity.end + _REACH)
    if match is None:
        return None
    between = match["between"].lower().split()
    if not _JOINS.isdisjoint(between) or (match["article"] and between[-1:] and between[-1] in _NOT_BEFORE):
        return None
    return _LASTS[re.split(r"[\s/]", match.group())[-1].lower()], match.end()
