"""JSON paths: `[quote.premium]`, `[items[0].name]`, `[a['k']]`."""

from __future__ import annotations

import re
from collections.abc import Callable

from pincite.citations.formats.shared import DOCUMENT_ENDINGS, is_indexing
from pincite.records import Citation, PathTarget

HasPath = Callable[[str], bool]

PATH = r"(?:\$\.?)?+[^\W\d][\w$-]*+(?:\.[\w$-]++|\[(?:\d{1,9}+|'[^'\n\]]{0,200}+'|\"[^\"\n\]]{0,200}+\")\])*+"
_PATH = re.compile(PATH)
_STEP = re.compile(r"\.?([\w$-]++)|\[(?:(\d++)|'([^']*+)'|\"([^\"]*+)\")\]")
_PLAIN_KEY = re.compile(r"[^\W\d][\w$-]*+$")
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


def read_plain(text: str, start: int, end: int, content: str, has_path: HasPath | None) -> Citation | None:
    """Names joined by dots, which are their own canonical spelling."""
    if start and (text[start - 1].isalnum() or text[start - 1] in "_$") and is_indexing(text, start, end):
        return None
    if not _looks_like_path(content) and not (has_path is not None and has_path(content)):
        return None
    return Citation("json_path", text[start:end], start, end, (PathTarget(content, content),), "[{0.path}]")


def read_path(text: str, start: int, end: int, content: str, has_path: HasPath | None) -> Citation | None:
    """A path has a dot or an index and is no file name, version or abbreviation, unless it resolves."""
    if not _PATH.fullmatch(content):
        return None
    if start and (text[start - 1].isalnum() or text[start - 1] in "_$") and is_indexing(text, start, end):
        return None
    key = canonical_path(content)
    if not (has_path is not None and has_path(key)) and not _looks_like_path(content):
        return None
    return Citation("json_path", text[start:end], start, end, (PathTarget(content, key),), "[{0.path}]")


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
