"""Which quantity of the evidence answers to which of the claim's, and what the two say together.

Position says nothing: the words around a number, its unit and the sentence it is in do.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence, Set
from functools import lru_cache
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from pincite.judges.rules.texts import ReadSentence, ReadText, Sentence, is_torn, may_be_cut, once_per_text
from pincite.judges.rules.words import COMMON, is_title_number, kin, listed_stems
from pincite.text import Comparison, Quantity, compare, day_number, year_of

MAX_CLAIM_QUANTITIES = 16
MAX_CANDIDATES = 200
CONTEXT_SHARE = 0.6
"""What a word of the context, such as a table's header, is worth as a neighbour of a number."""
NOT_AMOUNTS = frozenset({"date", "day", "clock", "ordinal", "score"})
"""The kinds of numbers that are not so much of something."""
WINDOW = 8
"""How many words on each side of a number say what it counts."""
_NOUN_WORDS = 3
_ANYTHING = listed_stems("anything")
"""Nouns that stand for many others."""


class NumberAnswer(Struct, frozen=True):
    """What the evidence says about one quantity of the claim."""

    claim: Quantity
    status: Comparison
    """inside, apart, overlap, or unrelated when nothing in the evidence answers to it."""
    source: Quantity | None = None
    sentence: Sentence | None = None
    fit: float = 0.0
    """How surely the two speak of the same thing."""
    unit_differs: bool = False
    explained: bool = False
    """Something else than a wrong number may be why the two lie apart (`certainty`)."""
    other_thing: bool = False
    """The two count or label different things, so that they cannot contradict each other."""

    @property
    def differs(self) -> bool:
        """Whether the source gives another number for the same thing."""
        return self.status == "apart" and not self.other_thing


class Around(Struct, frozen=True, gc=False):
    """What a number counts, as far as the words round it tell."""

    near: dict[str, float]
    """The stems within a few words, the nearest weighing most."""
    head: str
    """The stem of the word that it counts."""
    noun: frozenset[str]
    """The stems right after it, as far as they may be its noun; none where that says nothing."""


def around(reading: ReadText, quantity: Quantity, first: int = 0, last: int | None = None) -> Around:
    """The words round a quantity between two term indices."""
    terms = reading.terms
    after, before = reading.term_at(quantity.end), reading.term_at(quantity.start)
    right = terms[after : min(len(terms) if last is None else last, after + WINDOW)]
    left = terms[max(first, before - WINDOW) : before]
    near: dict[str, float] = {}
    for side in (right, reversed(left)):
        step = 0
        for term in side:
            if step >= WINDOW:
                break
            if term.text[0].isdigit():
                step += 3
            elif not term.stop:
                near[term.stem] = max(near.get(term.stem, 0.0), 1.0 / (1.0 + step / 2))
            step += 1
    head = next((term.stem for term in right[:2] if not term.stop and not term.text[0].isdigit()), "")
    return Around(near, head, _noun_after(reading, quantity))


def _noun_after(reading: ReadText, quantity: Quantity) -> frozenset[str]:
    found = []
    edge = quantity.end
    first = reading.term_at(quantity.end)
    for term in reading.terms[first : first + _NOUN_WORDS]:
        if term.stop or reading.text[edge : term.start].strip(" -") or term.text[0].isdigit():
            break
        found.append(term.stem)
        edge = term.end
    return frozenset(found) if _ANYTHING.isdisjoint(found) else frozenset()


def around_in_sentence(sentence: ReadSentence, quantity: Quantity) -> Around:
    known = _arounds(sentence)
    found = known.get(quantity.start)
    if found is None:
        reading, span = sentence.reading, sentence.span
        first, last = reading.term_at(span.start), reading.term_at(span.end)
        found = known[quantity.start] = around(reading, quantity, first, last)
    return found


@once_per_text
def _arounds(sentence: ReadSentence) -> dict[int, Around]:
    """The words round the sentence's quantities, by where these begin; filled as they are asked for."""
    return {}


@once_per_text
def _looked_for(claim: ReadText) -> list[tuple[Quantity, Around]]:
    """The quantities of a claim that want an answer, each with the words round it."""
    return [
        (quantity, around(claim, quantity))
        for quantity in claim.quantities[:MAX_CLAIM_QUANTITIES]
        if not is_title_number(claim, quantity)
    ]


Candidate = tuple[Quantity, Sentence]
_fit_of = attrgetter("fit")


