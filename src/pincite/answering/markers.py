"""Takes out of a drafted sentence everything that looks like a citation: only Pincite places markers.

What a parser of citations would find is removed, and what a reader would take for one although no parser
does. A name that is part of the sentence itself (`Smith (2020) found …`, `According to report.md, …`) cannot
be removed without breaking the sentence: it is allowed where a cited passage says it too, and reported
otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from msgspec import Struct

from pincite.citations import parse
from pincite.records import Citation, Parsed

MOST_ROUNDS = 8
"""Taking one marker out may make another of what was around it: `[[7]7]`. After this, brackets go too."""

_OPEN, _CLOSE = r"\[\{［｛【〔〖⟦", r"\]\}］｝】〕〗⟧"
_NUMBER_LIST = r"\^?\s{0,2}\d{1,9}(?:\s{0,2}(?:[,;:.–—†-]|\.\.)\s{0,2}\d{1,9}){0,50}\s{0,2}"
_LOOKS_LIKE_ONE = re.compile(
    rf"[{_OPEN}]{_NUMBER_LIST}[{_CLOSE}]"
    r"|\\?\[\s{0,2}\d{1,9}\s{0,2}\\?\]"
    r"|&#(?:91|x5b);\s{0,2}\d{1,9}\s{0,2}&#(?:93|x5d);"
    r"|<sup>\s{0,2}[\[(]?\d{1,9}[\])]?\s{0,2}</sup>"
    r"|\\(?:cite|citep|citet|footnote|footcite|parencite|textcite)\*?(?:\[[^\]\n]{0,80}\]){0,2}\{[^}\n]{0,200}\}"
    r"|⁽[⁰¹²³⁴-⁹]{1,6}⁾"
    r"|(?<=[^\W\d_]{2})\^\d{1,6}\b"
    r"|[(\[](?:sources?|documents?|docs?|refs?|references?|passages?|citations?)[ :#.]{0,3}\d{1,6}[)\]]"
    r"|\[citation needed\]",
    re.IGNORECASE,
)
_BRACKETS = re.compile(rf"[{_OPEN}{_CLOSE}]|[⁰¹²³⁴-⁹]|\^(?=\d)|<|>|`")
_LINK = re.compile(r"\[([^\[\]\n]{0,300})\]\([^()\n]{0,500}\)")
_SPACE_BEFORE_MARK = re.compile(r"(?<![ \t])[ \t]++(?=[.,;:!?…。，；：！？)\]])")
_SPACES = re.compile(r"\s{2,}|[\t\r\n\v\f\x1c-\x1f\x85\u2028\u2029]")
_EMPTY_BRACKETS = re.compile(r"\(\s{0,3}\)|\[\s{0,3}\]")
_OPENING = tuple("[({【［〔⟦")
_JOINERS = "\u200c\u200d\u200e\u200f"
"""Invisible, and yet part of a word, an emoji or the direction of a script."""


class Cleaned(Struct, frozen=True):
    """A sentence without markers, what was taken out of it, and the names in it that nobody may cite."""

    text: str
    removed: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()


def clean_sentence(text: str, sources: Collection[str] = ()) -> Cleaned:
    """The sentence on one line, without anything that is or looks like a citation.

    `sources` are the texts (and names) that it cites: a work or a file that they name, it may name too.
    """
    text = _one_line(text)
    removed: list[str] = []
    for _ in range(MOST_ROUNDS):
        parsed = parse(text)
        text, taken = _round(text, parsed, sources)
        if not taken:
            return Cleaned(text, tuple(removed), _named(parsed, sources))
        removed += taken
    text = _one_line(_BRACKETS.sub("", text))
    parsed = parse(text)
    left = any(_stands_apart(found) for found in parsed.citations)  # nothing sane does that
    return Cleaned("" if left else text, tuple(removed), _named(parsed, sources))


def placed_markers(text: str) -> set[tuple[int, int]]:
    """Where a parser finds markers in a composed text; addresses that a source itself gives are none."""
    parsed = parse(text)
    found = {(one.start, one.end) for one in parsed.citations if _stands_apart(one) and one.family != "web"}
    return found | {(one.start, one.end) for one in parsed.malformed}


def _round(text: str, parsed: Parsed, sources: Collection[str]) -> tuple[str, list[str]]:
    """The text with what could be found in one pass taken out."""
    spans: list[tuple[int, int, str]] = []
    for citation in parsed.citations:
        if citation.family == "web" and (link := _LINK.fullmatch(citation.text)):
            spans.append((citation.start, citation.end, link[1]))
        elif _stands_apart(citation) and not _said(citation, sources):
            spans.append((citation.start, citation.end, ""))
    spans += [(bad.start, bad.end, "") for bad in parsed.malformed]
    spans += [(found.start(), found.end(), "") for found in _LOOKS_LIKE_ONE.finditer(text)]
    spans.sort()
    pieces, taken, position = [], [], 0
    for start, end, instead in spans:
        if start < position:
            continue
        pieces += [text[position:start], instead]
        taken.append(text[start:end])
        position = end
    pieces.append(text[position:])
    if not taken:
        return text, []
    return _one_line(_SPACE_BEFORE_MARK.sub("", _EMPTY_BRACKETS.sub("", "".join(pieces)))), taken


def _stands_apart(citation: Citation) -> bool:
    """Whether a citation is a marker beside the sentence, and not a name that is a part of it."""
    if citation.family in ("span", "author_year"):
        return citation.text.startswith(_OPENING)
    return True


def _said(citation: Citation, sources: Collection[str]) -> bool:
    """Whether an address is one that a cited source gives itself."""
    return citation.family == "web" and any(citation.text in source for source in sources)


def _named(parsed: Parsed, sources: Collection[str]) -> tuple[str, ...]:
    """Works and files that the sentence names and no cited source does."""
    return tuple(
        citation.text
        for citation in parsed.citations
        if not _stands_apart(citation) and not any(citation.text in source for source in sources)
    )


def _one_line(text: str) -> str:
    """One line, without halves of characters, which no file can hold, and without control characters."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    shown = "".join(c for c in text if c.isprintable() or c.isspace() or c in _JOINERS)
    return _SPACES.sub(" ", shown).strip()
