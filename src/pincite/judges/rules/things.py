"""What a bare number counts or labels: `two offices`, `310 employees`, `chapter 3`, `ISO 9001`."""

from __future__ import annotations

from collections.abc import Set

from pincite.judges.rules.quantities import around, around_in_sentence
from pincite.judges.rules.reading import Reading, Sentence
from pincite.judges.rules.vocabulary import kin, stems, words
from pincite.text.numbers import Quantity

_LABELS = words("labels")
"""Nouns that a number names one of: `chapter 3`."""


def names_other_thing(claim: Reading, mine: Quantity, sentence: Sentence, source: Quantity) -> bool:
    """Whether two bare numbers count or label different things: `two offices` and `310 employees`.

    Where one side does not say what it counts, or says no more than `people`, they may be of the same thing.
    """
    if mine.kind != "count" or source.kind != "count" or mine.unit or source.unit:
        return False
    here, there = _label(claim, mine), _label(sentence.reading, source)
    counted, other = _counted(claim, mine), _counted(sentence.reading, source)
    if here and there:
        return there not in kin(here)
    if here or there:
        return bool(other if here else counted)
    if not counted or not other:
        return False
    near = around_in_sentence(sentence.read, source).near.keys() | sentence.context
    return not (_shares(counted, near) or _shares(other, around(claim, mine).near.keys()))


def _shares(words: Set[str], others: Set[str]) -> bool:
    return any(not others.isdisjoint(kin(word)) for word in words)


def _label(reading: Reading, quantity: Quantity) -> str:
    """The stem of what a number names one of: `chapter 3`, `ISO 9001`, `Python 3.9`."""
    index = reading.term_at(quantity.start) - 1
    if index < 0 or not quantity.text[:1].isdigit():
        return ""
    before = reading.terms[index]
    if reading.text[before.end : quantity.start] not in {" ", " no. ", "-"} or before.stop:
        return ""
    if before.text.lower() in _LABELS:
        return before.stem
    named = before.text[0].isupper() and (index > 0 or before.text.isupper())
    return before.stem if named and not _counted(reading, quantity) else ""


def _counted(reading: Reading, quantity: Quantity) -> frozenset[str]:
    """The stems of the words right after a number, up to the first that is none of its noun's."""
    found = []
    edge = quantity.end
    for term in reading.terms[reading.term_at(quantity.end) :][:_NOUN_WORDS]:
        if term.stop or reading.text[edge : term.start].strip(" -") or term.text[0].isdigit():
            break
        found.append(term.stem)
        edge = term.end
    return frozenset(found) if _ANYTHING.isdisjoint(found) else frozenset()


_NOUN_WORDS = 3
_ANYTHING = stems("anything")
"""Nouns that stand for many others."""
