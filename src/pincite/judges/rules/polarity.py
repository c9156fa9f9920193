"""Negation, opposites and quantifiers: the small words that turn a sentence round."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pincite.judges.rules.flips import Flip
from pincite.judges.rules.reading import Reading, Sentence, Stretch, kept
from pincite.judges.rules.vocabulary import OPPOSITE, is_held, kin, stems, words
from pincite.judges.rules.words import says_nobody
from pincite.text.terms import Term, stem

_NOT = words("not")
_SOFT_NOT = {"fail": "to", "failed": "to", "fails": "to", "refused": "to", "refuses": "to", "unable": "to"}
_HARMLESS = words("harmless after not")
_SCOPE = 3
"""How many content words a negation reaches."""
_NEGATIVE = stems("negative")
_BREAKS = frozenset(",;:.!?()—–")

COVERED_FOR_OPPOSITES = 0.45
"""In a sentence that holds less of the claim, an opposite speaks of something else."""

QUANTIFIERS = {
    "no": 0.0,
    "none": 0.0,
    "never": 0.0,
    "few": 0.2,
    "rarely": 0.2,
    "seldom": 0.2,
    "some": 0.4,
    "several": 0.4,
    "sometimes": 0.4,
    "occasionally": 0.4,
    "minority": 0.3,
    "many": 0.5,
    "often": 0.5,
    "half": 0.5,
    "most": 0.8,
    "majority": 0.8,
    "usually": 0.7,
    "mostly": 0.8,
    "nearly all": 0.9,
    "almost all": 0.9,
    "all": 1.0,
    "every": 1.0,
    "each": 1.0,
    "always": 1.0,
    "entire": 1.0,
    "whole": 1.0,
}


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
    if word in _NOT or word.endswith("n't"):
        if word == "no" and following[:1].isdigit():
            return False
        return following not in _HARMLESS
    return False


def find_negation(reading: Reading, sentence: Sentence) -> tuple[Flip | None, bool]:
    """A flip where a shared predicate is negated on one side only; and whether both negations agree.

    A claim that denies something is only refuted by a source that states all of it: `not based on a novel`
    does not contradict `based on a play`.
    """
    if _CUES.isdisjoint(sentence.stems) and _CUES.isdisjoint(reading.stems):
        return None, False
    claim, terms = reading.terms, sentence.terms()
    mine, theirs = polarity(reading), polarity(sentence.read)
    if not mine.predicates and not theirs.predicates:
        return None, False
    if bool(mine.predicates) != bool(theirs.predicates) and _doubtful(terms if mine.predicates else claim):
        return None, False
    held = sentence.read.stems
    content = [term for term in claim if not term.stop and not _negation_word(term)]
    covered = sum([is_held(term.stem, held) for term in content]) / max(1, len(content))
    if covered < 0.7 and _named_otherwise(content, terms, held):
        covered = 0.7
    agree = False
    for word, cue in mine.predicates.items():
        for key in kin(word):
            if key in theirs.negated:
                agree = True
            elif key in theirs.plain and covered >= 0.85:
                return _negation(cue, word, key, claim, sentence, claim_has_it=True), agree
    for word, cue in theirs.predicates.items():
        for key in kin(word):
            if key in mine.plain and key not in mine.negated and word not in theirs.plain and covered >= 0.7:
                return _negation(cue, key, word, claim, sentence, claim_has_it=False), agree
    return None, agree


_STAND_INS = frozenset({"the", "it", "they", "he", "she", "this", "these"})


def _named_otherwise(content: Sequence[Term], terms: Sequence[Term], held: frozenset[str]) -> bool:
    """Whether all of the claim but its subject stands in a sentence about `the company` or `it`."""
    if len(content) < 3 or not terms or terms[0].text.lower() not in _STAND_INS:
        return False
    if not content[0].text[0].isupper() or any(term.text[0].isupper() for term in terms[1:3]):
        return False
    return all(is_held(term.stem, held) for term in content[1:])


def _doubtful(terms: Sequence[Term]) -> bool:
    """Whether a side without a plain negation says no in another way: `rejected`, `insufficient`, "
    "`yet to`."""
    return any(term.stem in _NEGATIVE or term.text.lower() in _NOT or "n't" in term.text for term in terms)


def _negation_word(term: Term) -> bool:
    return term.text.lower() in _NOT or term.text.lower() in _SOFT_NOT


