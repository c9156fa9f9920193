"""Which way something went and how far: `$45 million, up from $39 million`, `from 10 to 5`, `tripled`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from pincite.judges.rules.quantities import NOT_AMOUNTS, NumberAnswer
from pincite.judges.rules.texts import ReadSentence, ReadText, Sentence, once_per_text
from pincite.judges.rules.words import is_held, listed_stems
from pincite.text import Quantity, Term, compare, stem, word_set

REST_COVERED = 0.75
"""How much of the claim's other words the sentence must hold."""
MAX_QUANTITIES = 40
MAX_TERMS = 100
"""A longer claim says more than which way something went."""
_SENTENCES = 3
_BETWEEN = 6
_UP, _DOWN = listed_stems("up"), listed_stems("down")
_OLD = word_set("from than against versus vs")
"""What comes before the number that was there first."""
_TIMES = {"double": 2.0, "triple": 3.0, "treble": 3.0, "quadruple": 4.0, "halve": 0.5}
_FORMS = {
    form: times for word, times in _TIMES.items() for form in (word + "d", word + "s", word[:-1] + "ing")
}
"""The forms that are verbs: a `double` room is no change."""
TIMES = {stem(form): times for form, times in (_TIMES | _FORMS).items()}
"""Stem → what the old number was multiplied by."""
_ROOM = 0.1


class Change(Struct, frozen=True):
    """What a number was and what it became."""

    old: float
    new: float
    slack: float = 0.0
    now: Quantity | None = None

    def gap(self, times: float) -> float:
        """How far the two numbers are from being so many times each other; 0 is exactly."""
        if self.old <= 0 or self.new <= 0:
            return math.inf
        return abs(math.log(self.new / self.old / times))


@once_per_text
def _find_changes(sentence: ReadSentence) -> list[Change]:
    """The changes that a sentence gives both numbers of, or gives in a word: `tripled`, `fell by a third`."""
    found = [change for change in _in_numbers(sentence) if change.old != change.new]
    return found or list(_in_words(sentence))


def _in_numbers(sentence: ReadSentence) -> Iterator[Change]:
    reading = sentence.reading
    amounts = [
        quantity
        for quantity in sentence.quantities[:MAX_QUANTITIES]
        if quantity.kind not in NOT_AMOUNTS and (quantity.kind != "share" or quantity.unit == "%")
    ]
    for quantity in amounts:
        if not quantity.is_point and quantity.text.lower().startswith("from ") and quantity.is_bounded:
            yield Change(quantity.low, quantity.high)
    for one, two in pairwise(amounts):
        between = [term.text.lower() for term in reading.terms_in_range(one.end, two.start)]
        if not between or len(between) > _BETWEEN or compare(one, two) == "unrelated":
            continue
        before = reading.term_before(one.start)
        slack = one.slack + two.slack
        if before is not None and before.text.lower() == "from":
            if between[-1] == "to":
                yield Change(one.nominal, two.nominal, slack, two)
        elif between[-1] in _OLD or between[-2:] in (["compared", "with"], ["compared", "to"]):
            yield Change(two.nominal, one.nominal, slack, one)


def _in_words(sentence: ReadSentence) -> Iterator[Change]:
    reading = sentence.reading
    for term in sentence.terms:
        if term.text.lower() in _FORMS:
            yield Change(1.0, _FORMS[term.text.lower()])
    for share in sentence.quantities[:MAX_QUANTITIES]:
        by = reading.term_before(share.start)
        if share.kind != "share" or not share.is_point or by is None or by.text.lower() != "by":
            continue
        before = reading.terms_in_range(sentence.span.start, share.start)[-3:]
        verb = next((term for term in before if term.stem in _UP or term.stem in _DOWN), None)
        if verb is not None:
            yield Change(1.0, 1.0 + direction(verb) * share.nominal)


# --- what a claim says of a change -----------------------------------------------------------------


@once_per_text
def _change_words(claim: ReadText) -> list[Term]:
    """The words of a claim that say which way something went."""
    return [term for index, term in enumerate(claim.terms) if _is_change(claim.terms, index)]


def _is_change(terms: Sequence[Term], index: int) -> bool:
    term = terms[index]
    if term.stem in {"up", "down"}:
        following = terms[index + 1].text.lower() if index + 1 < len(terms) else ""
        return following in {"from", "by", ""}
    return not term.stop and (term.stem in _UP or term.stem in _DOWN or term.stem in TIMES)


def direction(term: Term) -> int:
    """1 for a rise, -1 for a fall."""
    return 1 if term.stem in _UP or TIMES.get(term.stem, 0.0) > 1.0 else -1


def direction_of(claim: ReadText) -> int:
    """1 where a claim reports a rise, -1 a fall, 0 of neither or both."""
    return (not claim.stems.isdisjoint(_UP)) - (not claim.stems.isdisjoint(_DOWN))


@once_per_text
def _other_stems(claim: ReadText) -> list[str]:
    """What a claim says beside numbers and which way something went."""
    terms = claim.terms
    return [
        term.stem
        for index, term in enumerate(terms)
        if not term.stop and not term.text[0].isdigit() and not _is_change(terms, index)
    ]


def _rest_held(claim: ReadText, held: frozenset[str]) -> bool:
    """Whether what the claim says beside the change is among those stems."""
    rest = _other_stems(claim)
    return bool(rest) and sum([is_held(stem, held) for stem in rest]) >= REST_COVERED * len(rest)


def told_by_numbers(claim: ReadText, source: ReadText) -> frozenset[str]:
    """The stem of the claim's `doubled` or `fell`, when two numbers of the source say just that."""
    wanted = _change_words(claim) if len(claim.terms) <= MAX_TERMS else []
    if len(wanted) == 1 and not is_held(wanted[0].stem, source.stems):
        for sentence in source.read_sentences:
            changes = _find_changes(sentence) if _rest_held(claim, sentence.stems) else []
            if changes and all(_says(change, wanted[0]) for change in changes):
                return frozenset({wanted[0].stem})
    return frozenset()


def _says(change: Change, word: Term) -> bool:
    if word.stem in TIMES:
        return change.gap(TIMES[word.stem]) <= _ROOM
    return (change.new > change.old) == (direction(word) > 0)


def derive_change(claim: ReadText, answer: NumberAnswer, sentences: Sequence[Sentence]) -> NumberAnswer:
    """The answer, where the source's own numbers come to the claim's change: `up 20%`, `by €5.7 million`."""
    mine, before, way = answer.claim, claim.term_before(answer.claim.start), direction_of(claim)
    share = mine.kind == "share" and mine.unit == "%" and answer.status == "unrelated"
    amount = mine.is_point and mine.kind not in {*NOT_AMOUNTS, "share"} and answer.status == "apart"
    if not way or not (share or (amount and before is not None and before.text.lower() == "by")):
        return answer
    for sentence in sentences[:_SENTENCES]:
        for change in _find_changes(sentence.read):
            if change.now is None or change.old <= 0 or (amount and compare(mine, change.now) == "unrelated"):
                continue
            whole = change.old if share else 1.0
            far, room = way * (change.new - change.old) / whole, mine.slack + change.slack / whole
            if far > 0 and mine.low - room <= far <= mine.high + room:
                return replace(answer, status="inside", source=change.now, sentence=sentence, fit=1.0)
    return answer
