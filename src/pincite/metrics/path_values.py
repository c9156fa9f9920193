"""Whether an answer states a JSON value where it cites it: the words round its marker, and what they say.

A value mostly stands before its marker (`the premium is $1,200 [quote.premium]`), sometimes after it (`the
premium [quote.premium] is $1,200`). Words between two markers belong to one of them, so that swapped values
are seen; markers side by side share theirs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct

from pincite.judges import LARGEST, Number, find_numbers, fits, judge_value
from pincite.records import Citation, Passage
from pincite.text import find_terms

MOST_LEAVES = 100
"""Values of a list or an object that are looked for."""
LONGEST_VALUE = 10_000
SHORTEST_ALIKE = 5
"""Characters of a text value that may be misspelt; a shorter one is another word."""
_WHOLE_NUMBER = re.compile(r"\s*+[-−(]?+\s*+[$€£¥₹]?+\s*+[-−]?+\d[\d,. ]*+\s*+(?:%|percent)?+\s*+\)?+\s*+")
_NOTHING = re.compile(
    r"\b(?:no|not|none|null|nothing|never|missing|unknown|without|empty|n/?a)\b|n['’]t\b", re.IGNORECASE
)
_SIDE_BY_SIDE = re.compile(r"[\s,;/&]*(?:and\s+)?\Z")
_SENTENCE_END = re.compile(r"[.!?](?=\s|\Z)|\n")
_CLOSED = re.compile(r"[.!?][ ]{0,8}\Z")
State = Literal["stated", "differs", "absent"]


class ValueMatch(Struct, frozen=True):
    """Whether the value is stated, and the answer's own words where it states another."""

    state: State
    said: str = ""


class Likeness(Struct, frozen=True):
    """How near is near enough."""

    min_shared_tokens: int = 2
    fuzzy_threshold: float = 0.8
    numeric_tolerance: float = 0.01


def look_for(value: Any, text: str, clause: str, likeness: Likeness) -> ValueMatch:
    """Whether `text` states the value. `clause` is the part of it in the marker's own sentence."""
    if isinstance(value, bool):
        return _flag(value, clause)
    if value is None:
        return ValueMatch("stated" if _NOTHING.search(clause) else "absent")
    if isinstance(value, int | float):
        return _number(value, text, likeness)
    if isinstance(value, str):
        return _text(value[:LONGEST_VALUE], text, clause, likeness)
    return _any_of(value, text, clause, likeness)


def _flag(value: bool, clause: str) -> ValueMatch:
    """True is said by `yes`, `true` or by stating the thing; false by denying it."""
    if not any(character.isalnum() for character in clause):
        return ValueMatch("absent")
    verdict = judge_value((Passage(json.dumps(value)),), clause, clause)
    said = "no" if value else "yes"
    return ValueMatch("stated") if verdict and verdict.outcome == "supported" else ValueMatch("differs", said)


def _number(value: float, text: str, likeness: Likeness) -> ValueMatch:
    numbers = find_numbers(text)
    if not -LARGEST < value < LARGEST:
        return ValueMatch("stated" if str(value) in text.replace(",", "") else "absent")
    if any(_near(number, float(value), likeness.numeric_tolerance) for number in numbers):
        return ValueMatch("stated")
    return ValueMatch("differs", _nearest(numbers, float(value)).text) if numbers else ValueMatch("absent")


def _near(number: Number, value: float, tolerance: float) -> bool:
    """The same number, or one within the tolerance, which bounds rounding too: `$2M` is not 2,490,000."""
    # 2015 and 2016 are less than a tenth of a percent apart, and not the same year.
    room = 1e-12 + (0.0 if _is_year(number, value) else tolerance) * (1 + 1e-9)
    scales = (1.0, 0.01) if number.percent else (1.0,)
    return any(abs(number.value * scale - value) <= room * abs(value) for scale in scales)


def _is_year(number: Number, value: float) -> bool:
    return value == int(value) and 1500 <= value <= 2100 and re.fullmatch(r"\d{4}", number.text) is not None


def _nearest(numbers: list[Number], value: float) -> Number:
    return min(numbers, key=lambda number: abs(number.value - value))


def _text(value: str, text: str, clause: str, likeness: Likeness) -> ValueMatch:
    if _WHOLE_NUMBER.fullmatch(value):
        numbers = find_numbers(value)
        if len(numbers) == 1:
            number = numbers[0]
            return _number(number.value * (0.01 if _is_share(number, text) else 1.0), text, likeness)
    if value.strip().lower() in ("yes", "no", "true", "false") and not _holds(value, text):
        return _flag(value.strip().lower() in ("yes", "true"), clause)
    if _holds(value, text):
        return ValueMatch("stated")
    if any(character.isdigit() for character in value):
        verdict = judge_value((Passage(json.dumps(value)),), text, text)
        if verdict is not None and verdict.outcome == "supported":
            return ValueMatch("stated")
        if verdict is not None and verdict.cause == "date":
            return ValueMatch("differs", verdict.claim_text or "")
        stated = find_numbers(text)
        tolerance = likeness.numeric_tolerance
        known = [number.value for number in find_numbers(value)]
        if stated and not any(_near(mine, theirs, tolerance) for mine in stated for theirs in known):
            return ValueMatch("differs", stated[-1].text)
    return ValueMatch("stated" if _alike(value, text, likeness) else "absent")


def _is_share(number: Number, text: str) -> bool:
    """`3.75%` in the data and 0.0375 in the answer."""
    return number.percent and any(fits(found, number.value * 0.01) for found in find_numbers(text))


