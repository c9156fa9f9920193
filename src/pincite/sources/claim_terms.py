"""The terms by which a claim and the units of a source are compared."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from pincite.text.terms import find_terms, find_words, is_stopword, stem

_SCALES = {
    "k": 3,
    "thousand": 3,
    "m": 6,
    "mn": 6,
    "million": 6,
    "bn": 9,
    "billion": 9,
    "tn": 12,
    "trillion": 12,
}
"""How many zeros a word or a letter after a number stands for."""

_MOST_TERMS = 1_000
"""Of a text without end only the beginning is looked for, so that its cost has a bound."""
_KNOWN_WORDS = 100_000
_LONGEST_KNOWN_WORD = 40


class ClaimTerms(Struct, frozen=True):
    """What is looked for: each stem of a claim with how often it stands there, and the words in order.

    Sums over them are taken in the order of the claim, so that every way of ranking gives the same figures.
    """

    counts: dict[str, int]
    numbers: frozenset[str]
    pairs: tuple[tuple[str, str], ...]


def claim_terms(claim: str) -> ClaimTerms:
    """The terms of a claim; its stop words only when it has nothing else."""
    stems = content_stems(claim) or [term.stem for term in find_terms(claim)]
    del stems[_MOST_TERMS:]
    return ClaimTerms(
        counts=dict(Counter(stems)),
        numbers=frozenset(stem for stem in stems if stem[0].isdigit()),
        pairs=tuple(dict.fromkeys(pairwise(stems))),
    )


def content_stems(text: str) -> list[str]:
    """The stems of a text without its stop words; `$10M`, `10 million` and `10,000,000` are one term."""
    stems: list[str] = []
    for word in find_words(text):
        found = _content_stem(word) if len(word) <= _LONGEST_KNOWN_WORD else _read_stem(word)
        if found is None:
            continue
        if found in _SCALES and len(found) > 1 and stems and stems[-1][0].isdigit():
            stems[-1] = _scaled(stems[-1], found)
        else:
            stems.append(found)
    return stems


def _read_stem(word: str) -> str | None:
    """The stem of a word, a number without its scale letter, or None for a stop word."""
    if is_stopword(word):
        return None
    return _spelled_out(stem(word)) if word[0].isdigit() else stem(word)


_content_stem = lru_cache(_KNOWN_WORDS)(_read_stem)


def _spelled_out(number: str) -> str:
    digits = number.rstrip("abcdefghijklmnopqrstuvwxyz")
    return _scaled(digits, number[len(digits) :]) if number[len(digits) :] in _SCALES else number


def _scaled(digits: str, scale: str) -> str:
    """`10.5` and `m` as `10500000`; what is no plain number stays as it is."""
    whole, _, decimals = digits.partition(".")
    zeros = _SCALES[scale]
    if not (whole + decimals).isdecimal() or len(decimals) > zeros or len(digits) > 20:
        return digits
    return (whole + decimals.ljust(zeros, "0")).lstrip("0") or "0"
