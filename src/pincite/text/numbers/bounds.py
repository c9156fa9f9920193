"""The words that turn a number into an interval: more than, at least, nearly, before, since."""

from __future__ import annotations

import enum

from pincite.text.numbers.units import SYMBOLS
from pincite.text.numbers.words import NUMBER, WORD, NumberTokens
from pincite.text.wordlists import LISTS, word_set

_NOT = frozenset({"not", "never", "cannot"})
_NOBODY = frozenset({"no", "nobody", "none", "nothing", "neither", "never"})
_MODALS = word_set("may can must shall should will would could might")
_LIMITS = word_set("never cannot can't couldn't mustn't shouldn't won't wouldn't shan't")
"""Negations that set a limit by themselves, some words before the comparison too."""
_ALLOWED = frozenset({"allowed", "permitted", "supposed"})
_BEING = frozenset({"be", "been", "being"})
_IS = frozenset({"is", "are", "was", "were"})
_JOINTS = word_set("that which who how if when because but and or as than so while")
"""What begins another clause: a negation before it speaks of something else."""
MOST_VERBS = 5
"""So many words may stand between a modal verb and the comparison."""
MOST_SUBJECT = 7
"""So many between `no` and the verb."""


def is_denied(tokens: NumberTokens, first: int, floor: int) -> tuple[bool, int]:
    """Whether the comparison that begins at `first` is denied, and where its words begin then."""
    place = first - 1
    if place >= floor and tokens[place].lower in _BEING:
        place -= 1
    if place < floor:
        return False, first
    if _is_not(tokens[place].lower):
        return True, place if place == first - 1 else first
    following = (tokens[at].lower for at in range(first, first + 4))
    if tokens[place].lower == "no" and place == first - 1 and "than" in following:
        return True, place
    return _by_the_verb(tokens, first, floor), first


def _by_the_verb(tokens: NumberTokens, first: int, floor: int) -> bool:
    """`must not go faster than`, `no vessel may go faster than`, `nobody is older than`."""
    for place in range(first - 1, max(floor, first - 1 - MOST_VERBS) - 1, -1):
        word = tokens[place].lower
        if tokens[place].kind != WORD or word in _JOINTS:
            return False
        if _is_not(word):
            limits = word in _LIMITS or word.replace("’", "'") in _LIMITS
            return limits or tokens[place - 1].lower in _MODALS or tokens[place + 1].lower in _ALLOWED
        if word in _MODALS or (word in _IS and place == first - 1):
            return _nobody_before(tokens, place, floor)
    return False


def _nobody_before(tokens: NumberTokens, verb: int, floor: int) -> bool:
    for place in range(verb - 1, max(floor, verb - 1 - MOST_SUBJECT) - 1, -1):
        if tokens[place].kind != WORD or tokens[place].lower in _JOINTS:
            return False
        if tokens[place].lower in _NOBODY:
            return True
    return False


def _is_not(word: str) -> bool:
    return word in _NOT or word.endswith(("n't", "n’t"))


class Bound(enum.Enum):
    """How a number limits what it counts."""

    ABOVE = "above"
    AT_LEAST = "at least"
    BELOW = "below"
    AT_MOST = "at most"
    NEAR = "near"
    NEARLY = "nearly"
    JUST_OVER = "just over"


def _bounds(name: str) -> dict[tuple[str, ...], Bound]:
    return {
        tuple(phrase.split()): Bound(kind)
        for kind, words in LISTS.keyed(name).items()
        for phrase in " ".join(words).split(" | ")
    }


_BEFORE = _bounds("bounds before a number")
_DATES = _bounds("bounds before a date")
_AFTER = _bounds("bounds after a number")
_DENIED = {Bound.ABOVE: Bound.AT_MOST, Bound.BELOW: Bound.AT_LEAST}
_LONGEST = 4
_LAST_WORDS = frozenset(phrase[-1] for phrase in (*_BEFORE, *_DATES))
_FILLERS = frozenset({"a", "an", "the", "total", "of", "only", "just", "their", "its", "his", "her"})
_DATE_FILLERS = word_set("the year early late mid of month end start - in on")


def _look_back(
    tokens: NumberTokens, index: int, floor: int, phrases: dict[tuple[str, ...], Bound]
) -> tuple[Bound, int] | None:
    if tokens[index - 1].lower not in _LAST_WORDS:
        return None
    for first in range(max(0, floor, index - _LONGEST), index):
        words = tuple(tokens[place].lower for place in range(first, index))
        if words in phrases:
            return phrases[words], first
    return None


def bound_before(tokens: NumberTokens, index: int, floor: int) -> tuple[Bound | None, int]:
    """The bound that stands before a number, and the token where it begins."""
    found = _look_back(tokens, index, floor, _BEFORE)
    place = index
    for _ in range(2):
        if found is not None or tokens[place - 1].lower not in _FILLERS or place - 1 < floor:
            break
        place -= 1
        found = _look_back(tokens, place, floor, _BEFORE)
    if found is None:
        return None, index
    bound, first = found
    if bound in _DENIED:
        denied, begin = is_denied(tokens, first, floor)
        if denied:
            return _DENIED[bound], begin
    return bound, first


def date_bound_before(tokens: NumberTokens, index: int, floor: int) -> tuple[Bound | None, int]:
    """The bound that stands before a date, and the token where it begins."""
    place = index
    for _ in range(4):
        found = _look_back(tokens, place, floor, _DATES)
        if found is not None:
            return found[0], found[1]
        if place - 1 < floor or tokens[place - 1].lower not in _DATE_FILLERS:
            break
        place -= 1
    return None, index


def bound_after(tokens: NumberTokens, index: int) -> tuple[Bound | None, int]:
    """The bound that stands after a number and its unit, and the index after it."""
    if tokens[index].text == "+" and tokens.joined(index):
        return Bound.AT_LEAST, index + 1
    if tokens[index].kind != WORD:
        return None, index
    bound = _AFTER.get((tokens[index].lower, tokens[index + 1].lower))
    following = tokens[index + 2]
    if bound is None or following.kind == NUMBER or following.text in SYMBOLS:
        return None, index
    if tokens[index].lower == "at" and following.kind == WORD:
        return None, index
    return bound, index + 2
