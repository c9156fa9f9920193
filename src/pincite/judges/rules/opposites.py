"""Words that exclude each other: what one side denies, says of all or of none, or is less certain of."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pincite.judges.rules.texts import Sentence, Stretch, once_per_text
from pincite.judges.rules.view import Observation, View, against
from pincite.judges.rules.words import is_held, kin, listed_stems, listed_words, says_nobody
from pincite.text import Term, stem

_NOT = listed_words("not")
_SOFT_NOT = {"fail": "to", "failed": "to", "fails": "to", "refused": "to", "refuses": "to", "unable": "to"}
_HARMLESS = listed_words("harmless after not")
_SCOPE = 3
"""How many content words a negation reaches."""
_NEGATIVE = listed_stems("negative")
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


_CUES = listed_stems("not") | listed_stems("contracted") | frozenset(map(stem, _SOFT_NOT))
"""The stems of everything that may negate: a quick look before the careful one."""


@once_per_text
def _polarity(stretch: Stretch) -> Polarity:
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


def _find_negation(view: View, sentence: Sentence) -> list[Observation]:
    """A shared predicate is negated on one side only, or both negations agree.

    A claim that denies something is only refuted by a source that states all of it: `not based on a novel`
    does not contradict `based on a play`.
    """
    reading = view.claim
    if _CUES.isdisjoint(sentence.stems) and _CUES.isdisjoint(reading.stems):
        return []
    claim, terms = reading.terms, sentence.read.terms
    mine, theirs = _polarity(reading), _polarity(sentence.read)
    if not mine.predicates and not theirs.predicates:
        return []
    if bool(mine.predicates) != bool(theirs.predicates):
        denying, other = (claim, terms) if mine.predicates else (terms, claim)
        words = {term.text.lower() for term in other}
        # The other side may say no in another way: `rejected`, `insufficient`.
        if not _NOT.isdisjoint(words) or any(term.stem in _NEGATIVE or "n't" in term.text for term in other):
            return []
        # A denial may leave room for it: `nobody without a badge` and `only with a badge`.
        exceptions = {term.text.lower() for term in denying} & _EXCEPT
        if exceptions and exceptions.isdisjoint(words):
            return []
    held = sentence.read.stems
    content = [
        term
        for term in claim
        if not term.stop and term.text.lower() not in _NOT and term.text.lower() not in _SOFT_NOT
    ]
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


def _negation(cue: Term, here: str, there: str, sentence: Sentence, claim_has_it: bool) -> Observation:
    if claim_has_it:
        reason = f'"{cue.text} … {here}" in the claim, "{there}" without it in the source'
        return against("negation", f"{cue.text} {here}", there, sentence, reason=reason)
    reason = f'"{here}" in the claim, "{cue.text} … {there}" in the source'
    return against("negation", here, f"{cue.text} {there}", sentence, reason=reason)


# --- all, most or none of something ----------------------------------------------------------------


QUANTIFIERS = {
    word: amount
    for amount, named in {
        0.0: "no none never",
        0.2: "few rarely seldom",
        0.3: "minority",
        0.4: "some several sometimes occasionally",
        0.5: "many often half",
        0.7: "usually",
        0.8: "most majority mostly",
        1.0: "all every each always entire whole",
    }.items()
    for word in named.split()
}
_WITH_ARTICLE = frozenset({"majority", "entire", "whole", "minority"})


def _find_quantifier(view: View, sentence: Sentence) -> list[Observation]:
    """The claim says all, most or none of what the source says something else of."""
    mine = _quantified(view.claim)
    theirs = _quantified(sentence.read) if mine else {}
    for word, (term, amount) in mine.items():
        for key in kin(word):
            if key not in theirs:
                continue
            other, there = theirs[key]
            stronger = amount > there + 0.05 and amount >= 0.7
            if stronger or (amount == 0.0) != (there == 0.0):
                return [against("quantifier", term.text, other.text, sentence)]
    return []


@once_per_text
def _quantified(stretch: Stretch) -> dict[str, tuple[Term, float]]:
    """The word that each quantifier speaks of → the quantifier."""
    terms = stretch.terms
    found: dict[str, tuple[Term, float]] = {}
    for index, term in enumerate(terms):
        amount = QUANTIFIERS.get(term.text.lower())
        if amount is None:
            continue
        before = terms[index - 1].text.lower() if index else ""
        if before in {"not", "at", "the"} and term.text.lower() not in _WITH_ARTICLE:
            continue
        if amount == 1.0 and before in {"nearly", "almost"}:
            amount = 0.9
        if amount == 1.0 and before == "not":
            amount = 0.5
        for following in terms[index + 1 : index + 5]:
            if not following.stop and following.text.lower() not in QUANTIFIERS:
                found.setdefault(following.stem, (term, amount))
                break
    return found


# --- what the detectors return ----------------------------------------------------------------------


def exclusive_words(view: View) -> list[Observation]:
    """The negations and quantifiers that set the claim and a close sentence apart, the best first."""
    return [
        found
        for sentence in view.close
        for find in (_find_negation, _find_quantifier)
        for found in find(view, sentence)
    ]


def claim_denies(view: View) -> list[Observation]:
    return [Observation("note", "claim denies")] if _polarity(view.claim).predicates else []


HEDGES = listed_words("hedges")


def source_hedges(view: View) -> list[Observation]:
    """Only a note: what it says of the claim is for a model to decide."""
    hedged = view.best is not None and _hedges(view.best.read) and not _hedges(view.claim)
    return [Observation("note", "source hedges")] if hedged else []


@once_per_text
def _hedges(stretch: Stretch) -> bool:
    return any(term.text in HEDGES for term in stretch.terms)
