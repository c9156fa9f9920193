"""Words in another shape: `CFO` for `chief financial officer`, `US` for `United States`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pincite.judges.rules.reading import Reading, Stretch, kept, years_in_names
from pincite.text.terms import Term

_SHORTEST, _LONGEST = 2, 4
_NOTHING: frozenset[str] = frozenset()
_SHORT_FORMS = {"CE": "CEO", "US": "USA", "SU": "USSR", "UN": "UNO", "GB": "UK", "UE": "UAE"}
"""Initials of phrases that are mostly cut short, `chief executive`, or that have another short form."""


def spelled_otherwise(claim: Reading, source: Reading) -> frozenset[str]:
    """The stems of the claim that the source does not hold as they are, but as an acronym or written out."""
    acronyms, theirs = _acronyms(claim), _acronyms(source)
    years = years_in_names(source.text) & claim.stems
    if not acronyms and not theirs:
        return years
    found = set(years)
    mine = {key: term for key, term in acronyms.items() if term.stem not in source.stems}
    if mine:
        for acronym, _ in _phrases(source.terms):
            if acronym in mine:
                found.add(mine[acronym].stem)
    initials = _initials(claim) if theirs else ""
    for acronym, term in theirs.items():
        if acronym[:_SHORTEST] in initials and term.stem not in claim.stems:
            found |= _written_out(claim).get(acronym, _NOTHING)
    return frozenset(found)


@kept
def _acronyms(stretch: Stretch) -> dict[str, Term]:
    """Two to four capitals, with or without dots."""
    found: dict[str, Term] = {}
    for term in stretch.terms:
        if term.text.isupper() and len(term.text) > 1:
            letters = term.text.replace(".", "")
            if _SHORTEST <= len(letters) <= _LONGEST and letters.isalpha():
                found[letters] = term
    return found


@kept
def _initials(claim: Reading) -> str:
    """The first letters of the claim's words: a quick look before the careful one."""
    return "".join(["\n" if _breaks(term) else term.text[0].upper() for term in claim.terms])


@kept
def _written_out(claim: Reading) -> dict[str, set[str]]:
    """The initials of every run of content words → the stems of those runs."""
    found: dict[str, set[str]] = {}
    for acronym, run in _phrases(claim.terms):
        found.setdefault(acronym, set()).update([word.stem for word in run])
    return found


def _breaks(term: Term) -> bool:
    """Whether a word is no part of any acronym."""
    return term.stop or len(term.text) < _SHORTEST


def _phrases(terms: Sequence[Term]) -> Iterator[tuple[str, Sequence[Term]]]:
    """The runs of content words, each with its initials."""
    for first in range(len(terms)):
        initials = ""
        for place in range(first, min(first + _LONGEST, len(terms))):
            if _breaks(terms[place]):
                break
            initials += terms[place].text[0].upper()
            yield initials, terms[first : place + 1]
            if initials in _SHORT_FORMS:
                yield _SHORT_FORMS[initials], terms[first : place + 1]
