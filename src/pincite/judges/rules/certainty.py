"""Whether a number that differs from the claim's surely contradicts it.

Two numbers beside the same words are often both right: one counts another thing, follows from others, keeps
a limit (`3 kg` under `up to 5 kg`), or is elsewhere in the source. Where none of that may be, or
where claim and source differ in nothing but the number, the number is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from typing import NamedTuple

from msgspec.structs import replace

from pincite.judges.rules.arithmetic import can_be_reckoned
from pincite.judges.rules.quantities import Around, NumberAnswer, around, around_in_sentence, relate
from pincite.judges.rules.texts import ReadSentence, ReadText, Sentence, Stretch, once_per_text
from pincite.judges.rules.words import is_held, kin, listed_words
from pincite.text import CLOSE, Quantity, word_set

MAX_QUANTITIES = 200
"""So many numbers of a passage are looked at for the claim's own."""

_RECKONS = listed_words("reckons")
"""A claim with one of these may give a number that the source's numbers come to."""
_RULES = listed_words("rules")
"""A sentence with one of these gives a bound, a rate or a condition, not one number."""
_NOT = listed_words("not")
_ARTICLES = word_set("a an the each every")
_COPIED = 0.9
"""A claim with so many of its words in the sentence, in the same order, repeats it."""
_MAX_COMPARED = 60
"""Longer sentences are not compared word by word."""
_LABELS = listed_words("labels")
"""Nouns that a number names one of: `chapter 3`."""


def settle(claim: ReadText, answer: NumberAnswer, passages: Sequence[ReadText]) -> NumberAnswer:
    """The answer, marked as explained where it may differ from the claim without contradicting it."""
    source, sentence = answer.source, answer.sentence
    if answer.status != "apart" or answer.unit_differs or source is None or sentence is None:
        return answer
    found = NumberDifference(claim, answer.claim, sentence, source)
    if _names_other_thing(*found):
        return replace(answer, explained=True, other_thing=True)
    return replace(answer, explained=_explained(found, passages))


class NumberDifference(NamedTuple):
    """A number of the claim, and the one of a sentence that answers to it and is another."""

    claim: ReadText
    mine: Quantity
    sentence: Sentence
    source: Quantity


def _explained(found: NumberDifference, passages: Sequence[ReadText]) -> bool:
    claim, mine, sentence, source = found
    if any(other.nominal == source.nominal != mine.nominal for other in claim.quantities):
        return True  # the claim gives the source's number too, for something else
    repeated = _repeats(found)
    if _stands(found, passages):
        # Unless the claim repeats the sentence, with the same words right before and after the number.
        before = (claim.term_at(mine.start) - 1, sentence.reading.term_at(source.start) - 1)
        after = (claim.term_at(mine.end), sentence.reading.term_at(source.end))
        same = all(_same(claim, here, sentence.reading, there) for here, there in (before, after))
        if not (repeated and same):
            return True
    if _words_between(claim) & _NOT:
        return True
    both_limits = mine.is_bounded and math.isinf(mine.low) == math.isinf(source.low)
    if not both_limits and _is_limit(sentence.reading, source):
        return True
    if repeated:
        return False
    if _words_between(claim) & _RECKONS or _words_between(sentence.read) & _RULES:
        return True
    return not mine.is_bounded and not sentence.read.is_row and can_be_reckoned(mine, passages)


def _same(one: ReadText, here: int, two: ReadText, there: int) -> bool:
    """Whether the terms at the two places can stand for each other."""
    if not (0 <= here < len(one.terms) and 0 <= there < len(two.terms)):
        return False
    return two.terms[there].stem in kin(one.terms[here].stem)


def _is_limit(reading: ReadText, quantity: Quantity) -> bool:
    """`up to 500`, `2 to 5`, and `24 MPa or more`, whose unit hides the bound."""
    if quantity.is_bounded:
        return True
    if not quantity.is_point and not quantity.blurred and quantity.kind not in {"date", "day", "score"}:
        return True
    words = [term.text.lower() for term in reading.terms[reading.term_at(quantity.end) :][:3]]
    return "or" in words[:2] and not {"more", "less", "over", "fewer"}.isdisjoint(words)


