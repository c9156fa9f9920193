"""Which way something went, told by two numbers: `$45 million, up from $39 million`, `from 10 to 5`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from pincite.judges.rules.derived import DOWN, NOT_AMOUNTS, UP
from pincite.judges.rules.reading import Reading, ReadSentence, kept
from pincite.judges.rules.vocabulary import is_held
from pincite.text.numbers import Quantity, compare
from pincite.text.terms import Term, stem

REST_COVERED = 0.75
"""How much of the claim's other words the sentence must hold."""
MAX_QUANTITIES = 40
MAX_TERMS = 100
"""A longer claim says more than which way something went."""
_BETWEEN = 4
_NOTHING: frozenset[str] = frozenset()
_TIMES = {"double": 2.0, "triple": 3.0, "treble": 3.0, "quadruple": 4.0, "halve": 0.5}
TIMES = {
    stem(form): times
    for word, times in _TIMES.items()
    for form in (word, word + "d", word + "s", word[:-1] + "ing")
}
"""Stem → what the old number was multiplied by."""
_BECAME = frozenset(form for word in _TIMES for form in (word + "d", word + "s", word[:-1] + "ing"))
"""The forms that are verbs: a `double` room tells of no change."""
_ROOM = 0.1
_PLAINLY_OTHER = 0.25


class Change(Struct, frozen=True):
    """What a number was, what it became, and the words that say so."""

    old: float
    new: float
    text: str


@kept
def find_changes(sentence: ReadSentence) -> list[Change]:
    """The changes that a sentence gives both numbers of."""
    found = []
    reading = sentence.reading
    amounts = [q for q in sentence.quantities[:MAX_QUANTITIES] if q.kind not in NOT_AMOUNTS or q.unit == "%"]
    for quantity in amounts:
        if not quantity.is_point and quantity.text.lower().startswith("from ") and quantity.is_bounded:
            found.append(Change(quantity.low, quantity.high, quantity.text))
    for one, two in pairwise(amounts):
        between = [term.text.lower() for term in reading.terms_in_range(one.end, two.start)]
        if not between or len(between) > _BETWEEN or compare(one, two) == "unrelated":
            continue
        text = reading.text[one.start : two.end]
        if between[-1] == "to" and _word_before(reading, one) == "from":
            found.append(Change(one.nominal, two.nominal, _with_from(reading, one, two)))
        elif between[-1] == "from" and _word_before(reading, one) != "from":
            found.append(Change(two.nominal, one.nominal, text))
    return [change for change in found if change.old != change.new] or _in_words(sentence)


def _in_words(sentence: ReadSentence) -> list[Change]:
    """`tripled`, `fell by a third`: a change told without the numbers it is between."""
    reading, terms = sentence.reading, sentence.terms
    found = [Change(1.0, TIMES[term.stem], term.text) for term in terms if term.text.lower() in _BECAME]
    for share in sentence.quantities[:MAX_QUANTITIES]:
        if share.kind != "share" or not share.is_point or _word_before(reading, share) != "by":
            continue
        before = reading.terms_in_range(sentence.span.start, share.start)[-3:]
        verb = next((term for term in before if term.stem in UP or term.stem in DOWN), None)
        if verb is not None:
            text = reading.text[verb.start : share.end]
            found.append(Change(1.0, 1.0 + direction(verb) * share.nominal, text))
    return found


def _with_from(reading: Reading, one: Quantity, two: Quantity) -> str:
    return reading.text[reading.terms[reading.term_at(one.start) - 1].start : two.end]


def _word_before(reading: Reading, quantity: Quantity) -> str:
    index = reading.term_at(quantity.start) - 1
    return reading.terms[index].text.lower() if index >= 0 else ""


def told_by_numbers(claim: Reading, source: Reading) -> frozenset[str]:
    """The stem of the claim's `doubled` or `fell`, when two numbers of the source say just that."""
    if len(claim.terms) > MAX_TERMS:
        return _NOTHING
    wanted = change_words(claim)
    if len(wanted) != 1:
        return _NOTHING
    if is_held(wanted[0].stem, source.stems):
        return _NOTHING
    for sentence in source.read_sentences:
        if rest_held(claim, sentence.stems) < REST_COVERED:
            continue
        changes = find_changes(sentence)
        if changes and all(_says(change, wanted[0]) for change in changes):
            return frozenset({wanted[0].stem})
    return _NOTHING


def _says(change: Change, word: Term) -> bool:
    if word.stem in TIMES:
        return _gap(change, TIMES[word.stem]) <= _ROOM
    return (change.new > change.old) == (direction(word) > 0)


@kept
def change_words(claim: Reading) -> list[Term]:
    """The words of a claim that say which way something went."""
    return [term for index, term in enumerate(claim.terms) if _is_change(claim.terms, index)]


def _is_change(terms: Sequence[Term], index: int) -> bool:
    term = terms[index]
    if term.stop and term.stem not in {"up", "down"}:
        return False
    if term.stem in {"up", "down"}:
        following = terms[index + 1].text.lower() if index + 1 < len(terms) else ""
        return following in {"from", "by", ""}
    return term.stem in UP or term.stem in DOWN or term.stem in TIMES


def direction(term: Term) -> int:
    """1 for a rise, -1 for a fall."""
    return 1 if term.stem in UP or TIMES.get(term.stem, 0.0) > 1.0 else -1


def refutes(change: Change, words: Sequence[Term], directions: set[int]) -> bool:
    """Whether a change of the source went another way than the claim's words, or by another factor."""
    went = 1 if change.new > change.old else -1
    if went not in directions:
        return True
    times = [TIMES[term.stem] for term in words if term.stem in TIMES]
    return bool(times) and _gap(change, times[0]) > _PLAINLY_OTHER


def _gap(change: Change, times: float) -> float:
    """How far the two numbers are from being so many times each other; 0 is exactly."""
    if change.old <= 0 or change.new <= 0:
        return math.inf
    return abs(math.log(change.new / change.old / times))


def rest_held(claim: Reading, stems: frozenset[str]) -> float:
    """How much of what the claim says beside the change is among those stems."""
    rest = _other_stems(claim)
    return sum([is_held(stem, stems) for stem in rest]) / len(rest) if rest else 0.0


@kept
def _other_stems(claim: Reading) -> list[str]:
    """What a claim says beside numbers and which way something went."""
    terms = claim.terms
    return [
        term.stem
        for index, term in enumerate(terms)
        if not term.stop and not term.text[0].isdigit() and not _is_change(terms, index)
    ]
