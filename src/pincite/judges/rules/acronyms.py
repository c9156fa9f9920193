"""Words in another shape: `CFO` for `chief financial officer`, `US` for `United States`."""

from __future__ import annotations

from pincite.judges.rules.reading import ReadText, Stretch, kept, years_in_names
from pincite.text.terms import Term

_SHORTEST, _LONGEST = 2, 4
_SHORT_FORMS = {"CE": "CEO", "US": "USA", "SU": "USSR", "UN": "UNO", "GB": "UK", "UE": "UAE"}
"""Initials of phrases that are mostly cut short, `chief executive`, or that have another short form."""


def spelled_otherwise(claim: ReadText, source: ReadText) -> frozenset[str]:
    """The stems of the claim that the source does not hold as they are, but as an acronym or written out."""
    found = set(years_in_names(source.text) & claim.stems)
    for acronym, term in _acronyms(claim).items():
        if term.stem not in source.stems and acronym in _written_out(source):
            found.add(term.stem)
    for acronym, term in _acronyms(source).items():
        if term.stem not in claim.stems:
            found |= _written_out(claim).get(acronym, set())
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
def _written_out(stretch: Stretch) -> dict[str, set[str]]:
    """The initials of every run of content words → the stems of those runs."""
    found: dict[str, set[str]] = {}
    terms = stretch.terms
    for first in range(len(terms)):
        initials, run = "", []
        for term in terms[first : first + _LONGEST]:
            if term.stop or len(term.text) < _SHORTEST:
                break
            initials += term.text[0].upper()
            run.append(term.stem)
            for short in {initials, _SHORT_FORMS.get(initials, initials)}:
                found.setdefault(short, set()).update(run)
    return found