def _holds(value: str, text: str) -> bool:
    """Whether the text has the value's words in the same order, one after the other."""
    wanted = [term.stem for term in find_terms(value)]
    shown = [term.stem for term in find_terms(text)]
    if not wanted:
        return bool(value.strip()) and value.strip() in text
    first = wanted[0]
    size = len(wanted)
    return any(shown[at] == first and shown[at : at + size] == wanted for at in range(len(shown) - size + 1))


def _alike(value: str, text: str, likeness: Likeness) -> bool:
    """Enough words in common, or alike enough as a whole: a name may be cut short or slightly misspelt."""
    wanted = {term.stem for term in find_terms(value) if not term.stop}
    shared = wanted.intersection(term.stem for term in find_terms(text))
    if len(shared) >= likeness.min_shared_tokens:
        return True
    if len(value) < SHORTEST_ALIKE:
        return False
    return _likest(value.lower(), text.lower()) >= 100 * likeness.fuzzy_threshold


def _likest(value: str, text: str) -> float:
    """How alike the value and the most similar run of whole words are, 0 to 100."""
    from rapidfuzz import fuzz

    place = fuzz.partial_ratio_alignment(value, text)
    if place is None:
        return 0.0
    start, end = place.dest_start, place.dest_end
    while start > 0 and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    return fuzz.ratio(value, text[start:end].strip())


def _any_of(value: Any, text: str, clause: str, likeness: Likeness) -> ValueMatch:
    """Of a list or an object one value is enough: the answer may name it by any of its parts."""
    differing = ValueMatch("absent")
    for number, leaf in enumerate(_leaves(value)):
        if number >= MOST_LEAVES:
            break
        if isinstance(leaf, bool) or leaf is None:
            continue  # the mere lack of a denial would state every flag
        found = look_for(leaf, text, clause, likeness)
        if found.state == "stated":
            return found
        differing = found if differing.state == "absent" else differing
    return differing


def _leaves(value: Any) -> Iterator[Any]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += list(one.values())[::-1]
        elif isinstance(one, list | tuple):
            waiting += one[::-1]
        else:
            yield one


# --- the words that belong to a marker -----------------------------------------------------------


class MarkerPlace(Struct, frozen=True):
    """The text before and after a marker, as far as it belongs to that marker."""

    before: str
    after: str
    alone: bool
    """No other marker is in the sentence, so that the words after it can only be its own."""
    clause: str
    """The part of `before` in the marker's own sentence, and `after` with it."""
    sentence: int
    """Markers with the same number are in one sentence."""


def find_places(text: str, citations: Sequence[Citation], window: int) -> list[MarkerPlace]:
    """A place for each citation, in order. No place reaches further than `window` characters."""
    groups = _groups(text, citations)
    starts = [group[0].start for group in groups] + [len(text)]
    ends = [0] + [group[-1].end for group in groups]
    closed = [_CLOSED.search(text, max(0, start - 9), start) is not None for start in starts]
    # Whether a sentence ends between a group and the one before it: a full stop right before a marker
    # closes the marker's own sentence.
    anew = [
        number == 0 or _ends_between(text, ends[number], starts[number], closed[number])
        for number in range(len(groups))
    ]
    places: list[MarkerPlace] = []
    sentence = 0
    for number, group in enumerate(groups):
        sentence += anew[number]
        followed = number + 1 < len(groups) and not anew[number + 1]
        begin = ends[number]
        if number and anew[number] and not closed[number - 1]:
            begin = _rest_of_sentence(text, begin, starts[number])
        before = _before(text, begin, starts[number], window)
        # After a full stop a marker belongs to the sentence before it, and what follows is another one.
        after = "" if closed[number] else _after(text, ends[number + 1], starts[number + 1], window)
        clause = f"{_last_sentence(before)} {after}"
        place = MarkerPlace(before, after, anew[number] and not followed, clause, sentence)
        places += [place] * len(group)
    return places


def _ends_between(text: str, begin: int, end: int, closed: bool) -> bool:
    found = _SENTENCE_END.search(text, begin, end)
    if found is None or not closed:
        return found is not None
    return found.end() < begin + len(text[begin:end].rstrip())


def _rest_of_sentence(text: str, begin: int, end: int) -> int:
    """Where the sentence of the marker before has ended: what follows that marker in it is that one's own."""
    found = _SENTENCE_END.search(text, begin, end)
    return found.end() if found else begin


def _before(text: str, begin: int, end: int, window: int) -> str:
    return text[_whole_word_from(text, max(begin, end - window), end) : end]


def _after(text: str, begin: int, end: int, window: int) -> str:
    stop = _SENTENCE_END.search(text, begin, min(end, begin + window + 1))
    last = stop.start() if stop else min(end, begin + window)
    return text[begin : _whole_word_to(text, begin, last)]


def _last_sentence(before: str) -> str:
    """The words since the last sentence ended; where it ended with the text, that sentence itself."""
    ends = [found.end() for found in _SENTENCE_END.finditer(before.rstrip(" ")[:-1])]
    return before[ends[-1] :] if ends else before


def _groups(text: str, citations: Sequence[Citation]) -> list[list[Citation]]:
    groups: list[list[Citation]] = []
    for citation in citations:
        if groups:
            gap = text[groups[-1][-1].end : citation.start]
            if len(gap) < 8 and _SIDE_BY_SIDE.match(gap):
                groups[-1].append(citation)
                continue
        groups.append([citation])
    return groups


def _whole_word_from(text: str, begin: int, end: int) -> int:
    """Where the first whole word begins: `$1,200` must not be read as 200."""
    if begin == 0 or text[begin - 1].isspace() or text[begin - 1] == "]":
        return begin
    while begin < end and not text[begin].isspace():
        begin += 1
    return begin


def _whole_word_to(text: str, begin: int, end: int) -> int:
    if end >= len(text) or text[end].isspace() or text[end] in "[.!?":
        return end
    while end > begin and not text[end - 1].isspace():
        end -= 1
    return end
