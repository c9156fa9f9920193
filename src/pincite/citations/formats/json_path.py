"""JSON paths: `[quote.premium]`, `[items[0].name]`, `[a['k']]`."""

from __future__ import annotations

import re

from pincite.citations.formats.form import Context, Form
from pincite.citations.formats.shared import is_indexing
from pincite.records import Citation, PathTarget
from pincite.text.file_endings import DOCUMENT_ENDINGS

_INDEX = r"\[(?:\d{1,9}+|'[^'\n\]]{0,200}+'|\"[^\"\n\]]{0,200}+\")\]"
_PATH = re.compile(rf"(?:\$\.?)?+[^\W\d][\w$-]*+(?:\.[\w$-]++|{_INDEX})*+")
_STEP = re.compile(r"\.?([\w$-]++)|\[(?:(\d++)|'([^']*+)'|\"([^\"]*+)\")\]")
_PLAIN_KEY = re.compile(r"[^\W\d][\w$-]*+$")
_BULLET_BEFORE = re.compile(r"[-*+•.)][ \t]{1,4}$")
_DOMAINS = frozenset(("com", "org", "net", "edu", "gov", "io", "ai", "co", "uk", "de", "fr", "eu"))
_ABBREVIATIONS = frozenset(("e.g", "i.e", "a.m", "p.m", "u.s", "u.k", "ph.d", "et.al", "vs", "n.b", "q.v"))
_VERSION = re.compile(
    r"(?:v|ver|version|fig|figure|sec|section|no|nr|eq|ch|vol|p|pp|table|step|item)\.?\d[\d.]*+\w?$", re.I
)


def canonical_path(path: str) -> str:
    """`items[0].name` for `items.0['name']`: one spelling for one place."""
    if path.startswith("$"):
        path = path[1:].lstrip(".")
    steps: list[str] = []
    for name, index, single, double in _STEP.findall(path):
        if index or (name.isdecimal() and steps):
            steps.append(f"[{int(index or name)}]")
            continue
        key = name or single or double
        if _PLAIN_KEY.match(key):
            steps.append(f".{key}" if steps else key)
        else:
            quoted = key.replace("\\", "\\\\").replace("'", "\\'")
            steps.append(f"['{quoted}']")
    return "".join(steps)


def read_names(match: re.Match[str], content: str, context: Context) -> Citation | None:
    """Names joined by dots, which are their own canonical spelling."""
    return _read(match, content, content, context)


def read_path(match: re.Match[str], content: str, context: Context) -> Citation | None:
    """A path has a dot or an index and is no file name, version or abbreviation, unless it resolves."""
    return _read(match, content, canonical_path(content), context) if _PATH.fullmatch(content) else None


def _read(match: re.Match[str], content: str, key: str, context: Context) -> Citation | None:
    text, (start, end) = context.text, match.span()
    if start and (text[start - 1].isalnum() or text[start - 1] in "_$") and is_indexing(text, start, end):
        return None
    if not _looks_like_path(content) and not (context.has_path is not None and context.has_path(key)):
        return None
    return Citation("json_path", match[0], start, end, (PathTarget(content, key),), "[{0.path}]")


def _looks_like_path(content: str) -> bool:
    if "[" in content:
        return True
    if "." not in content:
        return False
    lowered = content.lower()
    last = lowered.rpartition(".")[2]
    if last in DOCUMENT_ENDINGS or last in _DOMAINS or lowered in _ABBREVIATIONS:
        return False
    if _VERSION.match(content):
        return False
    return not (last[0].isdecimal() and lowered.count(".") == 1)


def _read_indexed(match: re.Match[str], context: Context) -> Citation | None:
    return read_path(match, match["indexed"], context)


def _read_word(match: re.Match[str], context: Context) -> Citation | None:
    """`[premium]` counts only if it resolves, and `- [x]` is a box that was ticked."""
    word, start = match[1], match.start()
    if word in "xX" and _BULLET_BEFORE.search(context.text, max(0, start - 8), start):
        return None
    assert context.has_path is not None
    return read_path(match, word, context) if context.has_path(word) else None


BRACKETS = (
    Form(
        rf"(?P<indexed>(?:\$\.?)?+[^\W\d][\w$.-]{{0,200}}+(?:{_INDEX}(?:\.[\w$-]{{1,200}}+)*+)++)\]",
        _read_indexed,
    ),
)
FORMS = (Form(r"\[(?<!\\\[)([^\W\d][\w$-]{0,100}+)\](?![(:])", _read_word, ("[",), needs="has_path"),)
