"""Words in another shape: `CFO` for `chief financial officer`, `US` for `United States`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pincite.judges.rule_reading import Reading
from pincite.text.terms import Term

_SHORTEST, _LONGEST = 2, 4
_SHORT_FORMS = {"CE": "CEO"}
"""Initials of phrases that are mostly cut short: `chief executive`."""


def spelled_otherwise(claim: Reading, source: Reading) -> frozenset[str]:
    """The stems of the claim that the source does not hold as they are, but as an acronym or written out."""
    found: set[str] = set()
    mine = {key: term for key, term in _acronyms(claim.terms).items() if term.stem not in source.stems}
    for acronym, _ in _phrases(mine, source.terms):
        found.add(mine[acronym].stem)
    theirs = {key: term for key, term in _acronyms(source.terms).items() if term.stem not in claim.stems}
    for _, run in _phrases(theirs, claim.terms):
        found.update(word.stem for word in run)
    return frozenset(found)


def _acronyms(terms: Sequence[Term]) -> dict[str, Term]:
    """Two to four capitals, with or without dots."""
    found: dict[str, Term] = {}
    for term in terms:
        if term.text.isupper() and len(term.text) > 1:
            letters = term.text.replace(".", "")
            if _SHORTEST <= len(letters) <= _LONGEST and letters.isalpha():
                found[letters] = term
    return found


def _phrases(acronyms: Mapping[str, Term], terms: Sequence[Term]) -> Iterator[tuple[str, Sequence[Term]]]:
    """The runs of content words whose initials are one of the acronyms."""
    if not acronyms:
        return
    for first in range(len(terms)):
        initials = ""
        for place in range(first, min(first + _LONGEST, len(terms))):
            if terms[place].stop or len(terms[place].text) < _SHORTEST:
                break
            initials += terms[place].text[0].upper()
            for acronym in (initials, _SHORT_FORMS.get(initials, "")):
                if acronym in acronyms:
                    yield acronym, terms[first : place + 1]
