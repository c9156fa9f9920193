"""Authors outside the brackets: `Smith and Jones (2020, p. 5)`, and the titles that only look like them."""

from __future__ import annotations

import re

from pincite.citations.formats.cues import SMALL, is_author_before_year, is_work_of_art, reports
from pincite.citations.formats.form import Context
from pincite.citations.formats.shared import double_braces
from pincite.citations.formats.works import (
    Author,
    add_years,
    begins_like_a_name,
    is_author,
    is_no_author,
    read_authors,
)
from pincite.records import Citation, WorkTarget

_NO_NAME = re.compile(r"[\n()\[\]*\"“”;:!?|#]")
# What may open a sentence before a name, beside the words that `is_no_author` knows.
_OPENERS = frozenset(
    ("Following", "Per", "Unlike", "Contra", "Compare", "Like", "With", "To", "Consider", "Contrary")
)
_AND = frozenset(("and", "&", "und", "et", "y"))
_AND_OTHERS = frozenset(
    (("et", "al."), ("et", "al"), ("and", "colleagues"), ("and", "others"), ("and", "coworkers"))
)
_CONNECTING = frozenset(("and", "&", "und", "et", "y", "of", "for", "the", "on"))


def read_narrative(found: re.Match[str], context: Context) -> Citation | None:
    """The citation whose years `found` has in brackets.

    Where nothing tells the name from a title it goes to the context's uncertain ones. In an entry of a
    reference list authors stand and hardly anything else.
    """
    text, in_entry = context.text, context.in_entry
    bracket = found.start()
    if bracket < 3 or text[bracket - 1] != " ":
        return None
    read = _read_names(text, found, in_entry)
    if read is None:
        return None
    citation, certain = read
    if certain:
        return citation
    context.uncertain.append(citation)
    return None


def _read_names(text: str, found: re.Match[str], in_entry: bool) -> tuple[Citation, bool] | None:
    """The names before the bracket, and whether they are certain to be authors."""
    bracket, end = found.span()
    before = text[max(0, bracket - 160) : bracket - 1]
    before = _NO_NAME.split(before)[-1]
    names = _names_before(before)
    if names is None:
        return None
    authors, offset = names
    start = bracket - 1 - len(before) + offset
    written = before[offset:]
    targets: list[WorkTarget] = []
    form: list[str] = []
    at = 0
    for index, author in enumerate(authors):
        form.append(double_braces(written[at : author.start]) + f"{{0.authors.{index}}}")
        at = author.start + len(author.name)
    form.append(double_braces(written[at:]) + " (")
    add_years(found[1], tuple(author.name for author in authors), found[2] or "", targets, form)
    form.append(")")
    citation = Citation("author_year", text[start:end], start, end, tuple(targets), "".join(form))
    if len(authors) > 1 or "et al" in written or " and " in written:
        reporting = "et al" in written or reports(text, end)
        return citation, reporting or not is_work_of_art(text, start, end)
    return citation, is_author_before_year(authors[0].name, text, start, found, in_entry)


def _names_before(before: str) -> tuple[list[Author], int] | None:
    """The authors at the end of `before`, and where they begin in it."""
    words = before.split(" ")
    own = 0
    for mark in ("'s", "’s", "'", "’"):
        if words[-1].endswith(mark):
            own = len(mark)
            words[-1] = words[-1][:-own]
            break
    if not words[-1]:
        return None
    taken = _take_names(words)
    if not taken:
        return None
    written = " ".join(words[-taken:])
    offset = len(before) - own - len(written)
    authors = read_authors(written)
    if authors is None or not all(is_author(author.name, False) for author in authors):
        return None
    return authors, offset


def _take_names(words: list[str]) -> int:
    """How many words at the end are names and what joins them."""
    at = len(words)
    if at >= 2 and (words[-2], words[-1]) in _AND_OTHERS:
        at -= 2
    joined = False
    while at and len(words) - at < 14:
        word = words[at - 1]
        if word in _AND:
            if joined or at == len(words):
                break
            joined = True
        elif word not in SMALL and not _may_be_name(words, at):
            break
        at -= 1
    # `In Smith (2020)`: what opens the sentence is no part of the name, unless `March and Simon` say so.
    while at < len(words) and (
        words[at] in _CONNECTING
        or ((is_no_author(words[at]) or words[at] in _OPENERS) and words[at + 1 : at + 2] != ["and"])
    ):
        at += 1
    return len(words) - at


def _may_be_name(words: list[str], at: int) -> bool:
    """Whether the word before `at` can be part of an author's name."""
    word = words[at - 1]
    if not word or not begins_like_a_name(word):
        return False
    if word.endswith("."):
        return len(word) <= 3 or at == len(words)  # an initial; a longer one ends the sentence before
    # A comma goes on a list of authors only if `and`, `&` or `et al.` still follows.
    return not word.endswith(",") or any(later in _AND for later in words[at:])
