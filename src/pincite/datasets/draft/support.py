"""Questions to the plain sentences of rules, limits and terms: how long, how often, how many, what time."""

from __future__ import annotations

import re

from pincite.datasets.draft.phrases import is_clean_participle
from pincite.datasets.draft.shapes import (
    ABOUT,
    AMOUNT,
    DATE,
    DONE,
    DURATION,
    SUBJECT,
    TIME,
    Question,
    subject_of,
)
from pincite.datasets.draft.verbs import HAPPENING, HAVING, asked_with, pattern

_BE = "(?P<be>is|are|was|were)"
_STATE = "active|available|closed|due|free|locked|open|ready|valid|visible"
_THINGS = r"(?P<things>(?:[a-z][a-z-]* )?(?:[a-z-]+s|people|children)(?: per [a-z]+)?)"
_OFTEN = rf"every (?:{AMOUNT} {TIME}|{TIME})"
_ASKED_BY = {"within": "Within what time", "after": "After how long", "for": "How long", "every": "How often"}
_HOW = rf"(?:(?P<how>within|after|for) {DURATION}|(?P<often>{_OFTEN}))"

_DONE_IN = re.compile(rf"{SUBJECT} {_BE} (?:{DONE}|(?P<state>{_STATE})) {_HOW}")
_HAPPENS_IN = re.compile(rf"{SUBJECT} {pattern(HAPPENING)} {_HOW}")
_HAPPENS_AT = re.compile(
    rf"{SUBJECT} {pattern(HAPPENING)} at (?:\d\d?[:.]\d\d|\d\d? ?(?:am|pm)|noon|midnight)\b"
)
_TAKES = re.compile(rf"{SUBJECT} (?P<verb>takes?|lasts?) {DURATION}")
_MANY = re.compile(
    rf"(?:Up to|At most|At least|No more than|No fewer than|As many as|A maximum of) {AMOUNT} {_THINGS} "
    r"(?P<rest>(?:may|can|must) [^.,;:()]{2,60})\.?$"
)
_HAVE_MANY = re.compile(rf"{SUBJECT} {pattern(HAVING)} {ABOUT}{AMOUNT} {_THINGS}(?=[.,;]| |$)")
_HAVE = re.compile(
    rf"{SUBJECT} {pattern(HAVING)} (?:(?:an?|the|its|their) [a-z]|[A-Z][A-Za-z]|[a-z]+ [a-z]+[.,;])"
)
_READY = re.compile(rf"{SUBJECT} {_BE} (?P<state>{_STATE}) (?:after|when|once|until|from) (?:the|an?) ")
_SINCE = re.compile(rf"{SUBJECT} (?P<be>is|are) {DONE} (?={DATE})since ")
_WITH = re.compile(rf"{SUBJECT} {_BE} {DONE} (?P<joint>with|in|at) (?:[A-Z][\w-]*|{AMOUNT} )")
_PART = re.compile(rf"{SUBJECT} {_BE} part of (?:the|an?|every|each) ")


def ask_plain(sentence: str, lowered: str) -> Question | None:
    """The first of these questions that the sentence answers."""
    for rule in (
        _how_many,
        _passing,
        _happening,
        _taking,
        _having_many,
        _since,
        _ready,
        _part,
        _with,
        _having,
    ):
        question = rule(sentence, lowered)
        if question is not None:
            return question
    return None


def is_plain(sentence: str) -> bool:
    """Whether the sentence looks like one that these rules are for."""
    return any(
        rule.match(sentence) for rule in (_MANY, _DONE_IN, _HAPPENS_IN, _HAPPENS_AT, _TAKES, _HAVE_MANY)
    )


def _how_many(sentence: str, lowered: str) -> Question | None:
    """`Up to 5 guests may join.` → `How many guests may join?`"""
    found = _MANY.match(sentence)
    if found is None or not is_clean_participle(found["rest"].partition(" ")[2].removeprefix("be ")):
        return None
    return Question(f"How many {found['things']} {found['rest'].rstrip()}?", "factual", "easy")


