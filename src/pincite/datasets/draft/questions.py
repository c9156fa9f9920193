"""A question to a sentence, by rule: what a reader of the sentence could answer, and few others.

The rules know a handful of plain English sentences: definitions, events with a date, amounts, measures,
prices and the sentences of `draft_support`; of others they ask what is said about the subject. A sentence
that they cannot turn into clean English gets no question: too few drafts cost less than bad ones. Drafts are
for a person to review.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from pincite.datasets.draft.phrases import is_clean_participle, stands_for_many
from pincite.datasets.draft.shapes import (
    AMOUNT,
    DATE,
    DAY,
    DONE,
    MEASURE,
    MONTH,
    SUBJECT,
    Question,
    subject_of,
)
from pincite.datasets.draft.support import ask_plain, is_plain
from pincite.datasets.draft.verbs import HAPPENING, HAVING
from pincite.text.terms import find_terms
from pincite.text.wordlists import word_set

SHORTEST = 20
LONGEST = 400
"""Characters of a sentence that is asked about."""

_DATED = re.compile(rf"{SUBJECT} (?P<be>was|were) {DONE} {DATE}")
_BY = re.compile(
    rf"{SUBJECT} (?P<be>is|are|was|were) {DONE} by "
    rf"(?:(?:the|an?) (?!end|time|age|day|week|month|year|river|sea|road)|(?!{MONTH}|{DAY})[A-Z])[A-Za-z]"
)
_HAS = re.compile(
    rf"{SUBJECT} (?P<verb>has|have|had) {AMOUNT} (?P<things>(?:[a-z]+ )?(?:[a-z]+s|people|children))"
    r"(?=[.,;]| (?:and|of|in|at|for|on|to)\b|$)"
)
_COSTS = re.compile(rf"{SUBJECT} costs (?=[\d$€£])")
_MEASURES = re.compile(rf"{SUBJECT} (?P<be>is|are|was|were) {AMOUNT} [a-z]+ (?P<measure>{MEASURE})\b")
_DEFINES = re.compile(rf"{SUBJECT} (?P<be>is|are) (?:(?:an?|the|one of|any|every) [a-z]|[\d$€£])")
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


def informative(sentence: str) -> float:
    """How much a sentence tells that can be asked about; 0 for one that should not be."""
    if not SHORTEST <= len(sentence) <= LONGEST or _LEANS.match(sentence):
        return 0.0
    if not sentence[:1].isalnum() or sentence.count(" ") < 4 or sentence.endswith((":", "…", "?")):
        return 0.0
    numbers, names = len(_NUMBER.findall(sentence)), len(_NAME.findall(sentence))
    fits = any(rule.match(sentence) for rule in (_DATED, _BY, _HAS, _COSTS, _MEASURES, _DEFINES))
    fits = fits or is_plain(sentence)
    return 1.0 + 2.0 * fits + min(numbers, 4) / 2.0 + min(names, 3) / 3.0


def ask(sentence: str, title: str, common: AbstractSet[str]) -> Question | None:
    """A question that the sentence answers; None where no rule makes a clean one.

    `common` are words that stand in small letters somewhere: such a word is no name where a sentence begins
    with it.
    """
    sentence = " ".join(sentence.split())  # a line may end anywhere in a sentence
    first = sentence.partition(" ")[0]
    if first.lower() in common | _ORDINARY or _NO_NAME.match(sentence):
        lowered = sentence[:1].lower() + sentence[1:]
    else:
        lowered = sentence
    for rule in (_when, _by_whom, _how_many, _how_much, _how_large, ask_plain, _what_is):
        question = rule(sentence, lowered)
        if question is not None:
            return question
    return _about(sentence, lowered, title)


def _when(sentence: str, lowered: str) -> Question | None:
    found = _DATED.match(sentence)
    subject = subject_of(found, lowered)
    if found is None or not subject or not is_clean_participle(found["done"]):
        return None
    return Question(f"When {found['be']} {subject} {found['done'].strip()}?", "temporal", "easy")


def _by_whom(sentence: str, lowered: str) -> Question | None:
    found = _BY.match(sentence)
    subject = subject_of(found, lowered)
    if found is None or not subject or not is_clean_participle(found["done"]):
        return None
    return Question(f"By whom or what {found['be']} {subject} {found['done'].strip()}?", "factual", "medium")


def _how_many(sentence: str, lowered: str) -> Question | None:
    found = _HAS.match(sentence)
    subject = subject_of(found, lowered)
    if found is None or not subject:
        return None
    helper = {"has": "does", "have": "do", "had": "did"}[found["verb"]]
    return Question(f"How many {found['things']} {helper} {subject} have?", "factual", "easy")


def _how_much(sentence: str, lowered: str) -> Question | None:
    subject = subject_of(_COSTS.match(sentence), lowered)
    return Question(f"How much does {subject} cost?", "factual", "easy") if subject else None


def _how_large(sentence: str, lowered: str) -> Question | None:
    found = _MEASURES.match(sentence)
    subject = subject_of(found, lowered)
    if found is None or not subject:
        return None
    return Question(f"How {found['measure']} {found['be']} {subject}?", "factual", "easy")


def _what_is(sentence: str, lowered: str) -> Question | None:
    found = _DEFINES.match(sentence)
    subject = subject_of(found, lowered)
    if found is None or not subject or stands_for_many(subject):
        return None
    return Question(f"What {found['be']} {subject}?", "factual", "easy")


def _about(sentence: str, lowered: str, title: str) -> Question | None:
    """What is said about the subject, where that is more than what the title names already.

    The title itself has no place in a question: a question that names its document makes retrieval easy.
    """
    subject = subject_of(_VERB.match(sentence), lowered)
    if subject[-1:].isdecimal() and not _NUMBERED.search(subject):
        return None  # `staff work 38` before `hours a week`: the number counts what follows
    named = {term.stem for term in find_terms(title)}
    if not any(not term.stop and term.stem not in named for term in find_terms(subject)):
        return None
    return Question(f"What is said about {subject}?", "analytical", "medium")
