"""The ways of writing citations: a file for each family, and the table of all their forms.

`scan` runs the table over a text: every candidate marker, overlaps and all. To add a way of writing
citations, add a `Form` to its family's table, or a file with tables of its own to `FAMILIES`.
"""

from __future__ import annotations

import re

from pincite.citations.formats import author_year, json_path, number, round_brackets, span, web
from pincite.citations.formats.form import Context, Form, Found, in_brackets

FAMILIES = (number, web, json_path, author_year, span, round_brackets)
"""In this order they are tried; of two that find the same text, the first wins."""

_TABLE: tuple[Form, ...] = (
    web.NAMED_LINK,  # a defined name wins over whatever else the bracket could be
    span.EXCERPT,  # an excerpt may hold anything, so it is read before the brackets
    in_brackets(form for family in FAMILIES for form in family.BRACKETS),
    *(form for family in FAMILIES for form in family.FORMS),
)
_EXPRESSIONS = tuple(re.compile(form.pattern) for form in _TABLE)


def scan(context: Context) -> list[Found]:
    """Every candidate in the context's text, unordered."""
    text, found = context.text, context.found
    for form, expression in zip(_TABLE, _EXPRESSIONS, strict=True):
        if form.needs and not getattr(context, form.needs):
            continue
        for cue in form.cues:
            if cue in text:
                found += filter(None, [form.read(match, context) for match in expression.finditer(text)])
                break
    if context.uncertain:
        found += author_year.known_works(context)
    return found
