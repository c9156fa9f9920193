"""A form is one way of writing a citation: the expression that finds it, and what a match of it means.

Each family lists its forms. `FORMS` are searched for one by one. `BRACKETS` are alternatives for what follows
an opening square bracket: they are joined into one expression, so that a text is searched for all of them at
once. The package's `scan` runs the tables of all families. What several
families need for telling markers from what looks like them stands below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from msgspec import Struct, field

from pincite.records import Citation, Malformed
from pincite.text import DOCUMENT_ENDINGS, WordLists

Found = Citation | Malformed


class KnownSources(Protocol):
    """The sources that an answer may cite, as far as reading its markers needs them. A `Library` is one."""

    def bears(self, name: str) -> bool:
        """Whether a source has that name or title."""

    def has_path(self, path: str) -> bool:
        """Whether a canonical JSON path leads to a value in a source."""


PLAIN, USUAL, ODD = 0, 1, 2
"""When an alternative in brackets is tried. Most markers are plain, and then nothing else is tried."""


class Context(Struct):
    """The text being scanned, what is known about it, and what was found so far."""

    text: str
    labels: frozenset[str] = frozenset()
    """Labels of the answer's own references."""
    numbered: frozenset[str] = frozenset()
    """Those labels that are numbers written in the text."""
    listed: frozenset[str] = frozenset()
    """Keys of the works in the answer's references."""
    definitions: dict[str, str] = {}
    """Names of links, and the addresses they are defined with."""
    sources: KnownSources | None = None
    in_entry: bool = False
    """Whether the text is an entry of a reference list."""
    found: list[Found] = field(default_factory=list)
    taken: set[int] = field(default_factory=set)
    """Where markers with an excerpt and the URLs of links begin: they are read already."""
    uncertain: list[Citation] = field(default_factory=list)
    """What is a citation only if its work is known from elsewhere."""
    notes: dict[str, int] = field(default_factory=dict)
    """What a form keeps from one match to the next, so that the whole scan stays linear."""


Read = Callable[[re.Match[str], Context], Found | None]


class Form(NamedTuple):
    """One way of writing a citation.

    Expressions must be linear in the text: begin with a literal, and bound every repeat. The groups of an
    alternative in brackets have names that no other alternative uses. `read` may refuse a match.
    """

    pattern: str
    read: Read
    cues: tuple[str, ...] = ()
    """The text is searched only if it holds one of these."""
    needs: str = ""
    """The field of the context without which the form has no meaning."""
    turn: int = USUAL
    """When it is tried, in brackets."""


def in_brackets(forms: Iterable[Form]) -> Form:
    """The alternatives as one form, which reads each match as the alternative that matched."""
    ordered = sorted(forms, key=lambda form: form.turn)
    # Each alternative is a group, which closes last: `lastindex` names it.
    pattern = r"\[(?<!\\\[)(?:" + "|".join(f"({form.pattern})" for form in ordered) + ")"
    readers: dict[int | None, Read] = {}
    index = 1
    for form in ordered:
        readers[index] = form.read
        index += 1 + re.compile(form.pattern).groups
    return Form(pattern, lambda match, context: readers[match.lastindex](match, context), ("[",))


# --- what several families need ---

ENDING = r"(?:" + "|".join(sorted(DOCUMENT_ENDINGS, key=len, reverse=True)) + r")"
NAME_END = re.compile(r"\w\." + ENDING + r"(?![\w/])", re.I)
"""Where a document's name ends inside a longer text."""
_HAS_ENDING = re.compile(r"[^\s.]\." + ENDING + r"$", re.I)

# Files that answers about software mention without citing them. Only with the ending that they have there:
# `SECURITY.md` is such a file, and `security.html` a document like any other.
_MENTIONED_FILES = re.compile(
    r"(?:(?:readme|licen[sc]e|changelog|contributing|code_of_conduct|security)\.(?:md|markdown|rst|txt)|"
    r"(?:package(?:-lock)?|tsconfig)\.json|pyproject\.toml|requirements\.txt|docker-compose\.ya?ml|"
    r"(?:setup|__init__)\.py|(?:index|main|app)\.(?:html?|js|ts|py|java)|"
    r"(?:config|settings)\.(?:json|ya?ml|toml|py|js|ts|xml))$",
    re.I,
)

LISTS = WordLists("pincite.citations")
_INDEXED_NAMES = frozenset(LISTS.words("indexed names"))
_BEFORE_VARIABLES = frozenset(LISTS.words("before variables")) | _INDEXED_NAMES
_PROSE_BEFORE = re.compile(r"(?<![\w.$])([^\W\d_]{4,40})[ ]$")
_TOKEN_BEFORE = re.compile(r"[\w$.]{1,60}$")
_INDEXING_AFTER = re.compile(
    r"(?:\[\d{1,9}+\]|\.[a-z_]\w{0,60}+){0,9}+"
    r"(?:[ ]?(?:[-+*/%|&]?=(?!=>)|\+\+|--)|\.[a-z_]\w{0,60}+[(\[.]|\()"
)


def has_ending(name: str) -> bool:
    """Whether a name ends as documents do: `report.pdf`."""
    return _HAS_ENDING.search(name) is not None


def double_braces(text: str) -> str:
    """The text as it must stand in a form, where single braces are slots."""
    return text.replace("{", "{{").replace("}", "}}") if "{" in text or "}" in text else text


def is_mentioned_file(name: str) -> bool:
    """README.md and its like, which an answer names but hardly cites by a bare bracket."""
    return _MENTIONED_FILES.match(name) is not None


def is_indexing(text: str, start: int, end: int) -> bool:
    """Whether the bracket at `[start, end)`, directly after a word or a bracket, indexes a variable."""
    if text[start - 1] == "]":
        if text[start - 3 : start - 2] == "[" and text[start - 2].islower():  # `rows[i][1]`
            return True
        start = _first_bracket(text, start)
        if not (text[start - 1].isalnum() or text[start - 1] in "_$"):
            return False
    token = _TOKEN_BEFORE.search(text, max(0, start - 60), start)
    if token is None:
        return False
    word = token[0].rpartition(".")[2] or token[0]
    inner = word[1:]
    return (
        (len(word) == 1 and word.isascii() and not word.isdecimal() and not _is_named_letter(text, token))
        or word.lower() in _INDEXED_NAMES
        or "_" in word
        or "$" in word
        or (inner != inner.lower() and not word.isupper() and word[0].islower())
        or ("." in token[0].strip(".") and not token[0][0].isdecimal() and word[0].islower())
        or _INDEXING_AFTER.match(text, end) is not None
    )


def _first_bracket(text: str, start: int) -> int:
    """Where the first of the brackets begins that stand directly before `start`, a few at most."""
    for _ in range(4):
        opening = text.rfind("[", max(0, start - 60), start) if text[start - 1] == "]" else -1
        if opening < 1 or text.find("]", opening, start - 1) >= 0:
            break
        start = opening
    return start


def _is_named_letter(text: str, token: re.Match[str]) -> bool:
    """`Vitamin C`, `Plan B`: a capital after a word of prose is part of a name."""
    if not token[0].isupper():
        return False
    before = _PROSE_BEFORE.search(text, max(0, token.start() - 42), token.start())
    return before is not None and before[1].lower() not in _BEFORE_VARIABLES
