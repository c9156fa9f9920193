"""Which language a text is in, as far as a judge of English needs to know.

By its script first, then by its small words: every language has a few dozen that no sentence does without.
Names, numbers, tables and formulae have no such words: their language is unknown, which counts as English.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache

from pincite.text.wordlists import LISTS

_ENGLISH, _ENGLISH_TOO = frozenset(LISTS.words("English")), frozenset(LISTS.words("English too"))
_FOREIGN = {
    name: frozenset(words) - _ENGLISH - _ENGLISH_TOO - {"met", "die", "dan"}
    for name, words in LISTS.keyed("foreign").items()
}
_FOREIGN_TOO = LISTS.keyed("foreign too")
_PARTICLES, _LOANED = frozenset(LISTS.words("particles")), frozenset(LISTS.words("loaned"))

ENGLISH_NAME = "English"
UNNAMED = "another language"

_SCRIPTS = {
    "Japanese": "\u3040-\u30ff",
    "Korean": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af",
    "Chinese": "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
    "Greek": "\u0370-\u03ff\u1f00-\u1fff",
    "Cyrillic script": "\u0400-\u052f",
    "Armenian": "\u0530-\u058f",
    "Hebrew script": "\u0590-\u05ff",
    "Arabic script": "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufeff",
    "Devanagari script": "\u0900-\u097f",
    "a script of India": "\u0980-\u0dff",
    "Thai": "\u0e00-\u0e7f",
    "Lao, Tibetan, Burmese or Georgian": "\u0e80-\u10ff",
    "Ethiopic script": "\u1200-\u137f",
    "Khmer": "\u1780-\u17ff",
}
_DENSE = ("Japanese", "Korean", "Chinese")
"""Scripts in which a character says as much as several letters."""
_DENSE_WORTH = 2
_SCRIPT_SHARE = 0.4
"""With fewer of its letters in another script, a text only quotes it."""
_SCRIPT_ALONE = 0.7
"""Up to here, English sentences beside it still make a text English."""

_LATIN = re.compile("[A-Za-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1e00-\u1eff]+")
_ACCENTED = re.compile(
    "^[a-z\u00df-\u00f6\u00f8-\u024f\u1e00-\u1eff]*[\u00df-\u00f6\u00f8-\u024f\u1e00-\u1eff]"
)
_SMALL = _ENGLISH.union(_ENGLISH_TOO, *_FOREIGN.values(), *_FOREIGN_TOO.values())
_SAMPLE = 1_500
"""Of a long text, as much as this is read at its beginning, in its middle and at its end."""

_FEWEST = 2
"""Different small words of a language, fewer than which may be chance."""
_FEWEST_SHOUTED = 4
"""The same in capitals, where `UN` and `LA` may be abbreviations."""
_CLEARLY = 2.0
"""How many times more signs of another language than of English there must be."""
_MANY_WORDS = 6
_ACCENTED_SHARE = 0.25
"""A text with no English word, in which so many have letters that English does not, is in some language."""


@cache
def _letters(letters: str, fewest: int = 1) -> re.Pattern[str]:
    """Runs of those letters. Compiled when needed, which for an English text is never."""
    return re.compile(f"[{letters}]{{{fewest},}}")


def find_language(text: str) -> str | None:
    """`English`, the name of another language or of its script, or None where nothing tells."""
    if len(text) > 3 * _SAMPLE:
        middle = (len(text) - _SAMPLE) // 2
        text = "\n".join((text[:_SAMPLE], text[middle : middle + _SAMPLE], text[-_SAMPLE:]))
    return _language_of(text)


def language_doubt(claim: str, evidence: str | Sequence[str]) -> str | None:
    """Why a pair cannot be judged by a judge of English, as `the evidence seems to be in German`, or None.

    Of several passages, those in another language must hold more than half of the characters.
    """
    language = find_language(claim)
    if language is not None and language != ENGLISH_NAME:
        return f"the claim seems to be in {language}"
    passages = [evidence] if isinstance(evidence, str) else evidence
    foreign: dict[str, int] = {}
    for passage in passages:
        language = find_language(passage)
        if language is not None and language != ENGLISH_NAME:
            foreign[language] = foreign.get(language, 0) + len(passage)
    if 2 * sum(foreign.values()) <= sum(map(len, passages)):
        return None
    return f"the evidence seems to be in {max(foreign, key=lambda name: foreign[name])}"


@lru_cache(maxsize=1024)
def _language_of(text: str) -> str | None:
    if text.isascii():
        return _by_small_words(text)
    text = unicodedata.normalize("NFC", text)
    script, share = _main_script(text)
    if share < _SCRIPT_SHARE:
        return _by_small_words(text)
    if share < _SCRIPT_ALONE and _by_small_words(text) == ENGLISH_NAME:
        return ENGLISH_NAME
    return script


def _main_script(text: str) -> tuple[str, float]:
    """The script other than Latin that the text has most of, and how much of its letters are not Latin."""
    counts = {}
    for name, letters in _SCRIPTS.items():
        # A letter that stands alone is a symbol, as α in a formula, except where a character is a word.
        runs = _letters(letters, 1 if name in _DENSE else 2)
        if count := sum(len(run) for run in runs.findall(text)):
            counts[name] = count * (_DENSE_WORTH if name in _DENSE else 1)
    if not counts:
        return "", 0.0
    # A Japanese text has more Chinese characters than its own.
    if "Japanese" in counts and "Chinese" in counts:
        counts["Japanese"] += counts.pop("Chinese")
    latin = sum(len(word) for word in _LATIN.findall(text))
    others = sum(counts.values())
    return max(counts, key=lambda name: counts[name]), others / (others + latin)


def _by_small_words(text: str) -> str | None:
    words, shouted = _telling_words(text)
    english = sum(1.0 for word in words if word in _ENGLISH)
    english += sum(0.5 for word in words if word in _ENGLISH_TOO)
    accented = [word for word in words if _ACCENTED.search(word) and word not in _LOANED]
    best, most, kinds = "", 0, 0
    for name, small in _FOREIGN.items():
        found = [word for word in words if word in small]
        if found:
            found += [word for word in words if word in _FOREIGN_TOO.get(name, ())]
        if len(found) > most:
            best, most, kinds = name, len(found), len(set(found))
    # An accent is a sign of any language but English: one helps a small word, and many do without it.
    signs = kinds + len(set(accented) - _FOREIGN.get(best, frozenset()))
    fewest = _FEWEST_SHOUTED if shouted else _FEWEST
    if best and signs >= fewest and most + 0.5 * len(accented) > _CLEARLY * english:
        return best if kinds >= _FEWEST else UNNAMED
    if english < 1 and len(words) >= _MANY_WORDS and len(accented) >= _ACCENTED_SHARE * len(words):
        return UNNAMED
    return ENGLISH_NAME if english >= 1 else None


def _telling_words(text: str) -> tuple[list[str], bool]:
    """The text's words in lower case, without names, the particles in them, addresses and abbreviations.

    True with them says that the text is all in capitals, so that any word may be a small one.

    A word with a capital may be a small word that begins a sentence; any other says nothing.
    """
    if "://" in text or "@" in text:
        text = " ".join(part for part in text.split() if "://" not in part and "@" not in part)
    words = _LATIN.findall(text)
    shouted = all(word.isupper() for word in words)
    telling = []
    for place, word in enumerate(words):
        before = words[place - 1] if place else ""
        after = words[place + 1] if place + 1 < len(words) else ""
        if shouted or word.islower():
            in_a_name = word in _PARTICLES and _named(before) and _named(after)
            if not (in_a_name or after == "al" or before == "et"):
                telling.append(word.lower())
        elif word.istitle() and not _named(before) and word.lower() in _SMALL:
            # `De Gaulle`, but not `Der Umsatz`: German writes every noun with a capital.
            name = _named(after) and word.lower() in _PARTICLES and word.lower() not in _FOREIGN["German"]
            telling += [] if name else [word.lower()]
    return telling, shouted


def _named(word: str) -> bool:
    return word[:1].isupper() or word in _PARTICLES


# --- for a judge that reads any language, as long as claim and evidence share a script ---

_ALPHABETS = {
    "Latin": "A-Za-zÀ-ɏ",
    "Greek": "Ͱ-Ͽ",
    "Cyrillic": "Ѐ-ӿ",
    "Hebrew": "֐-׿",
    "Arabic": "؀-ۿ",
    "Devanagari": "ऀ-ॿ",
    "Thai": "฀-๿",
    "Hangul": "가-힣",
    "Kana": "぀-ヿ",
    "Han": "㐀-鿿",
}
_CLAIM_SAMPLE = 2_000


def foreign_script(claim: str, evidence: Sequence[str]) -> str | None:
    """The claim's script when none of the evidence uses it. Digits and signs belong to every script."""

    def is_used(name: str) -> bool:
        return any(_letters(_ALPHABETS[name]).search(text) for text in evidence)

    if claim.isascii() and is_used("Latin"):
        return None
    sample = claim[:_CLAIM_SAMPLE]
    counts = {name: sum(map(len, _letters(letters).findall(sample))) for name, letters in _ALPHABETS.items()}
    main = max(counts, key=lambda name: counts[name])
    if counts[main] == 0 or counts[main] < 0.5 * sum(counts.values()):
        return None
    found = {name for name in _ALPHABETS if is_used(name)}
    return main if found and main not in found else None
