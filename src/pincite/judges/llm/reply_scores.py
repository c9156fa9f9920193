"""Reads a score or an outcome out of what a model wrote: one sure reading, or none.

Nothing here guesses. A value that is not a number from 0 to 1, two numbers that differ, or a number that may
well be about something else gives no score.
"""

from __future__ import annotations

import math
import re
from itertools import islice
from typing import Any

from pincite.records import Outcome

_SIGN = "+\\-−–—‐‑"
_NUMBER = r"(?:[0-9]++(?:[.,][0-9]++)?+|[.,][0-9]++)"
_EXPRESSION = (
    rf"(?<![\w.,/])(?P<sign>(?<!\w)[{_SIGN}])?+(?P<number>{_NUMBER})"
    rf"(?:[ \t]*+(?:/|out[ \t]++of)[ \t]*+(?P<of>{_NUMBER})|[ \t]?+(?P<percent>%))?+(?![\w+%]|[.,/][0-9])"
)
_SCORES = re.compile(_EXPRESSION)
_LABELLED = re.compile(
    r"\b(?P<label>score|rating|support|answer|verdict|result)\b[ \t]{0,3}+(?P<link>[:=]|is\b|of\b)?+\s{0,3}+"
    + _EXPRESSION,
    re.IGNORECASE,
)
_FULL_MARKS = (1, 5, 10, 100)
"""What a score may be out of."""

_MARKUP = re.compile(r"[*_`#\"“”]++")
_ITEM_ONE = re.compile(r"(?<!\s)\s*+item\s{0,3}+1\s{0,3}+[:.)=-]", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]++")
_BREAK = re.compile(r"[ \t]*+(?:\n|[.:;,(–—-](?![0-9])|$)")
_HARMLESS = frozenset(".,:;=!()[]{}-–— \t\r\n")
"""What may stand round a score without changing it. A `<` or a `~` would."""
_FILLERS = re.compile(
    r"(?:(?:the |my |final )?(?:support )?score(?: is)?|support|(?:the )?rating(?: is)?"
    r"|(?:my )?answer(?: is)?)?"
)
_DOUBT = re.compile(
    r"\b(?:not|no|never|cannot|unable|would|could|if|unless|rather|instead|refuse)\b|n['’]t\b", re.IGNORECASE
)
_AGAINST = re.compile(
    r"contradict|refut|(?:not|n['’]t) (?:\w{1,12} )?support|unsupport|insufficient|inconsistent|irrelevant"
    r"|hallucinat",
    re.IGNORECASE,
)
"""Words that make a high score beside them doubtful: what it is a score of may be the contradiction."""
_SENTENCE_END = re.compile(r"[.!?\n](?=\s|$)")
_MOST_NUMBERS = 51
_OUTCOME_LABEL = re.compile(r"^(?:the )?(?:outcome|verdict|label|answer|final answer|result)(?: is)? ")

_WORDS_FOR: dict[Outcome, str] = {
    "supported": "supported, supports, support, fully supported, yes, entailed, entails, entailment, "
    "grounded, consistent, relevant",
    "contradicted": "contradicted, contradicts, contradiction, contradictory, refuted, refutes, inconsistent",
    "not_enough": "not enough, not enough information, not enough evidence, insufficient, insufficient "
    "information, insufficient evidence, neutral, not supported, unsupported, not entailed, not grounded, "
    "ungrounded, hallucinated, irrelevant, not relevant",
}
_OUTCOMES = {words: outcome for outcome, listed in _WORDS_FOR.items() for words in listed.split(", ")}
_GRADES: dict[str, tuple[Outcome, float]] = {
    "1": ("supported", 1.0), "2": ("supported", 0.5), "3": ("not_enough", 0.0),
}  # fmt: skip
_GRADE_WORDS: dict[Outcome, tuple[str, ...]] = {
    "supported": ("fully supported", "partially supported", "supported"),
    "not_enough": ("not supported",),
}
_GRADE = re.compile(r"\s*+([123])[.):]?(?:\s++([^0-9]{0,80}+))?")


Plain = tuple[Outcome | None, float | None]
"""An outcome and a score: at least one of the two."""


