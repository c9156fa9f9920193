"""What keeps a claim from being supported although nearly all of its words stand in the source.

Word coverage cannot see that the one number, name or noun that is missing is what the claim is about. Each
function here finds one such thing and says which; none of them contradicts a claim. They look narrowly, where
the source says something else in the very same place, because a missing word is mostly only another word for
the same thing.
"""

from __future__ import annotations

from collections.abc import Sequence

from pincite.judges.rules.certainty import is_case
from pincite.judges.rules.derived import can_be_reckoned, direction_of
from pincite.judges.rules.flips import Doubt
from pincite.judges.rules.hedges import find_hedge
from pincite.judges.rules.quantities import Answer, relate
from pincite.judges.rules.reading import Reading, Sentence
from pincite.judges.rules.swaps import (
    missing_item,
    missing_place,
    missing_row,
    strange_row,
    swapped_noun,
    swapped_opening,
)
from pincite.judges.rules.vocabulary import is_held, words
from pincite.judges.rules.words import ClaimWord
from pincite.text.numbers import Quantity
from pincite.text.quantities import CLOSE

MAX_QUANTITIES = 400
"""So many numbers of the passages are compared with one that no sentence answers to."""
_LIMITS = (
    "up to",
    "within",
    "no more than",
    "not more than",
    "at most",
    "no later",
    "until",
    "below",
    "under",
)
"""What begins an upper limit, which whatever stays below it keeps."""
FEW = 12
"""So many things may be counted by a reader where the source only lists them."""
SURE_OVERLAP = 1.0
"""A number that overlaps the claim's must fit this well before it is taken for the one that is meant."""


def find_doubts(
    claim: Reading,
    words: Sequence[ClaimWord],
    answers: Sequence[Answer],
    sentences: Sequence[Sentence],
    passages: Sequence[Reading],
    everything: frozenset[str],
) -> list[Doubt]:
    """Numbers without an answer, numbers that are only perhaps the same, and swapped subjects and nouns."""
    doubts = [
        _unsettled(answer)
        for answer in answers
        if answer.status == "overlap"
        and answer.fit >= SURE_OVERLAP
        and not granted(answer)
        and not _may_fall_under(claim, answer)
        and not _written(claim, answer.claim, everything)
    ]
    doubts += [
        Doubt("number", f"nothing in the source answers to {_one_line(answer.claim.text)}", answer.claim.text)
        for answer in answers
        if answer.status == "unrelated" and needs_answer(claim, answer.claim, passages, everything)
    ]
    hedge = find_hedge(claim, sentences[0], passages) if sentences else None
    doubts += [hedge] if hedge else []
    missing = {
        word.term.stem for word in words if not word.number and not is_held(word.term.stem, everything)
    }
    if missing:
        found = (
            swapped_opening(claim, missing, sentences[0]) if sentences else None,
            missing_place(claim, missing, sentences[0]) if sentences else None,
            missing_item(claim, missing, sentences[0]) if sentences else None,
            missing_row(claim, missing) or strange_row(claim, missing, answers),
            *(swapped_noun(claim, missing, answer) for answer in answers if answer.status == "inside"),
        )
        doubts += [doubt for doubt in found if doubt]
    return doubts


def _one_line(text: str) -> str:
    return " ".join(text.split())


def granted(answer: Answer) -> bool:
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


def _unsettled(answer: Answer) -> Doubt:
    assert answer.source is not None
    here, there = answer.claim.text, answer.source.text
    cause = "date" if answer.claim.kind in {"date", "day", "clock"} else "number"
    reason = f"{_one_line(here)} in the claim, {_one_line(there)} in the source"
    return Doubt(cause, reason, here, there, answer.sentence)


_DATE_LEADS = words("before dates")


def needs_answer(
    claim: Reading, quantity: Quantity, passages: Sequence[Reading], everything: frozenset[str]
) -> bool:
    """Whether a number that no sentence answers to is a statement of its own.

    Ranks, numbers in titles and at the head of a list item are none; nor is a year that only names something
    (`the 2012 film`); nor what can be reckoned or stands somewhere in the passages; nor a case to which a
    rule is applied.
    """
    one = quantity.kind == "count" and quantity.nominal == 1.0
    if quantity.kind == "ordinal" or one or _labels(claim, quantity):
        return False
    if _written(claim, quantity, everything) or is_case(claim, quantity) or _counts_few(quantity):
        return False
    if quantity.kind in {"date", "day"} and not quantity.is_bounded:
        before = claim.term_at(quantity.start) - 1
        if before >= 0 and claim.terms[before].text.lower() not in _DATE_LEADS:
            return False
    if any(_answers(quantity, other) for reading in passages for other in _first(reading.quantities)):
        return False
    # How much something rose or fell was reckoned already, from the two numbers that say so.
    if quantity.kind == "share" and direction_of(claim):
        return True
    return not can_be_reckoned(quantity, passages)


def _may_fall_under(claim: Reading, answer: Answer) -> bool:
    """Whether a claim may be right about a case to which a limit or a range of the source applies."""
    source, mine = answer.source, answer.claim
    if source is None or not mine.is_point or source.is_point or source.blurred:
        return False
    return is_case(claim, mine) or source.text.lower().startswith(_LIMITS)


def _counts_few(quantity: Quantity) -> bool:
    """`both`, `three`: so many things a passage names without counting them."""
    return (
        quantity.kind == "count" and quantity.is_point and quantity.nominal <= FEW and quantity.text.isalpha()
    )


def _written(claim: Reading, quantity: Quantity, everything: frozenset[str]) -> bool:
    """Whether the digits of a quantity stand somewhere in what was shown."""
    inner = claim.terms_in_range(quantity.start, quantity.end)
    digits = [term.stem for term in inner if term.text[0].isdigit()]
    return bool(digits) and all(stem in everything for stem in digits)


def _first(quantities: Sequence[Quantity]) -> Sequence[Quantity]:
    return quantities[:MAX_QUANTITIES]


def _answers(claim: Quantity, source: Quantity) -> bool:
    if claim.kind == "duration" and source.kind in {"date", "day"}:
        return True
    if {claim.kind, source.kind} == {"count", "ordinal"} and claim.nominal == source.nominal:
        return True
    return relate(claim, source) == "inside"


def _labels(claim: Reading, quantity: Quantity) -> bool:
    """`4. Turn it on`, `127 Hours`, `Boeing 767s`: a number that counts nothing."""
    text = quantity.text
    if quantity.start == 0 and claim.text[quantity.end : quantity.end + 2] in {". ", ") "}:
        return True
    words = text.split()
    return len(words) == 2 and words[0].isdigit() and words[1][:1].isupper() and words[1][1:].islower()
