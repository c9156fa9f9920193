"""Words and numbers with their places, their stems, and how much each is worth."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from pincite.text.scripts import UNSPACED
from pincite.text.stems import stem

__all__ = ["STOPWORDS", "Term", "find_terms", "stem", "term_weights"]


class Term(Struct, frozen=True, gc=False):
    """A word or a number: `text` as it stands at `start`, and the `stem` by which it is compared."""

    text: str
    stem: str
    start: int
    end: int
    stop: bool
    """A word that carries grammar rather than meaning."""


_STOPWORDS = """
a about above across after again against all along also although always am among an and another any are
aren't around as at be became because become becomes been before behind being below between beyond both
but by can can't cannot could couldn't did didn't do does doesn't doing don't done down during each either
else enough especially etc even ever every few for from further get gets had hadn't has hasn't have
haven't having he he'd he'll he's hence her here hers herself him himself his how however i i'd i'll i'm
i've if in indeed instead into is isn't it it'd it'll it's its itself just let's like likewise many may
maybe me might more moreover most much must mustn't my myself near neither never nevertheless no nor not
now of off often on once only onto or other others ought our ours ourselves out over own per perhaps quite
rather really s same shall shan't she she'd she'll she's should shouldn't since so some still such t than
that that's the their theirs them themselves then there there's therefore these they they'd they'll
they're they've this those though through throughout thus to together too toward towards under until unto
up upon us use used using very via was wasn't we we'd we'll we're we've were weren't what whatever when
whenever where whereas whether which while who whoever whole whom whose why will with within without won't
would wouldn't yet you you'd you'll you're you've your yours yourself yourselves
"""
STOPWORDS = frozenset(_STOPWORDS.split())
"""English words that carry grammar rather than meaning, in lower case with straight apostrophes."""

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
        base, stop = _known(word) if len(word) <= _LONGEST_KNOWN else (stem(word), is_stopword(word))
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


_LONGEST_KNOWN = 40


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
