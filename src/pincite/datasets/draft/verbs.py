"""Verbs that a question can be made with: `expires` and `expire` become `does … expire` and `do … expire`.

Only verbs that are listed are taken. Without a grammar, any word may be a noun: in `the team meets annually
after 3 months` the word before `after` is no verb.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from pincite.text.wordlists import word_set

_PREPOSITIONS = frozenset(("of", "for", "in", "on", "at", "to", "with", "above", "below", "from", "without"))
_PLURALS = frozenset(("people", "children", "staff", "police", "men", "women"))
_SIBILANTS = ("s", "sh", "ch", "x", "z", "o")

HAPPENING = word_set("""
apply arrive begin close continue depart end expire finish happen lapse last launch leave live meet
occur open refresh remain renew reset restart resume return rotate run ship start stay stop sync update
wait work
""")
"""Verbs after which a time may stand, with nothing between."""
HAVING = word_set("""
accept allow carry charge contain cover employ get give handle hold include need offer own permit
produce provide receive require seat serve store support use
""")
"""Verbs of which one can ask how much, or what."""


def third_person(base: str) -> str:
    """`expire` → `expires`, `carry` → `carries`, `launch` → `launches`."""
    if base.endswith("y") and base[-2] not in "aeiou":
        return f"{base[:-1]}ies"
    return f"{base}es" if base.endswith(_SIBILANTS) else f"{base}s"


def pattern(verbs: AbstractSet[str]) -> str:
    """An expression for both forms of these verbs."""
    return (
        "(?P<verb>" + "|".join(form for base in sorted(verbs) for form in (third_person(base), base)) + r")\b"
    )


_BASES = {third_person(base): base for base in HAPPENING | HAVING}


def asked_with(verb: str, subject: str) -> tuple[str, str] | None:
    """`does` or `do`, and the verb that ends the question; None where subject and verb do not agree."""
    if verb in _BASES:
        return "does", _BASES[verb]
    return ("do", verb) if _is_plural(subject) else None


def _is_plural(subject: str) -> bool:
    """Whether the word that the phrase turns on is a plural: `requests` in `requests above the limit`."""
    words = subject.lower().split()
    turning = next((place for place, word in enumerate(words) if place and word in _PREPOSITIONS), len(words))
    head = words[turning - 1]
    return head in _PLURALS or (head.endswith("s") and not head.endswith(("ss", "us", "is")))
