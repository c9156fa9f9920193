"""A claim that says two things of two subjects: `Oak opened in 1900, and Elm opened in 1907`."""

from __future__ import annotations

import re

_JOINT = re.compile(r"[,;]\s+(?:and|but|while|whereas)\s+|;\s+|\s+(?:while|whereas)\s+")
_NAMED = re.compile(
    r"(?:[Tt]he\s+|[Aa]n?\s+)?"
    r"(?!(?:The|An?|It|He|She|They|We|I|You|This|That|These|Those|There|Its|His|Her|Their|In|On|At)\b)"
    r"[^\W\d_a-z]\w*"
)
LEAST_WORDS = 4


def split_clauses(claim: str) -> tuple[str, ...]:
    """The clauses of a claim, each with a name at its head; none where the claim is one, or one has none.

    What begins with `it` or with a verb speaks of the subject of the clause before, and cannot stand alone.
    """
    parts = [part.strip() for part in _JOINT.split(claim)]
    if len(parts) < 2 or not all(_NAMED.match(part) and len(part.split()) >= LEAST_WORDS for part in parts):
        return ()
    return tuple(parts)
