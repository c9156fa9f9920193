"""The headings under which answers list their sources."""

from __future__ import annotations

import re

from pincite.text.wordlists import LISTS

HEADINGS = frozenset(LISTS.items("reference headings", ","))
WEAK_HEADINGS = frozenset(LISTS.items("weak reference headings", ","))
"""Under these every entry must look like one."""

_ANY_HEADING = "|".join(map(re.escape, sorted(HEADINGS | WEAK_HEADINGS)))
_FIRST_LETTERS = "".join(sorted({heading[0] for heading in HEADINGS | WEAK_HEADINGS}))
_LISTING_LINE = re.compile(
    rf"\n(?:[^\w\n]{{0,8}}+(?:\d{{1,2}}[.)]?[ ])?(?i:(?=[{_FIRST_LETTERS}])(?:{_ANY_HEADING}))"
    r"|[> ]{0,6}+\|[ *]{0,4}+(?:[Nn][or]|[Nn]um|I[Dd]|id|[Ii]ndex|[Mm]arker|[#№])"
    r"|[> ]{0,6}+(?:\[(?:\^|[^\]\n]{1,99}+\]:|\d{1,4}+\][ ])|[¹²³⁴-⁹【]))"
)
"""A search for it stops only at the starts of lines."""
_NUMBERING = re.compile(r"\d{1,2}[.)]?[ \t]+")


def may_have_references(text: str) -> bool:
    """False only when no reference list and no definition can stand in the text. Runs at C speed."""
    return _LISTING_LINE.search(text) is not None or _LISTING_LINE.match("\n" + text[:200]) is not None


def heading_words(text: str) -> str:
    """What a heading says: no marks, no colon, no numbering, small letters."""
    words = text.strip(" \t#*_=:：.-–—").casefold()
    numbering = _NUMBERING.match(words)
    return words[numbering.end() :].strip() if numbering else words


def opens_reference_line(line: str) -> bool:
    """Whether a line begins with such a heading and a colon: `Sources: …` inside a paragraph."""
    colon = line.find(":", 0, 34)
    if colon < 0:
        colon = line.find("：", 0, 34)
    if colon < 0:
        return False
    words = heading_words(line[:colon])
    return words in HEADINGS or words in WEAK_HEADINGS
