"""Plain text and Markdown: the file as it is, line ends kept, a byte-order mark dropped; its pipe tables."""

from __future__ import annotations

import re
from itertools import pairwise

from msgspec import structs

from pincite.config import Limits
from pincite.records import Source, Span, Table
from pincite.sources.readers.common import (
    CELL,
    CONTAINER,
    Unreadable,
    clean_title,
    decode,
    make_source,
    spend,
)
from pincite.text import SpanIndex, trim

_HEADING = re.compile(r"^# ([^\r\n]{1,300})$", re.MULTILINE)
_DIVIDER = re.compile(r"^[ \t|:\-]++(?=\r?$)", re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(```|~~~)", re.MULTILINE)
_BAR = re.compile(r"\\.|\|", re.DOTALL)
_NEWLINE = re.compile(r"\r\n|\n|\r")


def read_text(raw: bytes, name: str, _: Limits) -> list[Source]:
    return [text_source(decode(raw), name)]


def read_markdown(raw: bytes, name: str, _: Limits) -> list[Source]:
    return [markdown_source(decode(raw), name)]


def read_unknown(raw: bytes, name: str, limits: Limits) -> list[Source]:
    """A file of no known kind: text if it is UTF-8 without NULs, otherwise not readable."""
    if b"\0" in raw[:8192] and not raw.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        raise Unreadable("not a kind of file that is read as a source, and not text (it holds NUL bytes)")
    return read_text(raw, name, limits)


def text_source(text: str, name: str, kind: str = "text") -> Source:
    """A source whose offsets count in this text, with the pipe tables in it."""
    return make_source(name, text, kind=kind, tables=find_pipe_tables(text))


def markdown_source(text: str, name: str) -> Source:
    """The same; its first heading is the title."""
    source = text_source(text, name, "markdown")
    # A heading far down is a chapter's, not the document's.
    heading = _HEADING.search(text[:4000])
    title = clean_title(heading.group(1).rstrip("#").strip("*_ ")) if heading else None
    return structs.replace(source, title=title)


# --- pipe tables: every cell as its span ---------------------------------------------------------


def find_pipe_tables(text: str) -> tuple[Table, ...]:
    """The tables of a Markdown text, in order; fenced code has none."""
    if "|" not in text or "-" not in text:
        return ()
    fences = _fenced(text)
    tables: list[Table] = []
    past = 0
    for match in _DIVIDER.finditer(text):
        divider = match.group()
        if match.start() < past or "|" not in divider or "-" not in divider:
            continue
        if fences.overlaps(match.start(), match.start() + 1):
            continue
        table = _read_table(text, match.start(), match.end(), past)
        if table is not None:
            tables.append(table)
            past = table.end
    return tuple(tables)


def _read_table(text: str, divider_start: int, divider_end: int, floor: int) -> Table | None:
    header_end = divider_start - 1
    if header_end > 0 and text[header_end - 1 : header_end + 1] == "\r\n":
        header_end -= 1
    if header_end < floor or divider_start == 0:
        return None
    line_breaks = (text.rfind(end, floor, header_end) for end in "\n\r")
    header_start = max(floor - 1, *line_breaks) + 1
    header = _cells(text, header_start, header_end)
    if "|" not in text[header_start:header_end] or not header:
        return None
    rows: list[tuple[Span, ...]] = []
    end = divider_end
    newline = _NEWLINE.match(text, end)
    while newline:
        following = _NEWLINE.search(text, newline.end())
        line_end = following.start() if following else len(text)
        if "|" not in text[newline.end() : line_end]:
            break
        rows.append(_cells(text, newline.end(), line_end))
        end = line_end
        newline = _NEWLINE.match(text, end)
    return Table(header_start, end, header, tuple(rows))


def _cells(text: str, start: int, end: int) -> tuple[Span, ...]:
    spend(CONTAINER + CELL * text.count("|", start, end))
    bars = [m.start() for m in _BAR.finditer(text, start, end) if m.group() == "|"]
    edges = [start - 1, *bars, end]
    cells = [trim(text, left + 1, right) for left, right in pairwise(edges)]
    # A bar at either edge of the line closes the table and does not make an empty cell.
    if bars and not text[start : bars[0]].strip():
        cells = cells[1:]
    if len(bars) > 1 and not text[bars[-1] + 1 : end].strip():
        cells = cells[:-1]
    return tuple(cells)


def _fenced(text: str) -> SpanIndex:
    """What is fenced as code; a fence that is never closed runs to the end."""
    spans: list[Span] = []
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence.group(1) == opened.group(1):
            spans.append(Span(opened.start(), fence.end()))
            opened = None
    if opened is not None:
        spans.append(Span(opened.start(), len(text)))
    return SpanIndex(spans)
