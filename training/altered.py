"""Supported claims with one number, unit or date exchanged: what readers check first, and models learn last.

Only a claim that states a plain value is changed: after `at least` or `about` another value may hold too. The
new value is another one of the evidence (wired to the wrong thing), or the same one with a digit changed, or
with the unit or the month beside it exchanged.
"""

from __future__ import annotations

import random
import re

_NUMBER = re.compile(r"(?<![\w.,/-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w/-]|[.,]\d)")
_LOOSE = re.compile(
    r"(?:at least|at most|more than|less than|fewer than|up to|over|under|above|below|about|around|nearly|"
    r"almost|approximately|roughly|some|within|minimum|maximum|exceed\w*|no later than|before|after|since|"
    r"until|by|between|from|to|and|or|than|top|#|no\.?|section|version|v)\s*[$€£]?$",
    re.IGNORECASE,
)
"""What may stand before a number that is not a plain value, or that only names something."""
_LISTS = (
    "January February March April May June July August September October November December",
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "hundred thousand million billion trillion",
    "seconds minutes hours days weeks months years",
    "second minute hour day week month year",
    "metres kilometres miles feet",
    "meters kilometers miles feet",
    "km miles metres",
    "grams kilograms tonnes pounds",
    "mg g kg micrograms",
    "litres millilitres gallons",
    "two three four five six seven eight nine ten eleven twelve",
    "first second third fourth fifth sixth",
    "twice three-times four-times",
)
_OTHERS = {
    word: [other for other in words.split() if other != word] for words in _LISTS for word in words.split()
}
_WORD = re.compile(r"[A-Za-z-]+")


def alter(claim: str, evidence: str, generator: random.Random) -> str | None:
    """The claim with one value exchanged, or nothing where it states none."""
    numbers = [found for found in _NUMBER.finditer(claim) if not _LOOSE.search(claim[: found.start()])]
    words = [
        found
        for found in _WORD.finditer(claim)
        if found.group() in _OTHERS and not _LOOSE.search(claim[: found.start()])
    ]
    # `second` is a rank as often as a time, and `may` a verb: digits are the surer thing to change.
    places = numbers * 3 + words
    if not places:
        return None
    found = generator.choice(places)
    old = found.group()
    new = (
        _another_number(old, evidence, generator)
        if old[0].isdigit()
        else _another_word(old, evidence, generator)
    )
    if new is None or new == old:
        return None
    return claim[: found.start()] + new + claim[found.end() :]


def _another_word(old: str, evidence: str, generator: random.Random) -> str | None:
    if old not in evidence:  # told otherwise there, so that another word may be right too
        return None
    there = [word for word in _OTHERS[old] if word in evidence]
    return generator.choice(there if there and generator.random() < 0.5 else _OTHERS[old])


def _another_number(old: str, evidence: str, generator: random.Random) -> str | None:
    values = {found.group() for found in _NUMBER.finditer(evidence)}
    if old not in values:  # rounded or reckoned: what else would hold cannot be told
        return None
    others = sorted(value for value in values - {old} if _alike(value, old))
    if others and generator.random() < 0.5:
        return generator.choice(others)
    digits = [place for place, character in enumerate(old) if character.isdigit()]
    if len(digits) > 1 and generator.random() < 0.3:
        one, two = sorted(generator.sample(digits, 2))
        swapped = list(old)
        swapped[one], swapped[two] = swapped[two], swapped[one]
        new = "".join(swapped)
    else:
        place = generator.choice(digits)
        lowest = "1" if place == 0 else "0"
        choices = [digit for digit in "0123456789" if digit != old[place] and digit >= lowest]
        new = old[:place] + generator.choice(choices) + old[place + 1 :]
    return new if new not in values and not (new[0] == "0" and old[0] != "0") else None


def _alike(one: str, two: str) -> bool:
    """Values of about the same size and look: 1901 is not mistaken for 3."""
    return abs(len(one) - len(two)) <= 1 and ("." in one) == ("." in two)
