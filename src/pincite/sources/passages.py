"""Passages of a source, with their page and what a reader needs to understand them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from pincite.records import Passage, Source, Span, Table
from pincite.sources.surroundings import told_before


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
        context="\n".join(filter(None, (told_before(source, start, end), table_context(source, start, end)))),
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
    rows = _rows_touched(table, start, end)
    if len(rows) != 1:
        return " | ".join(cell.of(text).strip() for cell in table.header) if rows else ""
    row = rows[0]
    touched = [i for i, cell in enumerate(row) if cell.start < end and start < cell.end]
    if not touched:
        return ""
    parts = []
    if 0 not in touched and row[0].of(text).strip():
        parts.append(_labelled(text, table.header, 0, row[0].of(text).strip()))
    labels = (table.header[i].of(text).strip() for i in touched if i < len(table.header))
    headers = list(dict.fromkeys(labels))
    if len(touched) == 1:
        parts.extend(f"{header}:" for header in headers if header)
    elif any(headers):
        parts.append(" | ".join(headers))
    return "; ".join(parts)


def _labelled(text: str, header: tuple[Span, ...], column: int, cell: str) -> str:
    label = header[column].of(text).strip() if column < len(header) else ""
    return f"{label}: {cell}" if label else cell


def _table_around(source: Source, start: int, end: int) -> Table | None:
    # Readers record tables in the order of the text, and never one inside another.
    index = bisect_right(source.tables, start, key=lambda table: table.start) - 1
    if index < 0 or source.tables[index].end < end:
        return None
    return source.tables[index]


def _rows_touched(table: Table, start: int, end: int) -> tuple[tuple[Span, ...], ...]:
    first = bisect_right(table.rows, start, key=lambda row: row[-1].end if row else -1)
    last = bisect_left(table.rows, end, key=lambda row: row[0].start if row else -1)
    return table.rows[first:last]
