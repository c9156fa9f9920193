"""CSV and TSV: the text as it is, every cell as its span, and the rows as data.

A quoted cell's span is what is between its quotes. The rows are data too: `rows[0].Revenue` is a path.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any

from pincite.config import Limits
from pincite.records import Source, Span, Table
from pincite.sources.json_paths import write_step
from pincite.sources.readers.common import CELL, CONTAINER, NAMED, decode, make_source, spend

_DELIMITERS = (",", ";", "\t", "|")
_SNIFFED = 65_536
_NUMBER = re.compile(r"[-+]?[$€£]?\d[\d.,]{0,40}%?")

_LINE = re.compile(r"([^\r\n]*+)(?:\r\n|\r|\n|\Z)")

Row = tuple[Span, ...]


def read_csv(raw: bytes, name: str, _: Limits) -> list[Source]:
    return [csv_source(decode(raw), name)]


def csv_source(text: str, name: str) -> Source:
    """A table's text as a source."""
    delimiter = "\t" if name.casefold().endswith((".tsv", ".tab")) else choose_delimiter(text[:_SNIFFED])
    rows = scan_rows(text, delimiter)
    if not rows:
        return make_source(name, text, kind="csv", data={"rows": []})
    has_header = not all(_NUMBER.fullmatch(cell.of(text).strip()) for cell in rows[0])
    header = rows[0] if has_header else ()
    body = rows[1:] if has_header else rows
    keys = _column_names([cell_value(text, cell) for cell in header], max(map(len, rows)))
    columns = [(key, write_step(key)) for key in keys]
    costs = list(accumulate((NAMED + len(step) for _, step in columns), initial=CONTAINER + NAMED))
    data: list[dict[str, str]] = []
    spans: dict[str, Span] = {}
    for i, row in enumerate(body):
        spend(costs[len(row)])
        path = f"rows[{i}]"
        spans[path] = _with_quotes(text, row)
        record: dict[str, str] = {}
        for (key, step), cell in zip(columns, row, strict=False):
            record[key] = cell_value(text, cell)
            spans[path + step] = cell
        data.append(record)
    table = Table(_with_quotes(text, rows[0]).start, _with_quotes(text, rows[-1]).end, header, tuple(body))
    values: Any = {"rows": data}
    return make_source(name, text, kind="csv", tables=(table,), data=values, value_spans=spans)


def cell_value(text: str, cell: Span) -> str:
    """What a cell says: doubled quotes inside a quoted cell are one quote."""
    value = cell.of(text)
    quoted = cell.start > 0 and text[cell.start - 1] == '"'
    return value.replace('""', '"') if quoted else value


def scan_rows(text: str, delimiter: str) -> list[Row]:
    """Every row as the spans of its cells; empty lines are left out."""
    quoting = _cell_pattern(delimiter)
    rows: list[Row] = []
    position = 0
    while position < len(text):
        line = _LINE.match(text, position)
        if line is None:  # the pattern fits at every position; this is for the type checker
            break
        if '"' in line[1]:
            row, position = _quoted_row(text, position, quoting, delimiter)
        else:
            row, position = _plain_row(line[1], position, delimiter), line.end()
        if row:
            rows.append(row)
    return rows


def _plain_row(line: str, start: int, delimiter: str) -> Row:
    if delimiter not in line and not line.strip():
        return ()
    spend(CONTAINER + CELL * (line.count(delimiter) + 1))
    cells: list[Span] = []
    for cell in line.split(delimiter):
        cells.append(_trimmed(cell, start))
        start += len(cell) + 1
    return tuple(cells)


def _quoted_row(text: str, position: int, quoting: re.Pattern[str], delimiter: str) -> tuple[Row, int]:
    """A row in which some cell is quoted, which may run over several lines, and where the next begins."""
    row: list[Span] = []
    while True:
        spend(CELL)
        match = quoting.match(text, position)
        if match is None:  # as above
            return tuple(row), len(text)
        quoted = match["quoted"] is not None
        row.append(Span(*match.span("quoted")) if quoted else _trimmed(match["plain"], position))
        position = match.end()
        if match["end"] != delimiter:
            return tuple(row), position


def _cell_pattern(delimiter: str) -> re.Pattern[str]:
    mark = re.escape(delimiter)
    # A quoted cell may hold delimiters and line ends; a quote that never closes runs to the end of the text.
    return re.compile(
        rf'(?:"(?P<quoted>(?:[^"]|"")*+)(?:"|\Z)[^{mark}\r\n]*+|(?P<plain>[^{mark}\r\n]*+))'
        rf"(?P<end>{mark}|\r\n|\r|\n|\Z)"
    )


def _with_quotes(text: str, row: Row) -> Span:
    start, end = row[0].start, row[-1].end
    return Span(start - (text[start - 1 : start] == '"'), end + (text[end : end + 1] == '"'))


def _trimmed(cell: str, start: int) -> Span:
    stripped = cell.strip()
    left = start + (cell.find(stripped[0]) if stripped else 0)
    return Span(left, left + len(stripped))


def choose_delimiter(sample: str) -> str:
    """The delimiter that splits the first rows into the same number of cells, and into the most of them."""
    best = (0.0, 0, ",")
    for delimiter in _DELIMITERS:
        widths = [len(row) for row in scan_rows(sample, delimiter)[:50]]
        # The last row of a sample may be cut short.
        widths = widths[:-1] if len(widths) > 2 else widths
        if not widths or max(widths) < 2:
            continue
        usual = max(set(widths), key=widths.count)
        if usual < 2:
            continue
        agreement = widths.count(usual) / len(widths)
        if (agreement, usual) > best[:2]:
            best = (agreement, usual, delimiter)
    return best[2]


def _column_names(header: list[str], width: int) -> list[str]:
    """A name for every column, each once: `column_3` where the header has none."""
    names: list[str] = []
    taken: set[str] = set()
    counts: dict[str, int] = {}
    for i in range(width):
        # Every row repeats the name in its paths: a cell of a megabyte must not become one.
        name = " ".join(header[i].split())[:200] if i < len(header) else ""
        name = unique = name or f"column_{i + 1}"
        while unique in taken:
            counts[name] = counts.get(name, 1) + 1
            unique = f"{name}_{counts[name]}"
        taken.add(unique)
        names.append(unique)
    return names
