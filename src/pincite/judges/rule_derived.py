"""Changes that follow from two numbers: `up 20%` and `up by 2.4 GW` from `14.3 GW, up from 11.9 GW`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pincite.judges.rule_quantities import Answer
from pincite.judges.rule_reading import Reading, Sentence
from pincite.text.numbers import Quantity, compare
from pincite.text.terms import stem
from pincite.text.wordlists import word_set

UP = frozenset(
    map(stem, word_set("up rise rose risen increase grow grew grown growth gain climb jump surge"))
)
DOWN = frozenset(
    map(
        stem, word_set("down fall fell fallen decrease decline drop reduce reduction cut lower shrink shrank")
    )
)
_OLD = word_set("from than against versus vs with to")
"""What stands before the number that was there first. `with` and `to` only after `compared`."""
NOT_AMOUNTS = frozenset({"date", "day", "clock", "ordinal", "score", "share"})
_SENTENCES = 3
_MOST = 12


def derive_changes(claim: Reading, answers: Sequence[Answer], sentences: Sequence[Sentence]) -> list[Answer]:
    """The answers, with those changes answered that the source's own numbers come to."""
    direction = _direction(claim)
    if not direction:
        return list(answers)
    return [
        _derive(answer, direction, sentences) if _is_open(answer) or _is_difference(claim, answer) else answer
        for answer in answers
    ]


def _is_open(answer: Answer) -> bool:
    return answer.status == "unrelated" and answer.claim.kind == "share" and answer.claim.unit == "%"


def _is_difference(claim: Reading, answer: Answer) -> bool:
    """`by €5.7 million`: not what something is, but how far it went."""
    if answer.status != "apart" or not answer.claim.is_point or answer.claim.kind in NOT_AMOUNTS:
        return False
    before = claim.term_at(answer.claim.start) - 1
    return before >= 0 and claim.terms[before].text.lower() == "by"


def _direction(claim: Reading) -> int:
    up, down = not claim.stems.isdisjoint(UP), not claim.stems.isdisjoint(DOWN)
    return 0 if up == down else 1 if up else -1


def _derive(answer: Answer, direction: int, sentences: Sequence[Sentence]) -> Answer:
    for sentence in sentences[:_SENTENCES]:
        found = sentence.read.quantities[:_MOST]
        amounts = [quantity for quantity in found if quantity.is_point and quantity.kind not in NOT_AMOUNTS]
        for old in amounts:
            if old.nominal <= 0 or not _was_first(sentence.reading, old):
                continue
            for new in amounts:
                if (
                    new is not old
                    and compare(new, old) != "unrelated"
                    and _agrees(answer.claim, direction, old, new)
                ):
                    return replace(answer, status="inside", source=new, sentence=sentence, fit=1.0)
    return answer


def _was_first(reading: Reading, quantity: Quantity) -> bool:
    index = reading.term_at(quantity.start) - 1
    if index < 0 or reading.terms[index].text.lower() not in _OLD:
        return False
    if reading.terms[index].text.lower() in {"with", "to"}:
        return index > 0 and reading.terms[index - 1].text.lower() == "compared"
    return True


def _agrees(claim: Quantity, direction: int, old: Quantity, new: Quantity) -> bool:
    whole = old.nominal if claim.kind == "share" else 1.0
    if claim.kind != "share" and compare(claim, old) == "unrelated":
        return False
    change = direction * (new.nominal - old.nominal) / whole
    room = claim.slack + (new.slack + old.slack) / whole
    return change > 0 and claim.low - room <= change <= claim.high + room
