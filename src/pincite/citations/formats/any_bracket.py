"""Square brackets whose inside takes a closer look: a work, a place in a document, or a JSON path."""

from __future__ import annotations

import re

from pincite.citations.formats import author_year, json_path, span
from pincite.citations.formats.form import PLAIN, Context, Form, Found
from pincite.records import Citation, Malformed
from pincite.text.file_endings import DOCUMENT_ENDINGS

_YEAR_OF_WORK = re.compile(r"\D{1,200}+\d{4}[a-z]?(?:[,;:/ ]|$)")


def _read_names(match: re.Match[str], context: Context) -> Found | None:
    """`[quote.premium]`, or `[report.pdf]`."""
    content = match["names"]
    return json_path.read_names(match, content, context) or _span_or_path(match, content, context)


def _read_dated(match: re.Match[str], context: Context) -> Found | None:
    """`[Smith et al., 2020]`, or a name that happens to hold a year."""
    content = match["dated"]
    work = author_year.read_in_brackets(match, content) if _YEAR_OF_WORK.match(content) else None
    if work is not None:
        return work
    if (":" in content or "." in content) and content[0] != '"':  # quoted names have a form of their own
        return _span_or_path(match, content, context)
    return None


def _read_other(match: re.Match[str], context: Context) -> Found | None:
    return _span_or_path(match, match["other"], context)


def _span_or_path(match: re.Match[str], content: str, context: Context) -> Found | None:
    text, (start, end) = context.text, match.span()
    if "|" in content and "xcerpt:" in content:
        return None if start in context.taken else _unread_excerpt(text, start, end, content)
    if content.endswith("n.d."):
        return author_year.read_in_brackets(match, content)
    if (
        ":" in content
        or " " in content
        or "#" in content
        or content.rpartition(".")[2].lower() in DOCUMENT_ENDINGS
    ):
        has_path = context.has_path
        if ":" in content or has_path is None or not has_path(json_path.canonical_path(content)):
            return span.read_bracket(text, start, end, content)
    return json_path.read_path(match, content, context)


def _unread_excerpt(text: str, start: int, end: int, content: str) -> Malformed | None:
    """A marker whose excerpt could not be read."""
    head = content.partition("|")[0].rstrip()
    if not isinstance(span.read_bracket(text, start, end, head), Citation):
        return None
    return Malformed(text[start:end], start, end, 'the excerpt is not of the form | excerpt: "…"')


BRACKETS = (
    Form(r"(?P<names>[A-Za-z_]\w{0,100}+(?:\.[A-Za-z_]\w{0,100}+){1,50}+)\](?!\()", _read_names, turn=PLAIN),
    Form(
        r"(?P<dated>[^\[\]\n\d\\]{2,200}+(?:1[5-9]|20)\d\d(?!\d)[^\[\]\n]{0,300}+)\]",
        _read_dated,
    ),
    Form(
        r"(?P<other>[^\s\[\]\"](?:[^\[\]\n.:\\]{0,300}+)(?:[.:]|\\[^\n])(?:[^\[\]\n\\]++|\\[^\n])*+)\]",
        _read_other,
    ),
)
FORMS = ()
