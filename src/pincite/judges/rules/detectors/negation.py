"""Negation: a predicate that one side denies and the other does not."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pincite.judges.rules.observation import Observation, against
from pincite.judges.rules.reading import Sentence, Stretch, kept
from pincite.judges.rules.view import View
from pincite.judges.rules.vocabulary import is_held, kin, stems, words
from pincite.judges.rules.words import says_nobody
from pincite.text import Term, stem

_NOT = words("not")
_SOFT_NOT = {"fail": "to", "failed": "to", "fails": "to", "refused": "to", "refuses": "to", "unable": "to"}
_HARMLESS = words("harmless after not")
_SCOPE = 3
"""How many content words a negation reaches."""
_NEGATIVE = stems("negative")
_EXCEPT = frozenset({"without", "unless", "until", "till", "except"})
_BREAKS = frozenset(",;:.!?()—–")

SAME_NEGATION = Observation("note", "same negation")


class Polarity(Struct, frozen=True):
    """The content words of a stretch of text, each with whether a negation reaches it."""

    negated: dict[str, Term]
    """Stem → the negation that reaches it."""
    predicates: dict[str, Term]
    """The first content word after each negation → that negation."""
    plain: frozenset[str]
    """Stems that stand free of negation."""


_CUES = stems("not") | stems("contracted") | frozenset(map(stem, _SOFT_NOT))
"""The stems of everything that may negate: a quick look before the careful one."""


@kept
def polarity(stretch: Stretch) -> Polarity:
    """Which words a negation reaches: the next three content words of the same clause."""
    text, terms = stretch.text, stretch.terms
    if _CUES.isdisjoint(stretch.stems):
        return Polarity({}, {}, frozenset([term.stem for term in terms if not term.stop]))
    negated: dict[str, Term] = {}
    predicates: dict[str, Term] = {}
    plain: set[str] = set()
    cue: Term | None = None
    left = 0
    previous = 0
    for index, term in enumerate(terms):
        if cue is not None and any(char in _BREAKS for char in text[previous : term.start]):
            cue = None
        previous = term.end
        if term.stem in _CUES and _negates(terms, index):
            cue, left = term, _SCOPE
            continue
        if term.stop or says_nobody(terms, index):
            if term.text.lower() in {"but", "although", "while", "whereas"}:
                cue = None
            continue
        if cue is not None and left > 0:
            if left == _SCOPE and not term.text[0].isupper() and not term.text[0].isdigit():
                predicates[term.stem] = cue
            negated[term.stem] = cue
            left -= 1
        else:
            plain.add(term.stem)
    return Polarity(negated, predicates, frozenset(plain))


def _negates(terms: Sequence[Term], index: int) -> bool:
    word = terms[index].text.lower().replace("’", "'")
    following = terms[index + 1].text.lower() if index + 1 < len(terms) else ""
    if word in _SOFT_NOT:
        return following == _SOFT_NOT[word]
    if word not in _NOT and not word.endswith("n't"):
        return False
    return following not in _HARMLESS and not (word == "no" and following[:1].isdigit())


def claim_denies(view: View) -> list[Observation]:
    return [Observation("note", "claim denies")] if polarity(view.claim).predicates else []


def find_negation(view: View, sentence: Sentence) -> list[Observation]:
    """A shared predicate is negated on one side only, or both negations agree.

    A claim that denies something is only refuted by a source that states all of it: `not based on a novel`
    does not contradict `based on a play`.
    """
    reading = view.claim
    if _CUES.isdisjoint(sentence.stems) and _CUES.isdisjoint(reading.stems):
        return []
    claim, terms = reading.terms, sentence.read.terms
    mine, theirs = polarity(reading), polarity(sentence.read)
    if not mine.predicates and not theirs.predicates:
        return []
    if bool(mine.predicates) != bool(theirs.predicates):
        denying, other = (claim, terms) if mine.predicates else (terms, claim)
        if _doubtful(other) or _excepts(denying, other):
            return []
    held = sentence.read.stems
    content = [term for term in claim if not term.stop and not _negation_word(term)]
    covered = sum([is_held(term.stem, held) for term in content]) / max(1, len(content))
    if covered < 0.7 and _named_otherwise(content, terms, held):
        covered = 0.7
    here = {term.stem: term.text for term in reversed(claim)}
    there = {term.stem: term.text for term in reversed(terms)}
    agree: list[Observation] = []
    for word, cue in mine.predicates.items():
        for key in kin(word):
            if key in theirs.negated:
                agree = [SAME_NEGATION]
            elif key in theirs.plain and covered >= 0.85:
                return [*agree, _negation(cue, here[word], there[key], sentence, claim_has_it=True)]
    for word, cue in theirs.predicates.items():
        for key in kin(word):
            if key in mine.plain and key not in mine.negated and word not in theirs.plain and covered >= 0.7:
                return [*agree, _negation(cue, here[key], there[word], sentence, claim_has_it=False)]
    return agree


_STAND_INS = frozenset({"the", "it", "they", "he", "she", "this", "these"})


def _named_otherwise(content: Sequence[Term], terms: Sequence[Term], held: frozenset[str]) -> bool:
    """Whether all of the claim but its subject is in a sentence about `the company` or `it`."""
    if len(content) < 3 or not terms or terms[0].text.lower() not in _STAND_INS:
        return False
    if not content[0].text[0].isupper() or any(term.text[0].isupper() for term in terms[1:3]):
        return False
    return all(is_held(term.stem, held) for term in content[1:])


def _doubtful(terms: Sequence[Term]) -> bool:
    """Whether a side without a plain negation says no in another way: `rejected`, `insufficient`."""
    return any(term.stem in _NEGATIVE or term.text.lower() in _NOT or "n't" in term.text for term in terms)


def _excepts(denying: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether a denial leaves room for the other side: `nobody without a badge` and `only with a badge`."""
    exceptions = {term.text.lower() for term in denying} & _EXCEPT
    return bool(exceptions) and exceptions.isdisjoint(term.text.lower() for term in other)


def _negation_word(term: Term) -> bool:
    return term.text.lower() in _NOT or term.text.lower() in _SOFT_NOT


def _negation(cue: Term, here: str, there: str, sentence: Sentence, claim_has_it: bool) -> Observation:
    if claim_has_it:
        reason = f'"{cue.text} … {here}" in the claim, "{there}" without it in the source'
        return against("negation", f"{cue.text} {here}", there, sentence, reason=reason)
    reason = f'"{here}" in the claim, "{cue.text} … {there}" in the source'
    return against("negation", here, f"{cue.text} {there}", sentence, reason=reason)
