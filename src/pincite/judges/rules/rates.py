"""Rates: `$49 per year` is not `$49 per month`, although the numbers agree."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from pincite.judges.rules.quantities import Answer
from pincite.judges.rules.reading import Reading, Sentence
from pincite.judges.rules.vocabulary import words
from pincite.text.numbers import Quantity
from pincite.text.wordlists import word_set

SURE = 2.0
"""How surely the same number beside another period is the number that is meant."""

_PERIODS = {
    "second": "second", "sec": "second", "minute": "minute", "min": "minute", "hour": "hour", "hr": "hour",
    "h": "hour", "day": "day", "night": "night", "week": "week", "wk": "week", "month": "month",
    "mo": "month", "quarter": "quarter", "year": "year", "yr": "year", "annum": "year", "season": "season",
}  # fmt: skip
_ADVERBS = {
    "hourly": "hour", "daily": "day", "nightly": "night", "weekly": "week", "monthly": "month",
    "quarterly": "quarter", "yearly": "year", "annually": "year",
}  # fmt: skip
_IN_A_YEAR = {"year": 1.0, "quarter": 4.0, "month": 12.0, "week": 52.0, "day": 365.0}
_ROOM = 0.02
_PER = frozenset({"per", "/"})
_ARTICLES = word_set("a an each every")
_NO_RATE = words("no rate")
"""`50 tonnes a year earlier` is no rate."""
_NOT_BEFORE = words("not before a rate")
_BETWEEN = 3
"""So many words may stand between the number and its period: `50 tonnes of steel a day`."""
_REACH = 60
_TOKEN = re.compile(r"[^\W_]++|[^\w\s]")
_NOT_RATED = frozenset({"date", "day", "clock", "ordinal", "score", "share", "duration"})


def compare_rates(claim: Reading, answers: Sequence[Answer], sentences: Sequence[Sentence]) -> list[Answer]:
    """The answers, with those taken back where the source's number is so much in another period."""
    return [
        _compare(claim, answer, sentences)
        if answer.status in {"inside", "apart"} and answer.claim.kind not in _NOT_RATED
        else answer
        for answer in answers
    ]


def _compare(claim: Reading, answer: Answer, sentences: Sequence[Sentence]) -> Answer:
    here = _period(claim.text, answer.claim)
    if here is None or answer.source is None or answer.sentence is None:
        return answer
    there = _period(answer.sentence.reading.text, answer.source)
    if there is None or there[0] == here[0]:
        return answer
    if answer.status == "apart":
        return replace(answer, status="inside") if _comes_to(answer, here[0], there[0]) else answer
    if _said_elsewhere(answer, here[0], sentences):
        return answer
    return replace(
        answer,
        status="apart",
        claim=replace(answer.claim, text=claim.text[answer.claim.start : here[1]]),
        source=replace(answer.source, text=answer.sentence.reading.text[answer.source.start : there[1]]),
        fit=SURE,
        unit_differs=True,
    )


def _comes_to(answer: Answer, here: str, there: str) -> bool:
    """Whether the two rates are the same: `$10 per month` comes to `$120 per year`."""
    if here not in _IN_A_YEAR or there not in _IN_A_YEAR or answer.source is None:
        return False
    if answer.claim.unit != answer.source.unit or answer.claim.kind != answer.source.kind:
        return False
    mine, theirs = answer.claim.nominal * _IN_A_YEAR[here], answer.source.nominal * _IN_A_YEAR[there]
    return abs(mine - theirs) <= _ROOM * abs(theirs)


def _said_elsewhere(answer: Answer, period: str, sentences: Sequence[Sentence]) -> bool:
    """Whether the same number stands beside the claim's period in another place."""
    for sentence in sentences:
        for quantity in sentence.read.quantities:
            if quantity.nominal == answer.claim.nominal:
                found = _period(sentence.reading.text, quantity)
                if found is not None and found[0] == period:
                    return True
    return False


def _period(text: str, quantity: Quantity) -> tuple[str, int] | None:
    """The period that a number is given for, and where its words end."""
    words = list(_TOKEN.finditer(text, quantity.end, quantity.end + _REACH))
    for index, match in enumerate(words[: _BETWEEN + 1]):
        word = match.group().lower()
        if word in _ADVERBS:
            return _ADVERBS[word], match.end()
        if word in _PER or word in _ARTICLES:
            period = _PERIODS.get(words[index + 1].group().lower()) if index + 1 < len(words) else None
            following = words[index + 2].group().lower() if index + 2 < len(words) else ""
            before = words[index - 1].group().lower() if index else ""
            if period is None or following in _NO_RATE or (word in _ARTICLES and before in _NOT_BEFORE):
                return None
            return period, words[index + 1].end()
        if not word[0].isalpha() or word in {"and", "or", "but"}:
            return None
    return None
