"""Links by reference: `[the page][name]`, `[name][]` and `[name]`, where `[name]: https://…` is defined."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pincite.citations.formats.shared import double_braces
from pincite.citations.formats.web import link_target
from pincite.records import Citation, Reference

_LINK = re.compile(r"\[(?<!\\\[)(?<!!\[)([^\[\]\n]{1,600}+)\](?:(\[([^\[\]\n]{0,99}+)\])(?!\()|(?![\[(:]))")
_DEFINED = re.compile(r"<([^<>\s]{1,2000}+)>|([^\s<>]{1,2000}+)")
_NUMBERS = re.compile(r"[\d ,;–—-]++")
# `[a.pdf:1:2-3][1]` and `[Smith, 2020][1]` are two markers side by side.
_OTHER_MARKER = re.compile(r":\d|\.\w|\d{4}|xcerpt:")


def link_definitions(text: str, references: Iterable[Reference]) -> dict[str, str]:
    """Name → address, for the entries that are written `[name]: address`. The first of a name counts."""
    definitions: dict[str, str] = {}
    for reference in references:
        if reference.label and text.startswith(f"[{reference.label}]:", reference.start):
            address = _DEFINED.match(reference.text)
            if address is not None:
                definitions.setdefault(_folded(reference.label), address[1] or address[2])
    return definitions


def find_reference_links(text: str, definitions: dict[str, str]) -> Iterator[Citation]:
    """Every link whose name is defined. A bare number, also beside another, stays a number."""
    for found in _LINK.finditer(text):
        title, rest, label = found.groups()
        if title[0] == "^" or _NUMBERS.fullmatch(title):
            continue
        if label and label.isdecimal() and _OTHER_MARKER.search(title):
            continue
        address = definitions.get(_folded(label or title))
        if address is None:
            continue
        target = link_target(address, title)
        if target is not None:
            start, end = found.span()
            form = f"[{double_braces(title)}]{double_braces(rest or '')}"
            yield Citation(target[0], found[0], start, end, (target[1],), form)


def _folded(label: str) -> str:
    """Names are compared without regard to case and to how much white space they hold."""
    return " ".join(label.split()).casefold()
