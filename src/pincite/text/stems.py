"""A light English stemmer: enough to see that `located`, `locates` and `location` speak of one thing.

It cuts endings by a fixed table and never looks at meaning. Words in other scripts, names and numbers come
through folded in case and accent, otherwise whole.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_IRREGULAR_FORMS = {
    "be": "am are been being is was were",
    "bear": "bore born borne",
    "become": "became",
    "begin": "began begun",
    "break": "broke broken",
    "bring": "brought",
    "build": "built",
    "buy": "bought",
    "catch": "caught",
    "choose": "chose chosen",
    "come": "came",
    "die": "died dies dying",
    "do": "did does done",
    "draw": "drawn drew",
    "drive": "driven drove",
    "eat": "ate eaten",
    "fall": "fallen fell",
    "feel": "felt",
    "fight": "fought",
    "find": "found",
    "fly": "flew flown",
    "get": "got gotten",
    "give": "gave given",
    "go": "goes gone went",
    "grow": "grew grown",
    "have": "had has",
    "hear": "heard",
    "hide": "hid hidden",
    "hold": "held",
    "keep": "kept",
    "know": "knew known",
    "lead": "led",
    "leave": "left",
    "lend": "lent",
    "lie": "lain lying",
    "lose": "lost",
    "make": "made making",
    "mean": "meant",
    "meet": "met",
    "pay": "paid",
    "rise": "risen rose",
    "run": "ran",
    "say": "said",
    "see": "saw seen",
    "seek": "sought",
    "sell": "sold",
    "send": "sent",
    "shoot": "shot",
    "show": "shown",
    "sing": "sang sung",
    "sink": "sank sunk",
    "speak": "spoke spoken",
    "spend": "spent",
    "stand": "stood",
    "steal": "stole stolen",
    "swim": "swam swum",
    "take": "taken took",
    "teach": "taught",
    "tell": "told",
    "think": "thought",
    "throw": "threw thrown",
    "understand": "understood",
    "wear": "wore worn",
    "win": "won",
    "write": "written wrote",
    # nouns
    "analysis": "analyses",
    "child": "children",
    "crisis": "crises",
    "foot": "feet",
    "half": "halves",
    "life": "lives",
    "man": "men",
    "mouse": "mice",
    "person": "people persons",
    "phenomenon": "phenomena",
    "tooth": "teeth",
    "wife": "wives",
    "wolf": "wolves",
    "woman": "women",
    # one thing written two ways
    "january": "jan",
    "february": "feb",
    "april": "apr",
    "august": "aug",
    "september": "sep sept",
    "october": "oct",
    "november": "nov",
    "december": "dec",
    "percent": "percentage pct",
    "0": "zero",
    "1": "one",
    "2": "two twice",
    "3": "three thrice",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "10": "ten",
    "11": "eleven",
    "12": "twelve",
}
_IRREGULAR = {form: base for base, forms in _IRREGULAR_FORMS.items() for form in forms.split()}

# The ending, what takes its place, and how many letters must remain before it. The longest fitting ending
# wins; the table is read once, one ending a word.
_ENDINGS = (
    ("ization", "iz", 3),
    ("isation", "iz", 3),
    ("ational", "at", 3),
    ("fulness", "ful", 3),
    ("iveness", "iv", 3),
    ("ousness", "ous", 3),
    ("izing", "iz", 3),
    ("ising", "is", 3),
    ("ation", "at", 3),
    ("ators", "at", 3),
    ("ating", "at", 3),
    ("ator", "at", 3),
    ("ated", "at", 3),
    ("ates", "at", 3),
    ("ized", "iz", 3),
    ("ised", "is", 3),
    ("ness", "", 4),
    ("ment", "", 4),
    ("ings", "", 3),
    ("ally", "al", 3),
    ("tion", "t", 3),
    ("sion", "s", 3),
    ("ing", "", 3),
    ("ied", "y", 2),
    ("ers", "", 4),
    ("ors", "", 4),
    ("ist", "", 5),
    ("ed", "", 3),
    ("er", "", 4),
    ("or", "", 4),
    ("ly", "", 4),
)
_ANY_ENDING = tuple(ending for ending, _, _ in _ENDINGS)
_VOWELS = frozenset("aeiouy")


def stem(word: str) -> str:
    """The form that a word's inflections share: `stem("locations") == stem("located")`."""
    return _stem(word)


@lru_cache(maxsize=1 << 17)
def _stem(word: str) -> str:
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
    if not word.endswith(_ANY_ENDING):
        return word
    for ending, put, least in _ENDINGS:
        if word.endswith(ending):
            base = word[: len(word) - len(ending)]
            if len(base) >= least and not _VOWELS.isdisjoint(base):
                return base + put
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
