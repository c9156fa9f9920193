"""Whether a stretch of an English sentence can stand in a question: told by its small words alone.

There is no grammar behind this. What might be a clause of its own is refused: `standard shipping takes 3 days
and` stands before a verb as `the harbour` does.
"""

from __future__ import annotations

from pincite.text.wordlists import word_set

MOST_WORDS = 9


_NUMBERS = word_set("two three four five six seven eight nine ten")
_DETERMINERS = (
    word_set("""
a an the every each any some all most many few several
""")
    | _NUMBERS
)
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
_MANY = word_set("every each any all some most many few several other")
_NO_DEED = word_set("located situated based seated different")


def is_noun_phrase(phrase: str) -> bool:
    """Whether the words name a thing, as far as small words tell."""
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
    # Inside a name of a thing, another thing begins after a preposition; elsewhere a verb stands before it.
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


def stands_for_many(phrase: str) -> bool:
    """Whether the phrase speaks of all or some of a kind, which cannot be asked for a definition."""
    return phrase.partition(" ")[0].lower() in _MANY


def _counts(words: list[str], place: int) -> bool:
    """Whether a number counts what follows (`3 days`) rather than names what stands before (`Article 5`)."""
    after = words[place + 1 : place + 2]
    return words[place][0].isdigit() and bool(after) and after[0].islower() and after[0] not in _PREPOSITIONS
