"""Names swapped for others, who did it to whom, and the passive voice."""

from __future__ import annotations

import re
from random import Random

from pairmaking.names import find_names
from pairmaking.rows import CONTRADICTED, NOT_ENOUGH, SUPPORTED, Made, Pool, Row, count_words, replace_words
from pairmaking.verbs import BASE_OF_PAST, PARTICIPLE_OF_PAST, PAST_OF_PARTICIPLE, TAKES_OBJECT


def name(row: Row, rng: Random, pool: Pool) -> Made:
    """A name that both sides share, replaced by another of its kind in one or in both."""
    if row.verdict != SUPPORTED:
        return
    shared = [found for found in find_names(row.claim) if found.text in row.evidence]
    if not shared:
        return
    old = rng.choice(shared)
    nearby = [
        found.text
        for found in find_names(row.evidence)
        if found.kind == old.kind
        and not set(found.text.split()) & set(row.claim.split())
        and not _side_by_side(row.evidence, old.text, found.text)
    ]
    if nearby and (old.kind == "thing" or rng.random() < 0.6):
        new: str | None = rng.choice(nearby)
    elif old.kind == "thing":
        return
    else:
        new = pool.name_like(old.kind, rng, row.claim + row.evidence)
    if new is None or count_words(row.claim, old.text) != 1:
        return
    claim = row.claim.replace(old.text, new)
    claim = re.sub(r"\b([Aa]n?) (?=" + re.escape(new) + ")", lambda m: _article(m[1], new), claim)
    opening = old.start == 0
    far = new not in row.evidence
    yield Row(claim, row.evidence, NOT_ENOUGH if opening and far else CONTRADICTED)
    if far and old.kind != "thing":
        evidence = replace_words(row.evidence, old.text, new)
        if old.kind == "person":
            evidence = re.sub(rf"\b{re.escape(old.text.split()[-1])}\b", new.split()[-1], evidence)
        evidence = re.sub(r"\b([Aa]n?) (?=" + re.escape(new) + ")", lambda m: _article(m[1], new), evidence)
        yield Row(claim, evidence, SUPPORTED)
        if not opening and rng.random() < 0.4:
            yield Row(row.claim, evidence, CONTRADICTED)


def _side_by_side(text: str, one: str, other: str) -> bool:
    """Whether two names stand in one list, as in `starring A and B`, where both may do the same."""
    first, last = sorted((text.find(one), text.find(other)))
    between = text[first:last].split()
    return all(word in ("and", "or", "as", ",", "with") or not word[0].islower() for word in between)


def _article(old: str, following: str) -> str:
    said = "an" if following[0] in "AEIO" else "a"
    return f"{said.title() if old[0].isupper() else said} "


_PHRASE = r"((?:The |the |`` )?[A-Z0-9][\w'.:-]*(?: (?:of|the|''|``|[A-Z0-9][\w'.:-]*)){0,5})"
_PAST = "|".join(sorted(past for past, base in BASE_OF_PAST.items() if base in TAKES_OBJECT))
_DONE = "|".join(
    sorted({PARTICIPLE_OF_PAST[past] for past, base in BASE_OF_PAST.items() if base in TAKES_OBJECT})
)
_ACTIVE = re.compile(rf"^{_PHRASE} ({_PAST}) {_PHRASE}( in \d{{4}}| on [A-Z]\w+ \d+)? ?\.?$")
_PASSIVE = re.compile(rf"^{_PHRASE} (was|were) ({_DONE}) by {_PHRASE}( in \d{{4}}| on [A-Z]\w+ \d+)? ?\.?$")


def voice(row: Row, rng: Random, pool: Pool) -> Made:
    """Active made passive or the other way round with the verdict kept, and with the roles exchanged."""
    active = _ACTIVE.match(row.claim)
    passive = _PASSIVE.match(row.claim)
    if active:
        doer, verb, done, when = active[1], active[2], active[3], active[4] or ""
    elif passive:
        doer, verb, done, when = passive[4], PAST_OF_PARTICIPLE[passive[3]], passive[1], passive[5] or ""
    else:
        return
    if BASE_OF_PAST[verb] == "succeed" or len(done) < 3 or " and " in doer + done:
        return

    def says(subject: str, other: str, as_passive: bool) -> str:
        subject, other = _upper(subject), _lower(other)
        if as_passive:
            return f"{subject} was {PARTICIPLE_OF_PAST[verb]} by {other}{when} ."
        return f"{subject} {verb} {other}{when} ."

    if active:
        yield Row(says(done, doer, True), row.evidence, row.verdict)
    else:
        yield Row(says(doer, done, False), row.evidence, row.verdict)
    if row.verdict == SUPPORTED:
        yield rng.choice(
            (
                Row(says(doer, done, True), row.evidence, CONTRADICTED),
                Row(says(done, doer, False), row.evidence, CONTRADICTED),
            )
        )


def _upper(phrase: str) -> str:
    return phrase[0].upper() + phrase[1:]


def _lower(phrase: str) -> str:
    return "the" + phrase[3:] if phrase.startswith("The ") else phrase
