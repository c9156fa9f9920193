"""Who holds an office and who did something, where the source gives both to another name."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pincite.judges.rules.detectors.names import Name, alike, another_name, find_names
from pincite.judges.rules.observation import Observation
from pincite.judges.rules.reading import Reading, Sentence, Stretch, kept
from pincite.judges.rules.view import View
from pincite.judges.rules.vocabulary import is_held, kin, stems
from pincite.text.terms import Term, stem
from pincite.text.wordlists import word_set

REST_COVERED = 0.75
"""How much of the rest of the claim the sentence must hold before another name stands against it."""

_OFFICES = stems("offices")
_IS = word_set("is was are were became remains")
_ARTICLES = word_set("the a an its their his her our")
_LONGEST = 4
_CHIEF = stem("chief")


class Held(Struct, frozen=True):
    """An office, who holds it, and the tense in which that is said."""

    office: frozenset[str]
    name: Name
    copula: str
    text: str
    field: str
    """What the office is of: the stem of `sales` in `director of sales`."""


def find_roles(view: View, sentence: Sentence) -> list[Observation]:
    """`Smith is the CFO` against `the CFO is Jones`; `founded by Smith` against `founded by Doe`."""
    reading = view.claim
    offices, makers = _offices(reading), _makers(reading)
    if not offices and not makers:
        return []
    claim, terms = reading.terms, sentence.terms()
    theirs = find_names(sentence.read)
    for held in offices:
        others = [
            other
            for other in _offices(sentence.read)
            if other.office == held.office and other.copula == held.copula and held.field in {"", other.field}
        ]
        if held.copula != "is" and not held.name.stems.isdisjoint(sentence.stems):
            # Offices pass from one to the next; only the present has one holder.
            continue
        known = held.name.stems | held.office
        if not others or not all(_is_other(held.name, other.name) for other in others):
            continue
        if _rest_held(claim, known, sentence) >= REST_COVERED:
            return [another_name(held.text, others[0].text, sentence)]
    for name, verb in makers:
        if not name.stems.isdisjoint(sentence.stems):
            continue
        for other in theirs:
            done = _done_by(terms, other)
            if done is None or done.stem not in kin(verb.stem) or not _is_other(name, other):
                continue
            if _rest_held(claim, name.stems, sentence) >= REST_COVERED and not _also(name, verb, sentence):
                return [another_name(name.text, other.text, sentence)]
            break
    return []


def _is_other(one: Name, two: Name) -> bool:
    return one.stems.isdisjoint(two.stems) and not alike(one.text, two.text)


def _also(name: Name, verb: Term, sentence: Sentence) -> bool:
    """Whether another sentence puts the name beside the deed: `Smith was a co-founder`."""
    reading, root = sentence.reading, verb.text.lower()[:-2]
    for terms in (other.terms for other in reading.read_sentences):
        named = any(term.stem in name.stems for term in terms)
        if named and any(root in term.text.lower() for term in terms):
            return True
    return False


def _rest_held(claim: Sequence[Term], known: frozenset[str], sentence: Sentence) -> float:
    rest = [term for term in claim if not term.stop and term.stem not in known]
    held = sum([is_held(term.stem, sentence.stems) for term in rest])
    return held / len(rest) if rest else 1.0


def _done_by(terms: Sequence[Term], name: Name) -> Term | None:
    """The participle before `by` and the name."""
    if name.first < 2 or terms[name.first - 1].text.lower() != "by":
        return None
    verb = terms[name.first - 2]
    return verb if verb.text.endswith(("ed", "en", "nt", "ilt", "ung", "ade", "awn")) else None


@kept
def _makers(claim: Reading) -> list[tuple[Name, Term]]:
    """The names that something was done by, each with what was done."""
    done = [(name, _done_by(claim.terms, name)) for name in find_names(claim)]
    return [(name, verb) for name, verb in done if verb is not None]


@kept
def _offices(stretch: Stretch) -> list[Held]:
    text, terms = stretch.text, stretch.terms
    found = []
    for name in find_names(stretch):
        if name.stems & _OFFICES:
            continue
        after, before = name.last, name.first - 1
        if after < len(terms) and terms[after].text.lower() in _IS:
            first = after + 1
            if first < len(terms) and terms[first].text.lower() in _ARTICLES:
                first += 1
            last = first
            while last < len(terms) and last - first < _LONGEST and _goes_on(text, terms, first, last):
                last += 1
            found += _held(text, terms, first, last, name, terms[after])
        elif before > 0 and terms[before].text.lower() in _IS:
            first = last = before
            while first > 0 and last - first < _LONGEST and not terms[first - 1].stop:
                if first < last and text[terms[first - 1].end : terms[first].start] != " ":
                    break
                if terms[first - 1].text.endswith(("'s", "’s")):
                    break
                first -= 1
            found += _held(text, terms, first, last, name, terms[before])
    return found


def _goes_on(text: str, terms: Sequence[Term], first: int, place: int) -> bool:
    if terms[place].stop:
        return False
    return place == first or text[terms[place - 1].end : terms[place].start] == " "


def _held(text: str, terms: Sequence[Term], first: int, last: int, name: Name, copula: Term) -> list[Held]:
    run = terms[first:last]
    if not run or _OFFICES.isdisjoint(term.stem for term in run):
        return []
    follows = [term.text.lower() for term in terms[last : last + 1]] == ["of"]
    field = next((term.stem for term in terms[last + 1 : last + 4] if not term.stop), "") if follows else ""
    start, end = min(run[0].start, terms[name.first].start), max(run[-1].end, terms[name.last - 1].end)
    return [Held(_office(run), name, copula.text.lower(), text[start:end], field)]


def _office(run: Sequence[Term]) -> frozenset[str]:
    """The stems of an office; `chief financial officer` is written as `cfo`."""
    if run[0].stem == _CHIEF and len(run) > 1:
        initials = "".join(term.text[0].lower() for term in run)
        return frozenset({"ceo" if initials == "ce" else initials})
    return frozenset(term.stem for term in run)