def read_score(value: Any) -> float | None:
    """A number from 0 to 1, also as `"0.8/1.0"`, `"8/10"`, `"85%"` or `"0,8"`; None for anything else."""
    if isinstance(value, str):
        found = _SCORES.fullmatch(value.strip())
        return _value(found) if found else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None  # never true of nan


def read_outcome(value: Any) -> Outcome | None:
    """The outcome that a word stands for; None when it stands for none, or for one of several."""
    if not isinstance(value, str) or len(value) > 80:
        return None
    return _OUTCOMES.get(" ".join(_words(value)))


def read_plain_words(text: str, grades: bool = False) -> Plain | None:
    """What a reply in plain words says about one pair; None when that is not sure.

    `grades` takes a bare 1, 2 or 3 for fully, partly and not at all.
    """
    text = _ITEM_ONE.sub("", _MARKUP.sub("", text), count=1)
    if grades and (graded := _read_grade(text)) is not None:
        return graded
    numbers = list(islice(_SCORES.finditer(text), _MOST_NUMBERS))
    values = {_value(number) for number in numbers}
    score = values.pop() if len(values) == 1 else None
    if not numbers or score is not None:
        alone = _read_alone(text, numbers, score)
        if alone is not None:
            return alone
    labelled = _labelled(text)
    if labelled:
        score = labelled.pop() if len(labelled) == 1 else None
    elif score is not None and not _leads(text, numbers[0]):
        score = None
    if score is None or (score >= 0.5 and _AGAINST.search(text)):
        return None
    return None, score


def _value(found: re.Match[str]) -> float | None:
    if found["sign"] not in (None, "+"):
        return None
    number = _decimal(found["number"])
    if found["percent"]:
        number /= 100
    elif found["of"]:
        of = _decimal(found["of"])
        if of not in _FULL_MARKS:
            return None
        number /= of
    return number if 0 <= number <= 1 else None


def _decimal(digits: str) -> float:
    """The number; nan for one that may be in thousands, or that is too long to be meant."""
    whole, comma, _ = digits.partition(",")
    if len(digits) > 20 or (comma and whole not in ("", "0") and digits not in ("1,0", "1,00")):
        return math.nan
    return float(digits.replace(",", "."))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("_", " "))


def _read_alone(text: str, numbers: list[re.Match[str]], score: float | None) -> Plain | None:
    """A reply that is a score, an outcome, or both, and nothing else."""
    starts, ends = [0, *(found.end() for found in numbers)], [*(found.start() for found in numbers), None]
    around = " ".join(text[start:end] for start, end in zip(starts, ends, strict=True))
    words = _WORD.findall(around.lower())
    if len(words) > 8 or any(not (c.isalpha() or c in _HARMLESS) for c in around):
        return None
    said = " ".join(words)
    if score is not None and _FILLERS.fullmatch(said):
        return None, score
    outcome = _OUTCOMES.get(_OUTCOME_LABEL.sub("", said).removesuffix(" score"))
    return (outcome, score) if outcome else None


def _labelled(text: str) -> set[float | None]:
    """The different scores that stand behind a label."""
    values: set[float | None] = set()
    sentence = 0
    ends = _SENTENCE_END.finditer(text)
    end = next(ends, None)
    for found in _LABELLED.finditer(text):
        while end is not None and end.start() < found.start():
            sentence, end = end.end(), next(ends, None)
        firmly = found["link"] in (":", "=")
        if not firmly:
            if found["label"].lower() not in ("score", "rating"):
                continue
            if not found["link"] and text[sentence : found.start()].strip():
                continue
            if _DOUBT.search(text, sentence, found.start()):
                continue
        values.add(_value(found))
    return values


def _leads(text: str, number: re.Match[str]) -> bool:
    """Whether a reply begins with a score and then goes on: `0.8 - the text says so`."""
    if text[: number.start()].strip() or not _BREAK.match(text, number.end()):
        return False
    return bool(number["of"]) or any(mark in number["number"] for mark in ".,")


def _read_grade(text: str) -> Plain | None:
    graded = _GRADE.fullmatch(text.strip())
    if graded is None:
        return None
    outcome, score = _GRADES[graded[1]]
    words = " ".join(_words(graded[2] or "")).removesuffix(" by the sources")
    return (outcome, score) if not words or words.startswith(_GRADE_WORDS[outcome]) else None