def _passing(sentence: str, lowered: str) -> Question | None:
    """`Backups are kept for 35 days.` → `How long are backups kept?`"""
    found = _DONE_IN.match(sentence)
    subject = subject_of(found, lowered)
    if found is None or not subject:
        return None
    done = (found["done"] or found["state"]).strip()
    if not is_clean_participle(done):
        return None
    asked = _ASKED_BY[found["how"] or "every"]
    return Question(f"{asked} {found['be']} {subject} {done}?", "factual", "easy")


def _happening(sentence: str, lowered: str) -> Question | None:
    """`Access tokens expire after 8 hours.` → `After how long do access tokens expire?`"""
    found = _HAPPENS_IN.match(sentence)
    asked = _ASKED_BY[found["how"] or "every"] if found is not None else "At what time"
    found = found or _HAPPENS_AT.match(sentence)
    subject = subject_of(found, lowered)
    if found is None or not subject:
        return None
    with_verb = asked_with(found["verb"], subject)
    if with_verb is None:
        return None
    return Question(f"{asked} {with_verb[0]} {subject} {with_verb[1]}?", "factual", "easy")


def _taking(sentence: str, lowered: str) -> Question | None:
    """`The export takes about 40 minutes.` → `How long does the export take?`"""
    found = _TAKES.match(sentence)
    subject = subject_of(found, lowered)
    if found is None or not subject:
        return None
    helper = "does" if found["verb"].endswith("s") else "do"
    return Question(f"How long {helper} {subject} {found['verb'].removesuffix('s')}?", "factual", "easy")


def _having_many(sentence: str, lowered: str) -> Question | None:
    """`The free plan allows 60 requests per minute.` → `How many requests per minute does it allow?`"""
    found = _HAVE_MANY.match(sentence)
    subject = subject_of(found, lowered)
    with_verb = asked_with(found["verb"], subject) if found is not None and subject else None
    if found is None or with_verb is None:
        return None
    return Question(f"How many {found['things']} {with_verb[0]} {subject} {with_verb[1]}?", "factual", "easy")


def _having(sentence: str, lowered: str) -> Question | None:
    """`Requests above the limit receive the status 429.` → `What do requests above the limit receive?`"""
    found = _HAVE.match(sentence)
    subject = subject_of(found, lowered)
    with_verb = asked_with(found["verb"], subject) if found is not None and subject else None
    return (
        None
        if with_verb is None
        else Question(f"What {with_verb[0]} {subject} {with_verb[1]}?", "factual", "medium")
    )


def _ready(sentence: str, lowered: str) -> Question | None:
    found = _READY.match(sentence)
    subject = subject_of(found, lowered)
    if found is None or not subject:
        return None
    asked = "Until when" if " until " in found[0] else "When"
    return Question(f"{asked} {found['be']} {subject} {found['state']}?", "temporal", "medium")


def _since(sentence: str, lowered: str) -> Question | None:
    found = _SINCE.match(sentence)
    subject = subject_of(found, lowered)
    if found is None or not subject or not is_clean_participle(found["done"]):
        return None
    return Question(f"Since when {found['be']} {subject} {found['done'].strip()}?", "temporal", "easy")


def _part(sentence: str, lowered: str) -> Question | None:
    found = _PART.match(sentence)
    subject = subject_of(found, lowered)
    return (
        Question(f"What {found['be']} {subject} part of?", "factual", "easy") if found and subject else None
    )


def _with(sentence: str, lowered: str) -> Question | None:
    """`Data is encrypted at rest with AES-256.` → `With what is data encrypted at rest?`"""
    found = _WITH.match(sentence)
    subject = subject_of(found, lowered)
    if found is None or not subject or found["joint"] != "with" or not is_clean_participle(found["done"]):
        return None
    return Question(f"With what {found['be']} {subject} {found['done'].strip()}?", "factual", "medium")
