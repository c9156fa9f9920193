"""What English words can do in a question, judged by small words and lists of verbs alone.

There is no grammar behind this. What might be a clause of its own is refused: `standard shipping takes 3 days
and` comes before a verb as `the harbour` does. Only listed verbs are taken, since any word may be a noun: in
`the team meets annually after 3 months` the word before `after` is no verb.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from pincite.text import word_set

MOST_WORDS = 9

_NUMBERS = word_set("two three four five six seven eight nine ten")
_DETERMINERS = word_set("a an the every each any some all most many few several") | _NUMBERS
_OWNERS = word_set("my your his her its our their this that these those")
_PREPOSITIONS = word_set("""
about above across after against along among around at before behind below beneath beside between beyond by
down during for from in inside into like near of off on onto out outside over past per since through to toward
towards under until up upon via with within without
""")
_PARTICLES = word_set("on off up down out over")
"""Prepositions that a verb may end with: `switched on`."""
_CLAUSES = word_set("""
and or nor but that which who whom whose what how why when where while whereas because if unless although
though than so as is are was were be been has have had do does did may might must can could will would shall
should not never also only often usually always then now there here it they them he she him we us you i
himself herself itself themselves said says
""")
_DENIES = word_set("no none nobody nothing neither")
_NO_DEED = word_set("located situated based seated different")
_PLURALS = word_set("people children staff police men women")
_SIBILANTS = ("s", "sh", "ch", "x", "z", "o")
HAPPENING = word_set("""
apply arrive begin close continue depart end expire finish happen lapse last launch leave live meet
occur open refresh remain renew reset restart resume return rotate run ship start stay stop sync update
wait work
""")
"""Verbs that a time may follow, with nothing between."""
HAVING = word_set("""
accept allow carry charge contain cover employ get give handle hold include need offer own permit
produce provide receive require seat serve store support use
""")
"""Verbs of which one can ask how much, or what."""


def is_noun_phrase(phrase: str) -> bool:
    """Whether the words name a thing, judged by its small words."""
    words = phrase.split()
    folded = [word.lower() for word in words]
    if len(words) > 1 and folded[-1] in _NUMBERS and folded[-2] not in _PREPOSITIONS | _DETERMINERS:
        words, folded = words[:-1], folded[:-1]  # a number after a noun names it: `severity two`
    if (
        not 1 <= len(words) <= MOST_WORDS
        or folded[0] in _DENIES
        or folded[-1] in _PREPOSITIONS | _DETERMINERS
    ):
        return False
    if folded[-1].endswith(("'s", "’s")) or any(word in _CLAUSES or word in _OWNERS for word in folded):
        return False
    # Inside a name of a thing, another thing begins after a preposition; elsewhere a verb comes before it.
    return all(
        folded[place - 1] in _PREPOSITIONS | _DETERMINERS
        for place in range(1, len(words))
        if folded[place] in _DETERMINERS or _counts(words, place)
    )


def is_clean_participle(phrase: str) -> bool:
    """Whether `built of stone` can end a question; `built and` and `located` cannot."""
    folded = [word.lower() for word in phrase.split()]
    return (
        folded[0] not in _NO_DEED
        and folded[-1] not in (_PREPOSITIONS - _PARTICLES) | _DETERMINERS
        and not any(word in _CLAUSES or word in _OWNERS for word in folded)
    )


def _counts(words: list[str], place: int) -> bool:
    """Whether a number counts what follows (`3 days`) rather than names what comes before (`Article 5`)."""
    after = words[place + 1 : place + 2]
    return words[place][0].isdigit() and bool(after) and after[0].islower() and after[0] not in _PREPOSITIONS


def third_person(base: str) -> str:
    """`expire` → `expires`, `carry` → `carries`, `launch` → `launches`."""
    if base.endswith("y") and base[-2] not in "aeiou":
        return f"{base[:-1]}ies"
    return f"{base}es" if base.endswith(_SIBILANTS) else f"{base}s"


def pattern(verbs: AbstractSet[str]) -> str:
    """An expression for both forms of these verbs."""
    forms = [form for base in sorted(verbs) for form in (third_person(base), base)]
    return rf"(?P<verb>{'|'.join(forms)})\b"


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
