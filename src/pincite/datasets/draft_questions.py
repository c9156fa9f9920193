"""A question to a sentence, by rule: what a reader of the sentence could answer, and few others.

The rules know a handful of plain English sentences: definitions, events with a date, amounts, measures and
prices; of others they ask what is said about the subject. A sentence that they cannot turn into clean English
gets no question: too few drafts cost less than bad ones. Drafts are for a person to review.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from msgspec import Struct

from pincite.datasets.draft_phrases import is_clean_participle, is_noun_phrase, stands_for_many
from pincite.text.terms import find_terms

SHORTEST = 30
LONGEST = 400
"""Characters of a sentence that is asked about."""

_NO_SUBJECT = (
    "after|although|among|as|at|because|before|between|by|during|for|from|if|in|like|of|on|once|over|since|to|under"
    "|until|when|where|whereas|while|with|within|without"
)
_SUBJECT = rf"(?!(?i:{_NO_SUBJECT})\b)(?P<subject>[A-Z][^,;:.!?()\"“”]{{1,70}}?)"
_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_DAY = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
_DATE = rf"(?:in|on|since) (?:\d{{1,2}} )?(?:(?:{_MONTH}) )?(?:\d{{1,2}}, )?(?:1[0-9]|20)\d\d\b"
_AMOUNT = r"(?:\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|fifty)"
_MEASURE = "long|high|wide|deep|tall|thick|old"
_DONE = r"(?P<done>[a-z]+(?:ed|ilt|ung|und|ade|ken|ven|old|ent|et|wn)\b[^.,;:()]{0,60}?)"
_DATED = re.compile(rf"{_SUBJECT} (?P<be>was|were) {_DONE} {_DATE}")
_BY = re.compile(
    rf"{_SUBJECT} (?P<be>is|are|was|were) {_DONE} by "
    rf"(?:(?:the|an?) (?!end|time|age|day|week|month|year|river|sea|road)|(?!{_MONTH}|{_DAY})[A-Z])[A-Za-z]"
)
_HAS = re.compile(
    rf"{_SUBJECT} (?P<verb>has|have|had) {_AMOUNT} (?P<things>(?:[a-z]+ )?(?:[a-z]+s|people|children))"
    r"(?=[.,;]| (?:and|of|in|at|for|on|to)\b|$)"
)
_COSTS = re.compile(rf"{_SUBJECT} costs (?=[\d$€£])")
_MEASURES = re.compile(rf"{_SUBJECT} (?P<be>is|are|was|were) {_AMOUNT} [a-z]+ (?P<measure>{_MEASURE})\b")
_DEFINES = re.compile(rf"{_SUBJECT} (?P<be>is|are) (?:(?:an?|the|one of|any|every) [a-z]|[\d$€£])")
_HELPER = "is|are|was|were|has|have|had|may|must|can|will|would|should|could|does|did|do|shall"
_PAST = (
    "became|began|bought|brought|built|came|fell|found|gave|grew|held|kept|led|left|lost|made|met|paid|ran"
    "|rose|saw|sent|sold|spent|stood|took|went|won|wrote"
)
_ARTICLES = r"(?:an?|the|every|each|its|their)\b"
_VERB = re.compile(
    rf"{_SUBJECT} (?:(?:{_HELPER})\b"
    rf"|(?:[a-z]+ed|{_PAST}) (?:{_ARTICLES}|(?:at|by|for|from|in|of|on|to|with)\b|{_AMOUNT}\b|[A-Z])"
    rf"|[a-z]+s (?:{_ARTICLES}|{_AMOUNT}\b))"
)
"""A verb that is known, or a word with the ending of one where something follows that stands after verbs."""
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
)
"""Beginnings whose capital letter is only that of the sentence: articles, activities, plurals."""


class Question(Struct, frozen=True):
    """A question and of which kind it is."""

    text: str
    query_type: str
    difficulty: str


def informative(sentence: str) -> float:
    """How much a sentence tells that can be asked about; 0 for one that should not be."""
    if not SHORTEST <= len(sentence) <= LONGEST or _LEANS.match(sentence):
        return 0.0
    if not sentence[:1].isalnum() or sentence.count(" ") < 4 or sentence.endswith((":", "…", "?")):
        return 0.0
    numbers, names = len(_NUMBER.findall(sentence)), len(_NAME.findall(sentence))
    fits = any(rule.match(sentence) for rule in (_DATED, _BY, _HAS, _COSTS, _MEASURES, _DEFINES))
    return 1.0 + 2.0 * fits + min(numbers, 4) / 2.0 + min(names, 3) / 3.0


def ask(sentence: str, title: str, common: AbstractSet[str]) -> Question | None:
    """A question that the sentence answers; None where no rule makes a clean one.

    `common` are words that stand in small letters somewhere: such a word is no name where a sentence begins
    with it.
    """
    first = sentence.partition(" ")[0]
    if first.lower() in common or _NO_NAME.match(sentence):
        lowered = sentence[:1].lower() + sentence[1:]
    else:
        lowered = sentence
    for rule in (_when, _by_whom, _how_many, _how_much, _how_large, _what_is):
        question = rule(sentence, lowered)
        if question is not None:
            return question
    return _about(sentence, lowered, title)


def _when(sentence: str, lowered: str) -> Question | None:
    found = _DATED.match(sentence)
    subject = _subject(found, lowered)
    if found is None or not subject or not is_clean_participle(found["done"]):
        return None
    return Question(f"When {found['be']} {subject} {found['done'].strip()}?", "temporal", "easy")


def _by_whom(sentence: str, lowered: str) -> Question | None:
    found = _BY.match(sentence)
    subject = _subject(found, lowered)
    if found is None or not subject or not is_clean_participle(found["done"]):
        return None
    return Question(f"By whom or what {found['be']} {subject} {found['done'].strip()}?", "factual", "medium")


def _how_many(sentence: str, lowered: str) -> Question | None:
    found = _HAS.match(sentence)
    subject = _subject(found, lowered)
    if found is None or not subject:
        return None
    helper = {"has": "does", "have": "do", "had": "did"}[found["verb"]]
    return Question(f"How many {found['things']} {helper} {subject} have?", "factual", "easy")


def _how_much(sentence: str, lowered: str) -> Question | None:
    subject = _subject(_COSTS.match(sentence), lowered)
    return Question(f"How much does {subject} cost?", "factual", "easy") if subject else None


def _how_large(sentence: str, lowered: str) -> Question | None:
    found = _MEASURES.match(sentence)
    subject = _subject(found, lowered)
    if found is None or not subject:
        return None
    return Question(f"How {found['measure']} {found['be']} {subject}?", "factual", "easy")


def _what_is(sentence: str, lowered: str) -> Question | None:
    found = _DEFINES.match(sentence)
    subject = _subject(found, lowered)
    if found is None or not subject or stands_for_many(subject):
        return None
    return Question(f"What {found['be']} {subject}?", "factual", "easy")


def _about(sentence: str, lowered: str, title: str) -> Question | None:
    """What is said about the subject, where that is more than what the title names already."""
    subject = _subject(_VERB.match(sentence), lowered)
    named = {term.stem for term in find_terms(title)}
    if not any(not term.stop and term.stem not in named for term in find_terms(subject)):
        return None
    return Question(f"What does “{title}” say about {subject}?", "analytical", "medium")


def _subject(found: re.Match[str] | None, lowered: str) -> str:
    """The subject as it stands inside a sentence; nothing where it is no clean one."""
    subject = "" if found is None else lowered[found.start("subject") : found.end("subject")]
    return subject if is_noun_phrase(subject) else ""
