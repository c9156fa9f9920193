"""Words and numbers with their places, their stems, and how much each is worth."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from pincite.text.wordlists import LISTS

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""The inside of a character class: Thai, Lao, Burmese, Khmer, kana and Han."""


class Term(Struct, frozen=True, gc=False):
    """A word or a number: `text` as it stands at `start`, and the `stem` by which it is compared."""

    text: str
    stem: str
    start: int
    end: int
    stop: bool
    """A word that carries grammar rather than meaning."""


STOPWORDS = frozenset(LISTS.words("stop words"))
"""English words that carry grammar rather than meaning, in lower case with straight apostrophes."""

_IRREGULAR = LISTS.keys("irregular")
_ENDINGS = LISTS.keyed("endings")
_ANY_ENDING = tuple(_ENDINGS)
_VOWELS = frozenset("aeiouy")

# Scripts written without spaces give one term a character.
_LETTER = rf"(?:[^\W_{UNSPACED}]|[\u0300-\u036f])"
_TERM = re.compile(
    rf"""
    \d++ (?:[.,]\d++)++ {_LETTER}*+         # 1,234.5 and 10.5M
    | (?<!\w) (?:[A-Za-z]\.){{2,8}}+        # U.S., e.g.
    | {_LETTER}++ (?:['’]{_LETTER}++)*+     # company's, O'Brien, GitHub, B12
    | [{UNSPACED}]
    """,
    re.VERBOSE,
)


def find_terms(text: str) -> list[Term]:
    """The words and numbers of a text, in order. A hyphen parts words, an apostrophe does not."""
    terms = []
    for match in _TERM.finditer(text):
        word = match[0]
        base, stop = _known(word)
        start, end = match.span()
        terms.append(Term(word, base, start, end, stop))
    return terms


def first_word(text: str) -> str:
    """The first of them as it stands, or nothing."""
    found = _TERM.search(text)
    return found[0] if found else ""


def find_words(text: str) -> list[str]:
    """The same words and numbers as they stand, for a caller who needs neither their places nor more."""
    return _TERM.findall(text)


def is_stopword(word: str) -> bool:
    """Whether a word carries grammar only. `US` and `IT` in capitals are names, not pronouns."""
    if word in STOPWORDS:
        return True
    if word.isupper() and len(word) > 1:
        return word in ("THE", "AND", "OF", "IN", "TO", "FOR", "WITH", "BY", "ON", "AT", "FROM")
    return word.lower().replace("’", "'") in STOPWORDS


@lru_cache(maxsize=1 << 16)
def _known(word: str) -> tuple[str, bool]:
    return stem(word), is_stopword(word)


def term_weights(texts: Iterable[str]) -> dict[str, float]:
    """What each stem is worth: the rarer among the texts, the more (inverse document frequency).

    Stop words are in it too, cheap because they are everywhere; a caller who wants them out looks at
    `Term.stop`.
    """
    count = 0
    holding: Counter[str] = Counter()
    for text in texts:
        count += 1
        holding.update({term.stem for term in find_terms(text)})
    return {word: inverse_frequency(held, count) for word, held in holding.items()}


def inverse_frequency(holding: int, count: int) -> float:
    """The weight of a term that `holding` of `count` texts hold; never negative."""
    return math.log(1.0 + (count - holding + 0.5) / (holding + 0.5))


# --- stems: a light English stemmer that cuts endings by a fixed table and never looks at meaning ---


@lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """The form that a word's inflections share, as "locations" and "located" do.

    Words in other scripts, names and numbers come through folded in case and accent, otherwise whole.
    """
    folded = _fold(word)
    folded = _IRREGULAR.get(folded, folded)
    if len(folded) < 4 or not folded.isascii() or not folded.isalpha():
        return folded
    return _tidy(_cut_ending(_cut_plural(folded)))


def _fold(word: str) -> str:
    """Lower case, no accents, no apostrophes, no possessive, no thousands separators."""
    if word.isascii() and word.isalpha():
        return word.lower()
    text = word
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = "".join(char for char in decomposed if not unicodedata.combining(char)).replace("’", "'")
    text = text.casefold()
    if text[:1].isdigit():
        return text.replace(",", "")
    if text.endswith(("'s", "s'")):
        text = text[:-2] if text.endswith("'s") else text[:-1]
    # A word of nothing but what was taken away is still a word.
    return text.replace("'", "").replace(".", "") or word


def _cut_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _cut_ending(word: str) -> str:
    if word.endswith(_ANY_ENDING):
        for ending, (least, *put) in _ENDINGS.items():
            base = word.removesuffix(ending)
            if int(least) <= len(base) < len(word) and not _VOWELS.isdisjoint(base):
                return base + "".join(put)
    return word


def _tidy(word: str) -> str:
    """Bring to one form what endings leave behind: `stopp` and `stop`, `organis` and `organiz`."""
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiou":
        word = word[:-1]
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 2 and word.endswith("y") and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    if len(word) > 4 and word.endswith("is"):
        word = word[:-1] + "z"
    return word