def answer_all(claim: ReadText, sentences: Sequence[Sentence]) -> list[NumberAnswer]:
    wanted = _looked_for(claim)
    if not wanted:
        return []
    candidates = [
        (quantity, sentence)
        for sentence in _rows_that_fit(claim, sentences)
        for quantity in sentence.read.quantities
    ][:MAX_CANDIDATES]
    fitting = [_fitting(quantity, here, candidates) for quantity, here in wanted]
    answers = [_best(quantity, found) for (quantity, _), found in zip(wanted, fitting, strict=True)]
    return [
        _best(answer.claim, [one for one in found if one.source is not answer.source])
        if _is_taken(answer, answers)
        else answer
        for answer, found in zip(answers, fitting, strict=True)
    ]


def grant_context(claim: ReadText, answer: NumberAnswer, sentences: Sequence[Sentence]) -> NumberAnswer:
    """The answer, where a number that no sentence holds is in a heading or a column's name above one."""
    told = sentences[0].context if sentences else frozenset()
    granted = told and answer.status == "unrelated" and _digit_stems(claim, answer.claim) <= told
    return NumberAnswer(answer.claim, "inside") if granted else answer


def _digit_stems(claim: ReadText, quantity: Quantity) -> Set[str]:
    """The numbers of a quantity as they are written; one in words has none, and counts as its own text."""
    inner = claim.terms_in_range(quantity.start, quantity.end)
    return {term.stem for term in inner if term.text[0].isdigit()} or {quantity.text}


