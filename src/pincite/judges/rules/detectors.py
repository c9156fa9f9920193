"""What the rules observe in a pair: numbers that differ or that nothing answers to, and all the detectors."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pincite.base import one_line
from pincite.judges.rules.arithmetic import can_be_reckoned
from pincite.judges.rules.certainty import granted
from pincite.judges.rules.changes import direction_of
from pincite.judges.rules.opposites import claim_denies, exclusive_words, source_hedges
from pincite.judges.rules.quantities import NumberAnswer, relate
from pincite.judges.rules.texts import ReadText
from pincite.judges.rules.view import Kind, Observation, Observed, View
from pincite.judges.rules.words import listed_words
from pincite.text import Quantity

MAX_QUANTITIES = 400
"""So many numbers of the passages are compared with one that no sentence answers to."""
_LIMIT = re.compile(r"up to|within|(?:no|not) more than|at most|no later|until|below|under", re.IGNORECASE)
"""What begins an upper limit, which whatever is below it keeps."""
FEW = 12
"""So many things may be counted by a reader where the source only lists them."""
SURE_OVERLAP = 1.0
"""A number that overlaps the claim's must fit this well before it is taken for the one that is meant."""
ALARM_COVERAGE, ALARM_SLOPE = 0.7, 3.0
"""A differing number weighs by how well it fits, and by how many of the claim's words its sentence holds."""
CLOSE_FIT, CLOSE_WORDS = 1.5, 0.6
"""From here on a number that differs is in a sentence that otherwise says the same."""
VALUES = frozenset({"number", "date", "unit"})
"""The causes of what is observed about numbers."""


def explain_number(answer: NumberAnswer) -> str:
    """`12% in the claim, 21% in the source`."""
    there = answer.source.text if answer.source else "nothing like it"
    return f"{one_line(answer.claim.text)} in the claim, {one_line(there)} in the source"


def _observed(kind: Kind, answer: NumberAnswer, weight: float) -> Observation:
    cause = "date" if answer.claim.kind in {"date", "day", "clock"} else "number"
    words = answer.claim.text, answer.source.text if answer.source else None
    return Observation(kind, cause, words, weight, explain_number(answer), answer.sentence)


def differing_numbers(view: View) -> list[Observation]:
    """The numbers for which the source has others of the same thing, best fitting first."""
    found = []
    for answer in sorted(view.answers, key=lambda answer: -answer.fit):
        if answer.differs and answer.sentence is not None:
            held = view.words_held(answer.sentence)
            if view.is_sure(answer):
                weight = answer.fit + ALARM_SLOPE * (held - ALARM_COVERAGE)
                found.append(_observed("number", answer, weight))
            else:
                close = answer.fit >= CLOSE_FIT and held >= CLOSE_WORDS
                found.append(_observed("close" if close else "apart", answer, answer.fit))
    return found


def unsettled_numbers(view: View) -> list[Observation]:
    """Numbers that are only perhaps the same."""
    return [
        _observed("doubt", answer, 0.0)
        for answer in view.answers
        if answer.status == "overlap"
        and answer.fit >= SURE_OVERLAP
        and not granted(answer)
        and not (answer.claim.is_point and answer.source and _LIMIT.match(answer.source.text))
        and not _written(view.claim, answer.claim, view.everything)
    ]


def open_numbers(view: View) -> list[Observation]:
    """Numbers that nothing in the source answers to."""
    reason = "nothing in the source answers to {}".format
    texts = [answer.claim.text for answer in view.answers if _is_open(view, answer)]
    return [Observation("doubt", "number", (text, None), 0.0, reason(one_line(text))) for text in texts]


_DATE_LEADS = listed_words("before dates")


def _is_open(view: View, answer: NumberAnswer) -> bool:
    """Whether a number that no sentence answers to is a statement of its own.

    Ranks, numbers in titles and at the head of a list item are none; nor is a year that only names something
    (`the 2012 film`); nor what can be reckoned or is somewhere in the passages.
    """
    claim, quantity = view.claim, answer.claim
    one = quantity.kind == "count" and quantity.nominal == 1.0
    if answer.status != "unrelated" or quantity.kind == "ordinal" or one or _labels(claim, quantity):
        return False
    if _written(claim, quantity, view.everything) or _counts_few(quantity):
        return False
    if quantity.kind in {"date", "day"} and not quantity.is_bounded:
        before = claim.term_before(quantity.start)
        if before is not None and before.text.lower() not in _DATE_LEADS:
            return False
    if any(_answers(quantity, q) for shown in view.passages for q in shown.quantities[:MAX_QUANTITIES]):
        return False
    # How much something rose or fell was reckoned already, from the two numbers that say so.
    if quantity.kind == "share" and direction_of(claim):
        return True
    return not can_be_reckoned(quantity, view.passages)


def _counts_few(quantity: Quantity) -> bool:
    """`both`, `three`: so many things a passage names without counting them."""
    few = quantity.is_point and quantity.nominal <= FEW
    return quantity.kind == "count" and few and quantity.text.isalpha()


def _written(claim: ReadText, quantity: Quantity, everything: frozenset[str]) -> bool:
    """Whether the digits of a quantity stand somewhere in what was shown."""
    inner = claim.terms_in_range(quantity.start, quantity.end)
    digits = [term.stem for term in inner if term.text[0].isdigit()]
    return bool(digits) and all(stem in everything for stem in digits)


def _answers(claim: Quantity, source: Quantity) -> bool:
    if claim.kind == "duration" and source.kind in {"date", "day"}:
        return True
    if {claim.kind, source.kind} == {"count", "ordinal"} and claim.nominal == source.nominal:
        return True
    return relate(claim, source) == "inside"


def _labels(claim: ReadText, quantity: Quantity) -> bool:
    """`4. Turn it on`, `127 Hours`, `Boeing 767s`: a number that counts nothing."""
    text = quantity.text
    if quantity.start == 0 and claim.text[quantity.end : quantity.end + 2] in {". ", ") "}:
        return True
    words = text.split()
    return len(words) == 2 and words[0].isdigit() and words[1][:1].isupper() and words[1][1:].islower()


# --- all detectors ---------------------------------------------------------------------------------


Detector = Callable[[View], Sequence[Observation]]


DETECTORS: tuple[Detector, ...] = (
    differing_numbers,
    exclusive_words,
    unsettled_numbers,
    open_numbers,
    claim_denies,
    source_hedges,
)
"""In the order in which their observations are reported."""


def observe(
    claim: ReadText, passages: Sequence[ReadText], contexts: Sequence[frozenset[str]] = ()
) -> Observed:
    """Everything that the rules see in a claim and its evidence, before anything is decided."""
    view = View(claim, passages, contexts)
    return Observed(view, tuple(found for detect in DETECTORS for found in detect(view)))
