"""The lines of a source and the parts under its headings, for answers that cite by them."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from pincite.records import Source
from pincite.sources.kept import kept
from pincite.sources.surroundings import headings_of

HAVE_LINES = ("text", "markdown", "csv", "json")
"""Kinds whose text is the file as it is. The lines of a PDF or a web page are only ours."""

_NUMBERING = re.compile(r"((?:\d{1,3}|[A-Za-z])(?:\.\d{1,3}){0,5})[.):]?\s+(?=\S)")
_SECTION_WORD = re.compile(r"(?:the\s+)?(?:section|sec\.|chapter|ch\.|part|heading|§+)\s*", re.IGNORECASE)
_SECTION_AFTER = re.compile(r"(?<!\s)\s++(?:section|chapter|part)\Z")
_EDGES = " \t\r\f#*_=:.,;-–—\"“”'‘’`§"
_LONGEST_HEADING = 200


def line_count(source: Source) -> int:
    return _outline(source).line_count


def lines_span(source: Source, first: int, last: int) -> tuple[int, int] | None:
    """Where the lines are, counted from 1, without the end of the last; None when there are not so many."""
    outline = _outline(source)
    if not 1 <= first <= last <= outline.line_count:
        return None
    starts = outline.line_starts
    end = starts[last] - 1 if last < len(starts) else len(source.text)
    return starts[first - 1], max(end, starts[first - 1])


def line_of(source: Source, offset: int) -> int:
    """The line that holds a character, counted from 1."""
    return bisect_right(_outline(source).line_starts, offset)


def find_section(source: Source, name: str) -> tuple[int, int] | None:
    """The part under a heading, as far as the next heading that is no lower; the first of that name.

    A text without headings that are marked as such may still have the words on a line of their own. Where
    that part ends nobody can tell, so it is read to the end of the text.
    """
    outline = _outline(source)
    for wanted in _spellings(name):
        if wanted in outline.sections:
            return outline.sections[wanted]
    lines = outline.short_lines
    start = next((lines[wanted] for wanted in _spellings(name) if wanted in lines), None)
    return None if start is None else (start, len(source.text))


class _Outline:
    """Worked out once a source, as many markers may ask."""

    def __init__(self, source: Source) -> None:
        self._text = text = source.text
        self.line_starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.line_count = len(self.line_starts) - (self.line_starts[-1] == len(text) and len(text) > 0)
        self.sections: dict[str, tuple[int, int]] = {}
        open_headings: list[tuple[int, int, str]] = []
        for heading in headings_of(source):
            title = text[heading.start : min(heading.end, heading.start + _LONGEST_HEADING)]
            while open_headings and open_headings[-1][0] >= heading.level:
                self._close(open_headings.pop(), heading.start)
            open_headings.append((heading.level, heading.start, title))
        while open_headings:
            self._close(open_headings.pop(), len(text))

    def _close(self, heading: tuple[int, int, str], end: int) -> None:
        _, start, title = heading
        for name in _names(title):
            known = self.sections.get(name)
            if known is None or start < known[0]:
                self.sections[name] = (start, end)

    @cached_property
    def short_lines(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for start, line in zip(self.line_starts, self._text.split("\n"), strict=True):
            if 0 < len(line) <= _LONGEST_HEADING:
                for name in _names(line):
                    found.setdefault(name, start)
        return found


_outline = kept(_Outline)


def _names(title: str) -> list[str]:
    """What a heading can be called: whole, by its number alone, and without its number."""
    whole = _folded(title)
    numbering = _NUMBERING.match(title.strip(_EDGES))
    if numbering is None:
        return [whole] if whole else []
    return [whole, _folded(numbering[1]), _folded(title.strip(_EDGES)[numbering.end() :])]


def _spellings(name: str) -> list[str]:
    """What was cited, and the same without `Section` before it or after it."""
    whole = _folded(name)
    bare = _folded(_SECTION_WORD.sub("", name.strip(_EDGES), count=1))
    return [spelling for spelling in (whole, bare, _SECTION_AFTER.sub("", whole)) if spelling]


def _folded(text: str) -> str:
    return " ".join(text.strip(_EDGES).casefold().split())