@once_per_text
def _words_between(stretch: ReadText | ReadSentence) -> frozenset[str]:
    """The words outside the quantities: the `than` of `more than 5` compares nothing."""
    inside: set[int] = set()
    for quantity in stretch.quantities:
        inside.update(range(quantity.start, quantity.end))
    return frozenset([term.text.lower() for term in stretch.terms if term.start not in inside])


def _stands(found: NumberDifference, passages: Sequence[ReadText]) -> bool:
    """Whether the claim's own number is somewhere in the passages, whatever it counts there.

    Of a table, only the row that answers counts.
    """
    _, claim, sentence, source = found
    shown = [sentence.read] if sentence.read.is_row else passages
    for quantities in (stretch.quantities for stretch in shown):
        for other in quantities[:MAX_QUANTITIES]:
            if other.nominal == claim.nominal and other.kind == claim.kind:
                if other.nominal != source.nominal:
                    return True
            elif not claim.is_bounded and relate(claim, other) == "inside":
                return True
    return False


def _repeats(found: NumberDifference) -> bool:
    """Whether the claim is the sentence, or a part of it, with another number."""
    held, mine = found.sentence.stems, _stems_beside(found.claim, found.mine)
    wanted = _COPIED * len(mine)
    if not 0 < len(mine) <= _MAX_COMPARED or sum([is_held(stem, held) for stem in mine]) < wanted:
        return False
    theirs = _stems_beside(found.sentence.read, found.source)[: 2 * _MAX_COMPARED]
    longest = [0] * (len(theirs) + 1)
    for stem in mine:
        kindred, row = kin(stem), [0]
        for place, other in enumerate(theirs):
            row.append(longest[place] + 1 if other in kindred else max(row[place], longest[place + 1]))
        longest = row
    return longest[-1] >= wanted


def _stems_beside(stretch: Stretch, quantity: Quantity) -> list[str]:
    """The stems but those of the quantity and of articles."""
    return [
        term.stem
        for term in stretch.terms
        if not quantity.start <= term.start < quantity.end and term.stem not in _ARTICLES
    ]


def granted(answer: NumberAnswer) -> bool:
    """Whether a reader would let two quantities pass as the same that only overlap.

    The `over` of `over 70,000` may be dropped, 84,115 be called 84,000, `about 97%` be more than 95%, and
    what went on from 1990 to 1995 has a beginning, an end and a year in between.
    """
    claim, source = answer.claim, answer.source
    if source is None:
        return False
    if claim.nominal == source.nominal:
        return True
    if claim.is_point and source.is_point:
        gap = abs(claim.low - source.low)
        return claim.loose > source.loose and gap <= min(claim.loose, CLOSE * abs(source.low))
    if source.blurred:
        return claim.low <= source.nominal <= claim.high
    return source.begins is not None and source.ends is not None


# --- what a bare number counts or labels -----------------------------------------------------------


def _names_other_thing(claim: ReadText, mine: Quantity, sentence: Sentence, source: Quantity) -> bool:
    """Whether two bare numbers count or label different things: `two offices` and `310 employees`.

    Where one side does not say what it counts, or says no more than `people`, they may be of the same thing.
    """
    if mine.kind != "count" or source.kind != "count" or mine.unit or source.unit:
        return False
    counted, other = around(claim, mine), around_in_sentence(sentence.read, source)
    here, there = _label(claim, mine, counted), _label(sentence.reading, source, other)
    if here and there:
        return there not in kin(here)
    if here or there:
        return bool(other.noun if here else counted.noun)
    if not counted.noun or not other.noun:
        return False
    near = other.near.keys() | sentence.context
    return not (_shares(counted.noun, near) or _shares(other.noun, counted.near.keys()))


def _shares(words: Set[str], others: Set[str]) -> bool:
    return any(not others.isdisjoint(kin(word)) for word in words)


def _label(reading: ReadText, quantity: Quantity, counted: Around) -> str:
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
    return before.stem if named and not counted.noun else ""