def _rows_that_fit(claim: ReadText, sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """The sentences without those rows of a table that are about something else than the claim."""
    rows = [sentence for sentence in sentences if sentence.read.quantities and sentence.read.is_row]
    if len(rows) < 2:
        return sentences
    words = {term.stem for term in claim.terms if not term.stop and not term.text[0].isdigit()}
    shared = [len(words & sentence.stems) for sentence in rows]
    dropped = {id(row) for row, count in zip(rows, shared, strict=True) if count < max(shared)}
    return [sentence for sentence in sentences if id(sentence) not in dropped]


def _is_taken(answer: NumberAnswer, answers: Sequence[NumberAnswer]) -> bool:
    """Whether the source's number answers better to another number of the claim that says something else."""
    return answer.source is not None and any(
        other.source is answer.source
        and other.fit > answer.fit
        and other.claim.nominal != answer.claim.nominal
        for other in answers
    )


def _fitting(quantity: Quantity, here: Around, candidates: Sequence[Candidate]) -> list[NumberAnswer]:
    """What each candidate of the same kind says of the claim, and how well it fits."""
    found: list[NumberAnswer] = []
    for source, sentence in candidates:
        status = relate(quantity, source)
        if status == "apart":
            if may_be_cut(quantity, source, sentence):
                continue
            status = "inside" if is_torn(quantity, source, sentence.reading.text) else status
        differs = status == "unrelated"
        if differs:
            if not _same_digits_other_unit(quantity, source):
                continue
            status = "apart"
        fit = _fit(here, source, sentence, quantity) + 0.8 * sentence.covered
        fit += 0.5 * _closeness(quantity, source)
        fit += 0.15 if status == "inside" else -0.4 if differs else 0.0
        found.append(NumberAnswer(quantity, status, source, sentence, fit, differs))
    return found


def _best(quantity: Quantity, fitting: Sequence[NumberAnswer]) -> NumberAnswer:
    if not fitting:
        return NumberAnswer(quantity, "unrelated")
    best = max(fitting, key=_fit_of)
    agrees = max((answer for answer in fitting if answer.status == "inside"), key=_fit_of, default=best)
    return agrees if agrees.fit >= best.fit - _margin(quantity, best.status) else best


def _margin(quantity: Quantity, status: Comparison) -> float:
    """How much better a candidate must fit to outweigh one that agrees with the claim.

    The same number twice is hardly chance; something below a million is.
    """
    if status == "overlap":
        return 0.5
    if quantity.is_bounded:
        return 0.2 if quantity.kind == "date" else 0.0
    return 0.8 if quantity.kind == "ordinal" else 0.4


def _closeness(claim: Quantity, source: Quantity) -> float:
    """1 for the same number, 0 for one twice as large: `over 70,000` means 84,115, not 3 million."""
    if claim.kind in {"date", "day", "clock"}:
        width = {"date": 3650.0, "day": 60.0, "clock": 240.0}[claim.kind]
        gap = abs(claim.nominal - source.nominal) / width if claim.kind == source.kind else 0.5
        return max(0.0, 1.0 - gap)
    one, two = abs(claim.nominal), abs(source.nominal)
    if one == two:
        return 1.0
    if min(one, two) == 0.0:
        return 0.0
    return max(0.0, 1.0 - abs(math.log(one / two)) / math.log(2.0))


_DATES = frozenset({("date", "day"), ("day", "date")})
_BARE = frozenset(
    pair for kind in ("money", "share", "duration") for pair in (("count", kind), (kind, "count"))
)
"""Kinds of which one may be written as a bare number."""


def relate(claim: Quantity, source: Quantity) -> Comparison:
    """As `compare`, with what a reader would grant.

    A bare number may be an amount or a rating whose sign was left out; a day without a year is taken to be
    of the year that the other side names; a claim may drop the `over` of `over 70,000`.
    """
    if claim.kind != source.kind:
        kinds = (claim.kind, source.kind)
        if kinds in _DATES:
            claim, source = _same_year(claim, source)
        elif kinds in _BARE:
            same = _digits(claim.text) == _digits(_OUT_OF_TEN.sub("", source.text)) != ""
            return "inside" if same else "unrelated"
        else:
            return "unrelated"
    status = compare(claim, source)
    if status == "apart" and claim.is_point and source.is_bounded and claim.nominal == source.nominal:
        return "overlap"
    if status == "apart" and _point_groups(claim, source):
        # 12.500 firms are 12,500; of a length or an amount it is unclear.
        return "inside" if claim.kind == "count" else "overlap"
    limits = _states_limit(claim) and _states_limit(source)
    return "apart" if status == "inside" and limits and claim.nominal != source.nominal else status


_OUT_OF_TEN = re.compile(r"(?:/| out of )10\Z")
_POINT_GROUP = re.compile(r"\d{1,3}\.\d{3}(?![\d.,])")


def _point_groups(one: Quantity, two: Quantity) -> bool:
    """Whether the two are the same once a point is read as what divides thousands: `12.500` and `12,500`."""
    if not (one.is_point and two.is_point):
        return False
    small, large = sorted((one, two), key=lambda quantity: abs(quantity.nominal))
    same = math.isclose(small.nominal * 1000, large.nominal, rel_tol=1e-12)
    return same and _POINT_GROUP.search(small.text) is not None


def _states_limit(quantity: Quantity) -> bool:
    """`up to three days` is the limit itself: who says four for it has changed a rule, not rounded it."""
    return quantity.is_bounded and quantity.text.lower().startswith("up to ")


def _same_year(claim: Quantity, source: Quantity) -> tuple[Quantity, Quantity]:
    full = claim if claim.kind == "date" else source
    year = year_of(full.nominal)
    if year is None:
        return claim, source
    return (claim, _place_in_year(source, year)) if full is claim else (_place_in_year(claim, year), source)


def _place_in_year(day: Quantity, year: int) -> Quantity:
    """A day without a year as a date of that year."""
    start = day_number(year) - 1
    leap = 0 if day_number(year + 1) - day_number(year) == 366 else 1

    def move(number: float) -> float:
        return number if math.isinf(number) else start + number - (leap if number > 60 else 0)

    moved = {"low": move(day.low), "high": move(day.high) + 1, "nominal": move(day.nominal)}
    return replace(day, kind="date", high_open=True, begins=None, ends=None, **moved)


def _same_digits_other_unit(claim: Quantity, source: Quantity) -> bool:
    """`€5 million` for `$5 million`, `10 kg` for `10 km`: the number stayed, the unit changed."""
    if not claim.unit or not source.unit or claim.unit == source.unit:
        return False
    if not NOT_AMOUNTS.isdisjoint({claim.kind, source.kind}):
        return False
    return _digits(claim.text) == _digits(source.text) != ""


@lru_cache(maxsize=4096)
def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit() or char == ".").strip(".")


def _fit(here: Around, source: Quantity, sentence: Sentence, claim: Quantity) -> float:
    """How many of the words round the claim's number stand as near to the source's."""
    there = around_in_sentence(sentence.read, source)
    near = there.near
    if sentence.context:
        near = dict.fromkeys(sentence.context, CONTEXT_SHARE) | near
    shared = total = 0.0
    for word, weight in here.near.items():
        worth = weight * (0.5 if word in COMMON else 1.0)
        total += worth
        held = {key: share for key, share in kin(word).items() if key in near}
        shared += worth * max(
            (share * math.sqrt(min(1.0, near[key] / weight)) for key, share in held.items()), default=0.0
        )
    fit = shared / total if total else 0.0
    if here.head and there.head:
        if there.head in kin(here.head):
            fit += 0.6
        elif claim.kind == "count":
            fit -= 0.2
    if claim.unit and claim.unit == source.unit:
        fit += 0.3
    return fit
