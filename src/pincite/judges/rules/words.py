"""How much of a claim's words the evidence holds, rare words and names counting most."""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from functools import lru_cache
from itertools import starmap

from msgspec import Struct
from msgspec.structs import replace

from pincite.judges.rules.texts import ReadText, Sentence, Stretch, once_per_text, years_in_names
from pincite.records import Span
from pincite.text import Quantity, Term, WordLists, stem

KIN_SHARE = 0.8
"""What a word of the same meaning is worth against the word itself."""
_NONE: frozenset[str] = frozenset()


LISTS = WordLists("pincite.judges.rules")


def listed_words(name: str) -> frozenset[str]:
    """The words of a section of `word_lists.txt`."""
    return frozenset(LISTS.words(name))


def listed_stems(name: str) -> frozenset[str]:
    return frozenset(map(stem, LISTS.words(name)))


def _related(*names: str) -> dict[str, frozenset[str]]:
    """Each stem with the other stems of its lines."""
    table: dict[str, set[str]] = {}
    for line in (line for name in names for line in LISTS.items(name, "\n")):
        group = [stem(word) for word in line.split()]
        for word in group:
            table.setdefault(word, set()).update(group)
    return {word: frozenset(others - {word}) for word, others in table.items()}


SAME = _related("same", "peoples")
"""Stem → stems that mean much the same."""
COMMON = listed_stems("common")
"""Stems that are content words but say little about what a sentence is about."""


def is_held(word: str, held: Set[str]) -> bool:
    """Whether a stem or one of its kin is among those."""
    return word in held or not SAME.get(word, _NONE).isdisjoint(held)


def _held_share(word: str, held: Set[str]) -> float:
    """How well a stem is held by those: 1 for itself, less for its kin, 0 for neither."""
    return 1.0 if word in held else KIN_SHARE if is_held(word, held) else 0.0


@lru_cache(maxsize=1 << 15)
def kin(word: str) -> dict[str, float]:
    """The stems that stand for a stem, and how well: itself 1, its kin less."""
    return {word: 1.0} | dict.fromkeys(SAME.get(word, ()), KIN_SHARE)


NUMBER_SHARE = 0.5
"""What a number weighs, beside a word, in the search for the best sentence."""

LABEL_SHARE = 0.25
"""What a word of a label weighs beside a word of a cell: a source rarely says `launched: 2001`."""
MAX_LABEL = 60
KEPT_SENTENCES = 24
"""Only so many sentences are looked at closely; the rest count as seen words."""


class ClaimWord(Struct, frozen=True, gc=False):
    """A content word of a claim and what it weighs."""

    term: Term
    weight: float
    number: bool


class Coverage(Struct, frozen=True):
    """Which part of the claim's weight is held by one sentence, by the best three, by everything."""

    best: float
    joint: float
    whole: float
    missing: tuple[ClaimWord, ...]
    """Words that no passage holds."""
    sentences: tuple[Sentence, ...]
    """The best sentences, most covering first."""


def is_name(term: Term, first: bool) -> bool:
    """A capital that no sentence start explains, an acronym, or letters with digits."""
    text = term.text
    if text[0].isdigit():
        return False
    if not text[0].isupper():
        return not text.islower() and text.lower() != text
    return not first or (len(text) > 1 and text.isupper())


def is_title_number(reading: ReadText, quantity: Quantity) -> bool:
    """`Resident Evil 5`, `10 Cloverfield Lane`, `Xbox One`: a number that is part of a name."""
    if quantity.kind != "count" or quantity.unit or not quantity.is_point or quantity.high >= 100:
        return False
    text = quantity.text
    if not (text.isdigit() or text == "One"):
        return False
    index = reading.term_at(quantity.start)
    terms = reading.terms
    before = terms[index - 1] if index else None
    if before is not None and before.end >= quantity.start - 3 and before.text[0].isupper():
        return index > 1 or not before.stop
    after = terms[index + 1 : index + 3]
    return text.isdigit() and len(after) == 2 and all(term.text[0].isupper() for term in after)


def says_nobody(terms: Sequence[Term], index: int) -> bool:
    """The `one` of `no one`, which counts nothing."""
    return index > 0 and terms[index].text == "one" and terms[index - 1].text in {"no", "No"}


@once_per_text
def weigh(reading: ReadText) -> list[ClaimWord]:
    """The content words of a claim. Without a corpus, rarity is guessed: names, digits and length."""
    quantities = [found for found in reading.quantities if not is_title_number(reading, found)]
    words = []
    seen: set[str] = set()
    place = 0
    labelling = _in_labels(reading)
    for index, term in enumerate(reading.terms):
        if term.stop or term.stem in seen or says_nobody(reading.terms, index):
            continue
        seen.add(term.stem)
        while place < len(quantities) and quantities[place].end <= term.start:
            place += 1
        number = place < len(quantities) and quantities[place].start <= term.start
        name = not number and is_name(term, index == 0)
        weight = _weight(term, name, number) * (LABEL_SHARE if index in labelling else 1.0)
        words.append(ClaimWord(term, weight, number))
    if not words:
        words = [ClaimWord(term, 0.5, False) for term in reading.terms]
    return words


