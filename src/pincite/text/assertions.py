"""What a sentence of an answer does: assert something, or ask, greet, refuse, introduce, point elsewhere.

Only English phrases are known (`word_lists.txt`); questions, labels and lead-ins are known in any language.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from pincite.text.terms import UNSPACED
from pincite.text.wordlists import LISTS

Role = Literal["claim", "question", "courtesy", "refusal", "pointer", "label", "empty"]
"""`courtesy` is small talk, `refusal` also what is said about the sources, `pointer` is `See [1]`."""

_CLOSERS = ")]}*_ \t"
_PAIRS = {"“": "”", '"': '"', "«": "»", "‘": "’", "'": "'", "„": "“"}
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")

_UNSPACED = re.compile(f"[{UNSPACED}]")
"""Letters of scripts that put no space between words, so that words cannot be counted."""

_SHORT_LABEL = 4
_SHORT_ITEM = 2
_SHORT_POINTER = 5


@cache
def _phrase(name: str) -> re.Pattern[str]:
    """Any phrase of that section. Compiled when needed: all of them would take a tenth of a first check."""
    return re.compile(LISTS.any_of(name), re.IGNORECASE)


def role_of(sentence: str, cited: bool = False, item: bool = False) -> Role:
    """What a sentence does, given as `text.plain` leaves it. `item` says that it is a whole list item.

    A sentence with a marker (`cited`) is a claim, unless it surely asserts nothing or says what is missing
    from the sources, which no passage can show.
    """
    bare = sentence.strip(_CLOSERS)
    words = _WORD.findall(bare[:2000])
    if not words:
        return "empty"
    if _ends_as_question(bare):
        return "question"
    opening = bare[:600].replace("’", "'")
    label = _phrase("source label").match(opening) or (not cited and _phrase("notice label").match(opening))
    if label and not (cited and _phrase("finite verb").search(opening, label.end())):
        return "pointer"
    if _phrase("courtesy").match(opening):
        return "courtesy"
    proper = _without_prefix(opening)
    if not _WORD.search(proper):
        return "courtesy"
    refusal = _phrase("absence" if cited else "refusal")
    small_talk = _phrase("small talk" if cited else "courtesy start")
    if refusal.match(proper) or refusal.match(opening):
        return "refusal"
    is_courtesy = small_talk.match(proper) or _phrase("courtesy").match(proper)
    # `Here are the facts: revenue rose by 5%.` asserts after all.
    after_colon = bare.partition(": ")[2]
    asserts = len(_WORD.findall(after_colon[:400])) >= 3 or (cited and _has_digit(bare))
    if is_courtesy and not asserts:
        return "courtesy"
    if cited:
        proper = proper.lstrip("([")
        prefix = _phrase("pointer prefix").match(proper)
        points = _phrase("cited pointer").match(proper, prefix.end() if prefix else 0)
        return "pointer" if points else "claim"
    if _is_pointer(proper, len(words)) or _phrase("action").match(proper):
        return "pointer"
    return "label" if _is_label(bare, words, item) else "claim"


def introduces(sentence: str) -> bool:
    """True when the sentence ends with a colon, and so leads on to what follows."""
    return sentence.rstrip(_CLOSERS).endswith((":", "："))


def _ends_as_question(bare: str) -> bool:
    """A question mark at the end; one inside a quotation at the end does not make the sentence a question."""
    if bare.endswith(("?", "？", "؟")):
        return True
    opening, closing = bare[0], bare[-1]
    return closing == _PAIRS.get(opening) and bare[-2:-1] in ("?", "？") and bare.count(opening) <= 2


def _without_prefix(opening: str) -> str:
    """The sentence proper, without `Sorry, but` or `Based on the provided sources,`."""
    for _ in range(4):
        prefix = _phrase("prefix").match(opening)
        if not prefix:
            break
        opening = opening[prefix.end() :]
    return opening


def _is_pointer(proper: str, length: int) -> bool:
    prefix = _phrase("pointer prefix").match(proper)
    verb = _phrase("pointer").match(proper, prefix.end() if prefix else 0)
    if not verb:
        return False
    if _phrase("pointed at").match(proper, verb.end()):
        return True
    return length <= _SHORT_POINTER and not _phrase("finite verb").search(proper, verb.end())


def _has_digit(bare: str) -> bool:
    return any(character.isdigit() for character in bare[:200])


def _is_label(bare: str, words: list[str], item: bool) -> bool:
    """`Summary`, `Key points`: a few words, no figure, nothing said about them."""
    if _has_digit(bare) or len(_UNSPACED.findall(bare[:200])) > 5:
        return False
    _, colon, rest = bare.partition(":")
    if colon and rest.strip():
        return not _WORD.search(rest[:200])
    if bare.endswith((".", "!", "。", "！")) and not item:
        return len(words) == 1
    return len(words) <= (_SHORT_ITEM if item else _SHORT_LABEL) and not _phrase("finite verb").search(bare)
