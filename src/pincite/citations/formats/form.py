"""A form is one way of writing a citation: the expression that finds it, and what a match of it means.

Each family lists its forms. `FORMS` are searched for one by one. `BRACKETS` are alternatives for what follows
an opening square bracket: they are joined into one expression, so that a text is searched for all of them at
once. `pincite.citations.scan` runs the tables of all families.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from msgspec import Struct, field

from pincite.records import Citation, Malformed

Found = Citation | Malformed
HasPath = Callable[[str], bool]
"""Whether a canonical JSON path resolves in a source."""
KnowsName = Callable[[str], bool]
"""Whether a given source has that name or title."""

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
    has_path: HasPath | None = None
    knows: KnowsName | None = None
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