def _in_labels(reading: ReadText) -> frozenset[int]:
    """The indices of the terms in the labels of a table row: `Company: Acme; Revenue: $10M`.

    Every column but the first must have a label; otherwise the text is no row.
    """
    places: set[int] = set()
    start = 0
    for part in reading.text.split("; ") if "; " in reading.text else ():
        colon = part.find(": ", 0, MAX_LABEL)
        if colon < 0 and start > 0:
            return frozenset()
        places.update(range(reading.term_at(start), reading.term_at(start + max(0, colon))))
        start += len(part) + 2
    return frozenset(places)


def _weight(term: Term, name: bool, number: bool) -> float:
    if number:
        return 1.0
    if name:
        return 1.3
    if term.stem in COMMON:
        return 0.5
    return 0.8 + min(len(term.text), 10) * 0.04


def cover(claim: ReadText, passages: Sequence[ReadText], contexts: Sequence[frozenset[str]]) -> Coverage:
    """Weighted coverage of the claim's words by the passages, sentence by sentence and all together.

    Numbers help to find the sentence but are not counted as words: whether they agree is decided by
    comparing them.
    """
    words = weigh(claim)
    counted = [word for word in words if not word.number] or words
    total = sum(word.weight for word in counted) or 1.0
    weights = _search_weights(claim)
    most = sum(word.weight * (NUMBER_SHARE if word.number else 1.0) for word in words) or 1.0
    scored: list[tuple[float, int, int]] = []
    for number, reading in enumerate(passages):
        known = weights.keys() & contexts[number]
        for order, read in enumerate(reading.read_sentences):
            # `fsum` is exact, so that a score never depends on the order of a set.
            found = math.fsum([weights[stem] for stem in (weights.keys() & read.stems) | known])
            if found > 0.0:
                scored.append((-found, number, order))

    def met(found: float, number: int, order: int) -> Sentence:
        reading = passages[number]
        return Sentence(number, reading.sentences[order], reading, min(1.0, -found / most), contexts[number])

    sentences = tuple(starmap(met, sorted(scored)[:KEPT_SENTENCES]))

    def share(*stems: frozenset[str]) -> float:
        held = stems[0] if len(stems) == 1 else frozenset[str]().union(*stems)
        return sum(word.weight * _held_share(word.term.stem, held) for word in counted) / total

    everything = [
        reading.stems | context if context else reading.stems
        for reading, context in zip(passages, contexts, strict=True)
    ]
    near = [sentence.stems for sentence in sentences[:3]]
    missing = [
        word for word in counted if not any(_held_share(word.term.stem, stems) for stems in everything)
    ]
    return Coverage(share(*near[:1]), share(*near), share(*everything), tuple(missing), sentences)


@once_per_text
def _search_weights(claim: ReadText) -> dict[str, float]:
    """What a stem adds to the search for the best sentence, numbers among them."""
    weights: dict[str, float] = {}
    for word in weigh(claim):
        weight = word.weight * NUMBER_SHARE if word.number else word.weight
        for key, share in kin(word.term.stem).items():
            weights[key] = max(weights.get(key, 0.0), weight * share)
    return weights


def credit_numbers(coverage: Coverage, words: Sequence[ClaimWord], agreed: Sequence[Span]) -> Coverage:
    """The coverage with the claim's numbers counted: held where the quantity at their place agrees."""
    counted = sum(word.weight for word in words if not word.number)
    numbers = [word for word in words if word.number]
    if not numbers or not counted:
        return coverage
    held = sum(word.weight for word in numbers if any(s.start <= word.term.start < s.end for s in agreed))
    total = counted + sum(word.weight for word in numbers)
    shares = {"best": coverage.best, "joint": coverage.joint, "whole": coverage.whole}
    return replace(coverage, **{name: (share * counted + held) / total for name, share in shares.items()})


# --- words in another shape: `CFO` for `chief financial officer`, `US` for `United States` ---------

_SHORTEST, _LONGEST = 2, 4
_SHORT_FORMS = {"CE": "CEO", "US": "USA", "SU": "USSR", "UN": "UNO", "GB": "UK", "UE": "UAE"}
"""Initials of phrases that are mostly cut short, `chief executive`, or that have another short form."""


def spelled_otherwise(claim: ReadText, source: ReadText) -> frozenset[str]:
    """The stems of the claim that the source does not hold as they are, but as an acronym or written out."""
    found = set(years_in_names(source.text) & claim.stems)
    for acronym, term in _acronyms(claim).items():
        if term.stem not in source.stems and acronym in _written_out(source):
            found.add(term.stem)
    for acronym, term in _acronyms(source).items():
        if term.stem not in claim.stems:
            found |= _written_out(claim).get(acronym, set())
    return frozenset(found)


@once_per_text
def _acronyms(stretch: Stretch) -> dict[str, Term]:
    """Two to four capitals, with or without dots."""
    found: dict[str, Term] = {}
    for term in stretch.terms:
        if term.text.isupper() and len(term.text) > 1:
            letters = term.text.replace(".", "")
            if _SHORTEST <= len(letters) <= _LONGEST and letters.isalpha():
                found[letters] = term
    return found


@once_per_text
def _written_out(stretch: Stretch) -> dict[str, set[str]]:
    """The initials of every run of content words → the stems of those runs."""
    found: dict[str, set[str]] = {}
    terms = stretch.terms
    for first in range(len(terms)):
        initials, run = "", []
        for term in terms[first : first + _LONGEST]:
            if term.stop or len(term.text) < _SHORTEST:
                break
            initials += term.text[0].upper()
            run.append(term.stem)
            for short in {initials, _SHORT_FORMS.get(initials, initials)}:
                found.setdefault(short, set()).update(run)
    return found
