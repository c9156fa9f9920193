"""Words in another shape: `CFO` for `chief financial officer`, `US` for `United States`."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.judges.rule_reading import Reading
from pincite.text.terms import Term

_SHORTEST, _LONGEST = 2, 4
_SHORT_FORMS = {"CE": "CEO"}
"""Initials of phrases that are mostly cut short: `chief executive`."""


def spelled_otherwise(claim: Reading, source: Reading) -> frozenset[str]:
    """The stems of the claim that the source does not hold as they are, but as an acronym or written out."""
    found: set[str] = set()
    for acronym, term in _acronyms(claim.terms).items():
        if term.stem not in source.stems and _phrase(acronym, source.terms):
            found.add(term.stem)
    for acronym, term in _acronyms(source.terms).items():
        if term.stem not in claim.stems:
            found.update(word.stem for word in _phrase(acronym, claim.terms))
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


def _phrase(acronym: str, terms: Sequence[Term]) -> Sequence[Term]:
    """The consecutive content words whose initials are the acronym."""
    for first, term in enumerate(terms):
        if term.stop or term.text[0].upper() != acronym[0]:
            continue
        for length in (len(acronym), len(acronym) - 1):
            run = terms[first : first + length]
            if len(run) < _SHORTEST or any(word.stop or len(word.text) < _SHORTEST for word in run):
                continue
            initials = "".join(word.text[0].upper() for word in run)
            if initials == acronym or _SHORT_FORMS.get(initials) == acronym:
                return run
    return ()
