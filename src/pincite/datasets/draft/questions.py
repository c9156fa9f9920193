"""A question to a sentence, by rule: what a reader of the sentence could answer, and few others.

The rules know a handful of plain English sentences: definitions, events with a date, amounts, measures,
prices, rules, limits and terms; of others they ask what is said about the subject. A sentence that they
cannot turn into clean English gets no question: too few drafts cost less than bad ones. Drafts are for a
person to review.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from msgspec import Struct

from pincite.datasets.draft.phrases import (
    HAPPENING,
    HAVING,
    asked_with,
    is_clean_participle,
    is_noun_phrase,
    pattern,
)
from pincite.text import find_terms, word_set

SHORTEST = 20
LONGEST = 400
"""Characters of a sentence that is asked about."""

NO_SUBJECT = (
    "after|although|among|as|at|because|before|between|by|during|for|from|if|in|like|of|on|once|over|since|to|under"
    "|until|when|where|whereas|while|with|within|without"
)
SUBJECT = rf"(?!(?i:{NO_SUBJECT})\b)(?P<subject>[A-Z][^,;:.!?()\"“”]{{1,70}}?)"
MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
DAY = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
DATE = rf"(?:in|on|since) (?:\d{{1,2}} )?(?:(?:{MONTH}) )?(?:\d{{1,2}}, )?(?:1[0-9]|20)\d\d\b"
AMOUNT = r"(?:\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|fifty)"
MEASURE = "long|high|wide|deep|tall|thick|old"
DONE = (
    r"(?P<done>(?:[a-z]+(?:ed|ilt|ung|und|ade|ken|ven|old|ent|et|wn)|paid|kept|held|left|lost|bought|brought|done"
    r"|written|chosen|shut)\b(?!-)[^.,;:()]{0,60}?)"
)
ABOUT = r"(?:about |around |approximately |up to |at least |at most |no more than |more than |less than )?"
TIME = r"(?:(?:business|working|calendar|full) )?(?:second|minute|hour|day|night|week|month|quarter|year)s?\b"
DURATION = rf"{ABOUT}{AMOUNT} {TIME}"
BE = "(?P<be>is|are|was|were)"
STATE = "active|available|closed|due|free|locked|open|ready|valid|visible"
THINGS = r"(?P<things>(?:[a-z][a-z-]* )?(?:[a-z-]+s|people|children)(?: per [a-z]+)?)"
HOW = rf"(?:(?P<how>within|after|for) {DURATION}|every (?:{AMOUNT} {TIME}|{TIME}))"
_ASKED_BY = {"within": "Within what time", "after": "After how long", "for": "How long", "every": "How often"}
_HELPED = {
    "has": ("does", "have"),
    "have": ("do", "have"),
    "had": ("did", "have"),
    "takes": ("does", "take"),
    "take": ("do", "take"),
    "lasts": ("does", "last"),
    "last": ("do", "last"),
}
_HELPER = "is|are|was|were|has|have|had|may|must|can|will|would|should|could|does|did|do|shall"
_PAST = (
    "became|began|bought|brought|built|came|fell|found|gave|grew|held|kept|led|left|lost|made|met|paid|ran"
    "|rose|saw|sent|sold|spent|stood|took|went|won|wrote"
)
_ARTICLES = r"(?:an?|the|every|each|its|their)\b"
_VERB = re.compile(
    rf"{SUBJECT} (?:(?:{_HELPER})\b"
    rf"|(?:[a-z]+ed|{_PAST}) (?:{_ARTICLES}|(?:at|by|for|from|in|of|on|to|with)\b|{AMOUNT}\b|[A-Z])"
    rf"|[a-z]+s (?:{_ARTICLES}|{AMOUNT}\b))"
)
"""A verb that is known, or a word with the ending of one before something that follows verbs."""
_LEANS = re.compile(
    r"(?:it|its|they|their|them|he|she|his|her|this|that|these|those|there|both|such|here|then|thus|so|but|and"
    r"|or|however|also|therefore|moreover|further|furthermore|instead|otherwise|again|the former|the latter"
    r"|as a result|together|we|our|i|you|your|one of them|another|others?|each|all but)\b",
    re.IGNORECASE,
)
"""A sentence that begins so leans on the one before it, and cannot be asked about alone."""
_NUMBER = re.compile(r"\d")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+")
_NO_NAME = re.compile(
    r"(?:The|A|An|Every|Each)\b|[A-Z][a-z]+ing [a-z]|[A-Z][a-z]+s (?:are|were|have|had|do|did)\b"
    r"|[A-Z][a-z]+s (?:for|above|below|over|under|without|from|older) (?:[a-z]+ ){1,5}?"
    rf"(?:are|were|have|{'|'.join(sorted(HAPPENING | HAVING))})\b"
    rf"|[A-Z][a-z]+s (?:{'|'.join(sorted(HAPPENING | HAVING))})\b"
)
"""Beginnings whose capital letter is only that of the sentence: articles, activities, plurals."""
_NUMBERED = re.compile(r"(?:^|[ ])(?:[A-Z]\S*|(?:of|for|in) \w+) \S+$")
_ORDINARY = word_set("""
access active all annual backup basic business custom customer daily data default email employee
existing express extra first free full guest internal international large late local long lost manual
monthly most new nightly old online open paid part password personal premium public regular remote
security short sick single small some staff standard support technical two-factor unused user weekly
yearly
""")
"""Words that hardly ever are a name, also where no document has them in small letters."""


class Question(Struct, frozen=True):
    """A question and of which kind it is."""

    text: str
    query_type: str
    difficulty: str


class _Rule(NamedTuple):
    """A pattern of a sentence and the question that such a sentence answers.

    A subject must be a clean noun phrase, and what was `done` a clean participle. `{do}` and `{base}` come
    from the verb, `{asked}` from the word before the duration.
    """

    pattern: re.Pattern[str]
    question: str
    query_type: str
    difficulty: str


def _rule(pattern: str, question: str, kind: str = "factual easy") -> _Rule:
    return _Rule(re.compile(pattern), question, *kind.split())


_FIRST = (
    _rule(rf"{SUBJECT} (?P<be>was|were) {DONE} {DATE}", "When {be} {subject} {done}?", "temporal easy"),
    _rule(
        rf"{SUBJECT} {BE} {DONE} by (?:(?:the|an?) (?!end|time|age|day|week|month|year|river|sea|road)"
        rf"|(?!{MONTH}|{DAY})[A-Z])[A-Za-z]",
        "By whom or what {be} {subject} {done}?",
        "factual medium",
    ),
    _rule(
        rf"{SUBJECT} (?P<aux>has|have|had) {AMOUNT} (?P<things>(?:[a-z]+ )?(?:[a-z]+s|people|children))"
        r"(?=[.,;]| (?:and|of|in|at|for|on|to)\b|$)",
        "How many {things} {do} {subject} {base}?",
    ),
    _rule(rf"{SUBJECT} costs (?=[\d$€£])", "How much does {subject} cost?"),
    _rule(rf"{SUBJECT} {BE} {AMOUNT} [a-z]+ (?P<measure>{MEASURE})\b", "How {measure} {be} {subject}?"),
    # `Up to 5 guests may join.` → `How many guests may join?`
    _rule(
        rf"(?:Up to|At most|At least|No more than|No fewer than|As many as|A maximum of) {AMOUNT} {THINGS} "
        r"(?P<modal>may|can|must) (?P<be>be )?(?P<done>[^.,;:()]{2,60})\.?$",
        "How many {things} {modal} {be}{done}?",
    ),
    # `Backups are kept for 35 days.` → `How long are backups kept?`
    _rule(rf"{SUBJECT} {BE} (?:{DONE}|(?P<state>{STATE})) {HOW}", "{asked} {be} {subject} {done}{state}?"),
    # `Access tokens expire after 8 hours.` → `After how long do access tokens expire?`
    _rule(rf"{SUBJECT} {pattern(HAPPENING)} {HOW}", "{asked} {do} {subject} {base}?"),
    _rule(
        rf"{SUBJECT} {pattern(HAPPENING)} at (?:\d\d?[:.]\d\d|\d\d? ?(?:am|pm)|noon|midnight)\b",
        "At what time {do} {subject} {base}?",
    ),
    # `The export takes about 40 minutes.` → `How long does the export take?`
    _rule(rf"{SUBJECT} (?P<aux>takes?|lasts?) {DURATION}", "How long {do} {subject} {base}?"),
    # `The free plan allows 60 requests per minute.` → `How many requests per minute does it allow?`
    _rule(
        rf"{SUBJECT} {pattern(HAVING)} {ABOUT}{AMOUNT} {THINGS}(?=[.,;]| |$)",
        "How many {things} {do} {subject} {base}?",
    ),
)
_THEN = (
    _rule(
        rf"{SUBJECT} (?P<be>is|are) {DONE} (?={DATE})since ",
        "Since when {be} {subject} {done}?",
        "temporal easy",
    ),
    _rule(
        rf"{SUBJECT} {BE} (?P<state>{STATE}) until (?:the|an?) ",
        "Until when {be} {subject} {state}?",
        "temporal medium",
    ),
    _rule(
        rf"{SUBJECT} {BE} (?P<state>{STATE}) (?:after|when|once|from) (?:the|an?) ",
        "When {be} {subject} {state}?",
        "temporal medium",
    ),
    _rule(rf"{SUBJECT} {BE} part of (?:the|an?|every|each) ", "What {be} {subject} part of?"),
    # `Data is encrypted at rest with AES-256.` → `With what is data encrypted at rest?`
    _rule(
        rf"{SUBJECT} {BE} {DONE} (?P<joint>with|in|at) (?:[A-Z][\w-]*|{AMOUNT} )",
        "With what {be} {subject} {done}?",
        "factual medium",
    ),
    # `Requests above the limit receive the status 429.` → `What do requests above the limit receive?`
    _rule(
        rf"{SUBJECT} {pattern(HAVING)} (?:(?:an?|the|its|their) [a-z]|[A-Z][A-Za-z]|[a-z]+ [a-z]+[.,;])",
        "What {do} {subject} {base}?",
        "factual medium",
    ),
)
_DEFINES = _rule(
    rf"(?!(?:Every|Each|Any|All|Some|Most|Many|Few|Several|Other) ){SUBJECT} (?P<be>is|are) "
    r"(?:(?:an?|the|one of|any|every) [a-z]|[\d$€£])",
    "What {be} {subject}?",
)


def informative(sentence: str) -> float:
    """How much a sentence says that can be asked about; 0 for one that should not be."""
    if not SHORTEST <= len(sentence) <= LONGEST or _LEANS.match(sentence):
        return 0.0
    if not sentence[:1].isalnum() or sentence.count(" ") < 4 or sentence.endswith((":", "…", "?")):
        return 0.0
    numbers, names = len(_NUMBER.findall(sentence)), len(_NAME.findall(sentence))
    fits = any(rule.pattern.match(sentence) for rule in (*_FIRST, _DEFINES))
    return 1.0 + 2.0 * fits + min(numbers, 4) / 2.0 + min(names, 3) / 3.0


def ask(sentence: str, title: str, common: AbstractSet[str]) -> Question | None:
    """A question that the sentence answers; None where no rule makes a clean one.

    `common` are words that are written in small letters somewhere: such a word is no name where a sentence
    begins with it.
    """
    sentence = " ".join(sentence.split())  # a line may end anywhere in a sentence
    first = sentence.partition(" ")[0]
    lowered = sentence
    if first.lower() in common | _ORDINARY or _NO_NAME.match(sentence):
        lowered = sentence[:1].lower() + sentence[1:]
    for rule in (*_FIRST, *_THEN, _DEFINES):
        parts = _parts(rule, sentence, lowered)
        if parts is not None:
            return Question(rule.question.format_map(parts), rule.query_type, rule.difficulty)
    return _about(sentence, lowered, title)


def _parts(rule: _Rule, sentence: str, lowered: str) -> dict[str, str] | None:
    """What fills a rule's question; None where the sentence does not fit, or not cleanly."""
    found = rule.pattern.match(sentence)
    if found is None:
        return None
    parts = {name: held or "" for name, held in found.groupdict().items()}
    if "subject" in parts:
        parts["subject"] = _subject(found, lowered)
        if not parts["subject"]:
            return None
    if parts.get("done"):
        parts["done"] = parts["done"].strip()
        if not is_clean_participle(parts["done"]) or parts.get("joint", "with") != "with":
            return None
    if "verb" in parts:
        with_verb = asked_with(parts["verb"], parts["subject"])
        if with_verb is None:
            return None
        parts["do"], parts["base"] = with_verb
    if "aux" in parts:
        parts["do"], parts["base"] = _HELPED[parts["aux"]]
    if "how" in parts:
        parts["asked"] = _ASKED_BY[parts["how"] or "every"]
    return parts


def _subject(found: re.Match[str], lowered: str) -> str:
    """The subject as it is inside a sentence; nothing where it is no clean one."""
    subject = lowered[found.start("subject") : found.end("subject")]
    return subject if is_noun_phrase(subject) else ""


def _about(sentence: str, lowered: str, title: str) -> Question | None:
    """What is said about the subject, where that is more than what the title names already.

    The title itself has no place in a question: a question that names its document makes retrieval easy.
    """
    found = _VERB.match(sentence)
    subject = "" if found is None else _subject(found, lowered)
    if subject[-1:].isdecimal() and not _NUMBERED.search(subject):
        return None  # `staff work 38` before `hours a week`: the number counts what follows
    named = {term.stem for term in find_terms(title)}
    if not any(not term.stop and term.stem not in named for term in find_terms(subject)):
        return None
    return Question(f"What is said about {subject}?", "analytical", "medium")
