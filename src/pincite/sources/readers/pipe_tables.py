"""Pipe tables in plain text: every cell as its span."""

from __future__ import annotations

import re
from itertools import pairwise

from pincite.records import Span, Table
from pincite.sources.readers.budget import CELL, CONTAINER, spend
from pincite.text.spans import SpanIndex

_DIVIDER = re.compile(r"^[ \t|:\-]++(?=\r?$)", re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(```|~~~)", re.MULTILINE)
_BAR = re.compile(r"\\.|\|", re.DOTALL)
_NEWLINE = re.compile(r"\r\n|\n|\r")


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
    header_start = (
        max(text.rfind("\n", floor, header_end), text.rfind("\r", floor, header_end), floor - 1) + 1
    )
    header = _cells(text, header_start, header_end)
    if "|" not in text[header_start:header_end] or not header:
        return None
    rows: list[tuple[Span, ...]] = []
    end = divider_end
    newline = _NEWLINE.match(text, end)
    while newline:
        line_end = _line_end(text, newline.end())
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
    cells = [_trim(text, left + 1, right) for left, right in pairwise(edges)]
    # A bar at either edge of the line closes the table and is no empty cell.
    if bars and not text[start : bars[0]].strip():
        cells = cells[1:]
    if len(bars) > 1 and not text[bars[-1] + 1 : end].strip():
        cells = cells[:-1]
    return tuple(cells)


def _trim(text: str, start: int, end: int) -> Span:
    cell = text[start:end]
    stripped = cell.strip()
    if not stripped:
        return Span(start, start)
    left = start + len(cell) - len(cell.lstrip())
    return Span(left, left + len(stripped))


def _line_end(text: str, start: int) -> int:
    newline = _NEWLINE.search(text, start)
    return newline.start() if newline else len(text)


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