def _negation(
    cue: Term, mine: str, theirs: str, claim: Sequence[Term], sentence: Sentence, claim_has_it: bool
) -> Flip:
    here = next(term.text for term in claim if term.stem == mine)
    there = next(term.text for term in sentence.terms() if term.stem == theirs)
    if claim_has_it:
        return Flip(
            "negation", f"{cue.text} {here}", there, sentence,
            f'"{cue.text} … {here}" in the claim, "{there}" without it in the source',
        )  # fmt: skip
    return Flip(
        "negation", here, f"{cue.text} {there}", sentence,
        f'"{here}" in the claim, "{cue.text} … {there}" in the source',
    )  # fmt: skip


def find_opposite(reading: Reading, sentence: Sentence) -> tuple[Flip | None, bool]:
    """A flip where the source has the opposite of a claim's word; and whether a negation makes up for it."""
    agree = False
    if sentence.covered < COVERED_FOR_OPPOSITES:
        return None, agree
    claim, terms = reading.terms, sentence.terms()
    stems, mine = sentence.read.stems, reading.stems
    for index, opposites in _with_opposites(reading):
        term = claim[index]
        if opposites.isdisjoint(stems) or is_held(term.stem, stems):
            continue
        for place, other in enumerate(terms):
            if other.stem not in opposites or other.stem in mine or other.stop or _is_age(terms, place):
                continue
            if not _share_neighbour(claim, index, terms, place):
                continue
            here = term.stem in polarity(reading).negated
            there = other.stem in polarity(sentence.read).negated
            if here != there:
                agree = True
                continue
            reason = f'"{term.text}" in the claim, "{other.text}" in the source'
            return Flip("antonym", term.text, other.text, sentence, reason), agree
    return None, agree


@kept
def _with_opposites(claim: Reading) -> list[tuple[int, frozenset[str]]]:
    """The places of the claim's words that have an opposite, with the stems of it."""
    return [
        (index, OPPOSITE[term.stem])
        for index, term in enumerate(claim.terms)
        if term.stem in OPPOSITE and not term.stop
    ]


def _is_age(terms: Sequence[Term], place: int) -> bool:
    """The `old` of `43-year-old`."""
    return place > 0 and terms[place - 1].stem in {"year", "month", "week", "day"}


def _share_neighbour(one: Sequence[Term], index: int, two: Sequence[Term], place: int) -> bool:
    """Whether the words next to the two places have something in common."""
    near = {key for term in _near(one, index, 4) for key in kin(term.stem)}
    return any(term.stem in near for term in _near(two, place, 6))


def _near(terms: Sequence[Term], index: int, reach: int) -> list[Term]:
    around = [*terms[max(0, index - reach) : index], *terms[index + 1 : index + 1 + reach]]
    return [term for term in around if not term.stop]


def find_quantifier(claim: Reading, sentence: Sentence) -> Flip | None:
    """A flip where the claim says all, most or none of what the source says something else of."""
    mine = _quantified(claim)
    theirs = _quantified(sentence.read) if mine else {}
    for word, (term, amount) in mine.items():
        for key in kin(word):
            if key not in theirs:
                continue
            other, there = theirs[key]
            stronger = amount > there + 0.05 and amount >= 0.7
            denied = (amount == 0.0) != (there == 0.0)
            if stronger or denied:
                reason = f'"{term.text}" in the claim, "{other.text}" in the source'
                return Flip("quantifier", term.text, other.text, sentence, reason)
    return None


@kept
def _quantified(stretch: Stretch) -> dict[str, tuple[Term, float]]:
    """The word that each quantifier speaks of → the quantifier."""
    terms = stretch.terms
    found: dict[str, tuple[Term, float]] = {}
    for index, term in enumerate(terms):
        amount = QUANTIFIERS.get(term.text.lower())
        if amount is None:
            continue
        if (
            index
            and terms[index - 1].text.lower() in {"not", "at", "the"}
            and term.text.lower() not in {"majority", "entire", "whole", "minority"}
        ):
            continue
        if index and amount == 1.0 and terms[index - 1].text.lower() in {"nearly", "almost"}:
            amount = 0.9
        if index and terms[index - 1].text.lower() == "not" and amount == 1.0:
            amount = 0.5
        for following in terms[index + 1 : index + 5]:
            if not following.stop and following.text.lower() not in QUANTIFIERS:
                found.setdefault(following.stem, (term, amount))
                break
    return found
