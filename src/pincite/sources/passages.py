"""Places in a source: its pages, lines and sections, and passages with what a reader needs for them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property

from pincite.records import Passage, Source, Span, Table
from pincite.sources.memo import per_object
from pincite.sources.surroundings import context_above, headings_of

HAVE_LINES = ("text", "markdown", "csv", "json")
"""Kinds whose text is the file as it is. The lines of a PDF or a web page are only ours."""

_NUMBERING = re.compile(r"((?:\d{1,3}|[A-Za-z])(?:\.\d{1,3}){0,5})[.):]?\s+(?=\S)")
_SECTION_WORD = re.compile(r"(?:the\s+)?(?:section|sec\.|chapter|ch\.|part|heading|§+)\s*", re.IGNORECASE)
_SECTION_AFTER = re.compile(r"(?<!\s)\s++(?:section|chapter|part)\Z")
_EDGES = " \t\r\f#*_=:.,;-–—\"“”'‘’`§"
_LONGEST_HEADING = 200


def page_of(source: Source, offset: int) -> int | None:
    """The page that holds the character at `offset`, counted from 1; None where no page is known.

    The form feed between two pages belongs to the page that it ends.
    """
    if not source.page_starts:
        return source.page
    return max(1, bisect_right(source.page_starts, offset))


def page_span(source: Source, page: int) -> Span | None:
    """Where a page's own text is, without the form feed after it; None when there is no such page."""
    starts = source.page_starts
    if not starts or not 1 <= page <= len(starts):
        return None
    end = starts[page] - 1 if page < len(starts) else len(source.text)
    return Span(starts[page - 1], end)


def page_starts_of(text: str) -> tuple[int, ...] | None:
    """Where the pages begin in a text whose pages are divided by form feeds; None when it has none."""
    if "\f" not in text:
        return None
    starts = [0]
    position = text.find("\f")
    while position != -1:
        starts.append(position + 1)
        position = text.find("\f", position + 1)
    return tuple(starts)


def passage(source: Source, start: int, end: int) -> Passage:
    """The characters `start` to `end` of a source, as a judge and a report show them."""
    return Passage(
        text=source.text[start:end],
        document=source.name,
        start=start,
        end=end,
        page=page_of(source, start),
        context="\n".join(
            filter(None, (context_above(source, start, end), table_context(source, start, end)))
        ),
    )


def table_context(source: Source, start: int, end: int) -> str:
    """What the table around a passage says about it: `Quarter: Q1; Revenue:` for the cell beside `Q1`.

    Several rows have the table's header in common. Empty when the passage is not inside a table, or when it
    holds the header itself.
    """
    table = _table_around(source, start, end)
    if table is None or (table.header and start < table.header[-1].end):
        return ""
    text = source.text
    first = bisect_right(table.rows, start, key=lambda row: row[-1].end if row else -1)
    last = bisect_left(table.rows, end, key=lambda row: row[0].start if row else -1)
    rows = table.rows[first:last]
    if len(rows) != 1:
        return " | ".join(cell.of(text).strip() for cell in table.header) if rows else ""
    row = rows[0]
    touched = [i for i, cell in enumerate(row) if cell.start < end and start < cell.end]
    if not touched:
        return ""
    parts = []
    if 0 not in touched and row[0].of(text).strip():
        label = table.header[0].of(text).strip() if table.header else ""
        name = row[0].of(text).strip()
        parts.append(f"{label}: {name}" if label else name)
    labels = (table.header[i].of(text).strip() for i in touched if i < len(table.header))
    headers = list(dict.fromkeys(labels))
    if len(touched) == 1:
        parts.extend(f"{header}:" for header in headers if header)
    elif any(headers):
        parts.append(" | ".join(headers))
    return "; ".join(parts)


def _table_around(source: Source, start: int, end: int) -> Table | None:
    # Readers record tables in the order of the text, and never one inside another.
    index = bisect_right(source.tables, start, key=lambda table: table.start) - 1
    if index < 0 or source.tables[index].end < end:
        return None
    return source.tables[index]


# --- lines and sections ----------------------------------------------------------------------------


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
    """The first part under a heading of that name, as far as the next heading of the same or a higher level.

    A text without headings that are marked as such may still have the words on a line of their own. Where
    that part ends is unknown, so it is read to the end of the text.
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


_outline = per_object(_Outline)


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
