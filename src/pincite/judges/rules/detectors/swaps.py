"""Another noun beside the claim's number: what makes a claim doubtful, but refutes nothing."""

from __future__ import annotations

from pincite.judges.rules.detectors.names import alike
from pincite.judges.rules.observation import Observation
from pincite.judges.rules.quantities import NOT_AMOUNTS, NumberAnswer
from pincite.judges.rules.reading import ReadText
from pincite.judges.rules.view import View
from pincite.judges.rules.vocabulary import COMMON, kin, stems
from pincite.judges.rules.words import is_name
from pincite.text.numbers import Quantity
from pincite.text.terms import Term
from pincite.text.wordlists import word_set

_LINKS = word_set("in of was is were are")
_IS = word_set("was is were are :")
_CHANGERS = stems("changers")
_POINTERS = word_set("the this that its these those")
_NEAREST = {1: 2, -1: 3}
"""How many content words say what a number counts; what is further off is about something else."""


def swapped_noun(view: View) -> list[Observation]:
    """`$10M in Q1 profit` against `$10M in Q1 revenue`: outwards from the number, another noun."""
    if not view.missing:
        return []
    inside = [answer for answer in view.answers if answer.status == "inside"]
    return [found for answer in inside for found in _swapped_beside(view, answer)]


def _swapped_beside(view: View, answer: NumberAnswer) -> list[Observation]:
    claim = view.claim
    source, sentence = answer.source, answer.sentence
    if source is None or sentence is None or answer.claim.kind in NOT_AMOUNTS:
        return []
    first, last = (sentence.reading.term_at(edge) for edge in (sentence.span.start, sentence.span.end))
    for step in (1, -1):
        here = _outward(claim, answer.claim, step, 0, len(claim.terms))
        there = _outward(sentence.reading, source, step, first, last)
        for place, ((link, mine), (other_link, theirs)) in enumerate(zip(here, there, strict=False)):
            if link != other_link:
                break
            if theirs.stem in kin(mine.stem):
                continue
            if place == 0 and step < 0 and not _told(link, here):
                break
            if _points_back(sentence.reading, theirs) != _points_back(claim, mine):
                break
            strange = mine.stem in view.missing and theirs.stem not in claim.stems
            if strange and _both_nouns(claim, mine, theirs):
                reason = f"{mine.text} in the claim, {theirs.text} in the source"
                return [Observation("doubt", "coverage", (mine.text, theirs.text), 0.0, reason, sentence)]
            break
    return []


Outward = list[tuple[tuple[str, ...], Term]]


def _told(link: tuple[str, ...], words: Outward) -> bool:
    """Whether the word before a number is what it counts.

    So it is in `nausea in 40%`, `revenue was $10M` and `cut costs by 30%`; the verb of `seats 40,000` or
    `slipped by 30%` is not.
    """
    if link[:1] == ("by",):
        return len(words) > 1 and words[1][1].stem in _CHANGERS
    return bool(link) and link[0] in _LINKS


def _outward(reading: ReadText, quantity: Quantity, step: int, first: int, last: int) -> Outward:
    """The nearest content words from a number outwards, in its clause, each with the small words between."""
    terms, text = reading.terms, reading.text
    index = reading.term_at(quantity.end) if step > 0 else reading.term_at(quantity.start) - 1
    edge = quantity.end if step > 0 else quantity.start
    found: Outward = []
    link: list[str] = []
    while first <= index < last and len(found) < _NEAREST[step] and len(link) < 4:
        term = terms[index]
        gap = (text[edge : term.start] if step > 0 else text[term.end : edge]).strip()
        if gap == ":" and step < 0 and not found:
            link.append("is")
        elif gap not in {"", "-"}:
            break
        edge = term.end if step > 0 else term.start
        if term.stop:
            word = term.text.lower()
            if word in {"and", "or", "but"}:
                break
            link.append("is" if word in _IS else word)
        else:
            found.append((tuple(link), term))
            link = []
        index += step
    return found


def _points_back(reading: ReadText, term: Term) -> bool:
    """Whether a noun may be a name that was given before: `the video`, `this season`."""
    before = reading.terms_in_range(max(0, term.start - 24), term.start)[-2:]
    return not _POINTERS.isdisjoint([found.text.lower() for found in before])


def _both_nouns(claim: ReadText, one: Term, two: Term) -> bool:
    opens = one.start == 0 or claim.text.endswith("; ", 0, one.start)
    if alike(one.text, two.text) or is_name(one, opens) != is_name(two, False):
        return False
    if one.text.lower() in two.text.lower() or two.text.lower() in one.text.lower():
        return False
    return all(
        term.stem not in COMMON and not term.text[0].isdigit() and not term.text.endswith(("ed", "ing", "ly"))
        for term in (one, two)
    )
