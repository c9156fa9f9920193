"""Whether a comparison is denied: `no vessel may go faster than 4 knots` sets 4 as the most, not the least.

Only what surely sets a limit counts: a negation next to the comparison, or one of a modal verb before it. `It
did not pay over 200 workers` says how many were not paid.
"""

from __future__ import annotations

from pincite.text.tokens import WORD, Tokens

_NOT = frozenset({"not", "never", "cannot"})
_NOBODY = frozenset({"no", "nobody", "none", "nothing", "neither", "never"})
_MODALS = frozenset({"may", "can", "must", "shall", "should", "will", "would", "could", "might"})
_LIMITS = frozenset(
    {"never", "cannot", "can't", "couldn't", "mustn't", "shouldn't", "won't", "wouldn't", "shan't"}
)
"""Negations that set a limit by themselves, some words before the comparison too."""
_ALLOWED = frozenset({"allowed", "permitted", "supposed"})
_BEING = frozenset({"be", "been", "being"})
_IS = frozenset({"is", "are", "was", "were"})
_JOINTS = frozenset(
    {"that", "which", "who", "how", "if", "when", "because", "but", "and", "or", "as", "than", "so", "while"}
)
"""What begins another clause: a negation before it speaks of something else."""
MOST_VERBS = 5
"""So many words may stand between a modal verb and the comparison."""
MOST_SUBJECT = 7
"""So many between `no` and the verb."""


def is_denied(tokens: Tokens, first: int, floor: int) -> tuple[bool, int]:
    """Whether the comparison that begins at `first` is denied, and where its words begin then."""
    place = first - 1
    if place >= floor and tokens[place].lower in _BEING:
        place -= 1
    if place < floor:
        return False, first
    if _is_not(tokens[place].lower):
        return True, place if place == first - 1 else first
    if tokens[place].lower == "no" and place == first - 1 and "than" in _words(tokens, first, 4):
        return True, place
    return _by_the_verb(tokens, first, floor), first


def _by_the_verb(tokens: Tokens, first: int, floor: int) -> bool:
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


def _nobody_before(tokens: Tokens, verb: int, floor: int) -> bool:
    for place in range(verb - 1, max(floor, verb - 1 - MOST_SUBJECT) - 1, -1):
        if tokens[place].kind != WORD or tokens[place].lower in _JOINTS:
            return False
        if tokens[place].lower in _NOBODY:
            return True
    return False


def _is_not(word: str) -> bool:
    return word in _NOT or word.endswith(("n't", "n’t"))


def _words(tokens: Tokens, first: int, count: int) -> list[str]:
    return [tokens[place].lower for place in range(first, first + count)]
