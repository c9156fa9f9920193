"""Runs the table of forms over a text: every candidate marker, overlaps and all.

To add a way of writing citations, add a `Form` to its family's table, or a file with tables of its own to
`FAMILIES`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.citations.formats import (
    author_year,
    json_path,
    number,
    round_brackets,
    span,
    web,
)
from pincite.citations.formats.form import Context, Form, Found, in_brackets

FAMILIES = (number, web, json_path, author_year, span, round_brackets)
"""In this order they are tried; of two that find the same text, the first wins."""

_TABLE: tuple[Form, ...] = (
    web.NAMED_LINK,  # a defined name wins over whatever else the bracket could be
    span.EXCERPT,  # an excerpt may hold anything, so it is read before the brackets
    in_brackets(form for family in FAMILIES for form in family.BRACKETS),
    *(form for family in FAMILIES for form in family.FORMS),
)
# A scan starts with the shortest list that can find anything in the text at hand.
_ALL = tuple((re.compile(form.pattern), form.read, form.cues[0], form) for form in _TABLE)
_WITHOUT_CONTEXT = tuple(row for row in _ALL if not row[3].needs)
_ASCII = tuple(row for row in _WITHOUT_CONTEXT if row[2].isascii())


def scan(context: Context) -> list[Found]:
    """Every candidate in the context's text, unordered."""
    text, found = context.text, context.found
    if context.has_path or context.knows or context.numbered or context.definitions:
        rows = tuple(row for row in _ALL if not row[3].needs or getattr(context, row[3].needs))
    else:
        rows = _ASCII if text.isascii() else _WITHOUT_CONTEXT
    for expression, read, cue, form in rows:
        if cue not in text and (len(form.cues) == 1 or not any(other in text for other in form.cues)):
            continue
        for match in _skipping(expression, cue, text) if form.begins else expression.finditer(text):
            candidate = read(match, context)
            if candidate is not None:
                found.append(candidate)
    if context.uncertain:
        found += author_year.known_works(context)
    return found


def _skipping(expression: re.Pattern[str], literal: str, text: str) -> Iterator[re.Match[str]]:
    """What `finditer` gives for an expression that begins with the literal: `str.find` skips to it faster."""
    at = text.find(literal)
    while at >= 0:
        match = expression.match(text, at)
        if match is None:
            at += 1
        else:
            yield match
            at = match.end()
        at = text.find(literal, at)
