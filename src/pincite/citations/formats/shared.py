"""What several families of markers need."""

from __future__ import annotations

import re

from pincite.text import DOCUMENT_ENDINGS, WordLists

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
