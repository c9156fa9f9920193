"""The relation in which a name stands: who did something, and what somebody has, however it is put."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.judges.rules.vocabulary import kin, words
from pincite.text.terms import Term
from pincite.text.wordlists import word_set

_REACH = 5
_HAS = word_set("has had have")
_PASSIVE = word_set("was were is are been being be")


def same_relation(
    claim: Sequence[Term], mine: tuple[int, int], source: Sequence[Term], theirs: tuple[int, int]
) -> bool:
    """Whether two names, `terms[first:last]`, do the same thing or have the same thing.

    `Paris hosted it` and `it was hosted by London`; `Oslo's population`, `the population of Bergen` and `Rome
    has a population`.
    """
    for find in (deed, _belonging):
        here, there = find(claim, *mine), find(source, *theirs)
        if here and there and there in kin(here):
            return True
    return False


def deed(terms: Sequence[Term], first: int, last: int) -> str:
    """The stem of what the name does: the verb after it, or the one before `by`."""
    if first >= 2 and terms[first - 1].text.lower() == "by":
        place = first - 2
        while place >= 0 and first - place <= _REACH:
            if not terms[place].stop and _is_passive(terms, place):
                return terms[place].stem
            place -= 1
        return ""
    place = last
    if place < len(terms) and terms[place].text.lower() in {"has", "had", "have", "also", "first"}:
        place += 1
    if place < len(terms) and not terms[place].stop and _is_verb(terms[place].text):
        return terms[place].stem
    return ""


def _is_passive(terms: Sequence[Term], place: int) -> bool:
    before = [term.text.lower() for term in terms[max(0, place - 3) : place]]
    return any(word in _PASSIVE for word in before) or terms[place].text.endswith(("ed", "en"))


_VERBS = words("verbs")


def _is_verb(word: str) -> bool:
    """As far as that can be told without a grammar: a past form, or a common verb."""
    return word.islower() and (word.endswith("ed") or word in _VERBS)


def _belonging(terms: Sequence[Term], first: int, last: int) -> str:
    """The stem of what the name has: `population` in all three ways of saying it."""
    name = terms[last - 1].text
    if name.endswith(("'s", "’s")) and last < len(terms) and not terms[last].stop:
        return terms[last].stem
    if first >= 2 and terms[first - 1].text.lower() == "of" and not terms[first - 2].stop:
        return terms[first - 2].stem
    together = any(term.text.lower() == "and" for term in terms[max(0, first - 3) : first])
    if last < len(terms) and terms[last].text.lower() in _HAS and not together:
        for term in terms[last + 1 : last + 3]:
            if not term.stop:
                return term.stem if not term.text[0].isdigit() else ""
    return ""
