"""Square brackets whose inside takes a closer look: a JSON path, a work, or a place in a document."""

from __future__ import annotations

import re

from pincite.citations.formats import span, works
from pincite.citations.formats.form import PLAIN, Context, Form, Found, is_indexing
from pincite.records import Citation, Malformed, PathTarget
from pincite.text import DOCUMENT_ENDINGS

_INDEX = r"\[(?:\d{1,9}+|'[^'\n\]]{0,200}+'|\"[^\"\n\]]{0,200}+\")\]"
_PATH = re.compile(rf"(?:\$\.?)?+[^\W\d][\w$-]*+(?:\.[\w$-]++|{_INDEX})*+")
_STEP = re.compile(r"\.?([\w$-]++)|\[(?:(\d++)|'([^']*+)'|\"([^\"]*+)\")\]")
_PLAIN_KEY = re.compile(r"[^\W\d][\w$-]*+$")
_YEAR_OF_WORK = re.compile(r"\D{1,200}+\d{4}[a-z]?(?:[,;:/ ]|$)")
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


def _read_path(match: re.Match[str], content: str, context: Context) -> Citation | None:
    """A path has a dot or an index and is not a file name, version or abbreviation, unless it resolves."""
    return _read(match, content, canonical_path(content), context) if _PATH.fullmatch(content) else None


def _read(match: re.Match[str], content: str, key: str, context: Context) -> Citation | None:
    text, (start, end) = context.text, match.span()
    if start and (text[start - 1].isalnum() or text[start - 1] in "_$") and is_indexing(text, start, end):
        return None
    # The name of a source, such as `notes.log1`, may look like a path too.
    sources = context.sources
    doubtful = not _looks_like_path(content) or (sources is not None and sources.bears(content))
    if doubtful and (sources is None or not sources.has_path(key)):
        return None
    return Citation("json_path", match[0], start, end, (PathTarget(content, key),), "[{0.path}]")


def _looks_like_path(content: str) -> bool:
    if "[" in content:
        return True
    if "." not in content:
        return False
    lowered = content.lower()
    last = lowered.rpartition(".")[2]
    if last in DOCUMENT_ENDINGS or last in _DOMAINS or lowered in _ABBREVIATIONS or _VERSION.match(content):
        return False
    return not (last[0].isdecimal() and lowered.count(".") == 1)


def _read_word(match: re.Match[str], context: Context) -> Citation | None:
    """`[premium]` counts only if it resolves, and `- [x]` is a box that was ticked."""
    word, start = match[1], match.start()
    if word in "xX" and _BULLET_BEFORE.search(context.text, max(0, start - 8), start):
        return None
    assert context.sources is not None
    return _read_path(match, word, context) if context.sources.has_path(word) else None


def _read_names(match: re.Match[str], context: Context) -> Found | None:
    """`[quote.premium]`, or `[report.pdf]`."""
    content = match["names"]
    return _read(match, content, content, context) or _span_or_path(match, content, context)


def _read_dated(match: re.Match[str], context: Context) -> Found | None:
    """`[Smith et al., 2020]`, or a name that happens to hold a year."""
    content = match["dated"]
    work = works.read_in_brackets(match, content) if _YEAR_OF_WORK.match(content) else None
    if work is not None:
        return work
    if (":" in content or "." in content) and content[0] != '"':  # quoted names have a form of their own
        return _span_or_path(match, content, context)
    return None


def _span_or_path(match: re.Match[str], content: str, context: Context) -> Found | None:
    text, (start, end) = context.text, match.span()
    if "|" in content and "xcerpt:" in content:
        return None if start in context.taken else _unread_excerpt(text, start, end, content)
    if content.endswith("n.d."):
        return works.read_in_brackets(match, content)
    named = content.rpartition(".")[2].lower() in DOCUMENT_ENDINGS
    if named or ":" in content or " " in content or "#" in content:
        sources = context.sources
        if ":" in content or sources is None or not sources.has_path(canonical_path(content)):
            return span.read_bracket(text, start, end, content)
    return _read_path(match, content, context)


def _unread_excerpt(text: str, start: int, end: int, content: str) -> Malformed | None:
    """A marker whose excerpt could not be read."""
    head = content.partition("|")[0].rstrip()
    if not isinstance(span.read_bracket(text, start, end, head), Citation):
        return None
    return Malformed(text[start:end], start, end, 'the excerpt is not of the form | excerpt: "…"')


BRACKETS = (
    Form(r"(?P<names>[A-Za-z_]\w{0,100}+(?:\.[A-Za-z_]\w{0,100}+){1,50}+)\](?!\()", _read_names, turn=PLAIN),
    Form(r"(?P<dated>[^\[\]\n\d\\]{2,200}+(?:1[5-9]|20)\d\d(?!\d)[^\[\]\n]{0,300}+)\]", _read_dated),
    Form(
        r"(?P<other>[^\s\[\]\"](?:[^\[\]\n.:\\]{0,300}+)(?:[.:]|\\[^\n])(?:[^\[\]\n\\]++|\\[^\n])*+)\]",
        lambda match, context: _span_or_path(match, match["other"], context),
    ),
    Form(
        rf"(?P<indexed>(?:\$\.?)?+[^\W\d][\w$.-]{{0,200}}+(?:{_INDEX}(?:\.[\w$-]{{1,200}}+)*+)++)\]",
        lambda match, context: _read_path(match, match["indexed"], context),
    ),
)
FORMS = (Form(r"\[(?<!\\\[)([^\W\d][\w$-]{0,100}+)\](?![(:])", _read_word, ("[",), needs="sources"),)
