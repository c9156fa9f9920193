"""Writes the text of a document with structure (HTML, DOCX), and remembers where its tables' cells are."""

from __future__ import annotations

import io
import re

from pincite.records import Span, Table
from pincite.sources.readers.common import CELL, CONTAINER, spend

CELL_BREAK = " | "
_FOLDED_AT_ONCE = 1 << 16
_SPACES = re.compile(r"[ \t\n\r\f\v]++")


class _OpenTable:
    __slots__ = ("columns", "header", "nested", "row", "row_is_header", "rows", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.header: tuple[Span, ...] = ()
        self.rows: list[tuple[Span, ...]] = []
        self.row: list[Span] | None = None
        self.row_is_header = False
        self.nested = False
        self.columns = 1


class Flow:
    """Text that is written piece by piece. White space is folded; blocks are on lines of their own."""

    def __init__(self) -> None:
        # A list of the pieces would take many times the text, where the pieces are short.
        self._written = io.StringIO()
        self._length = 0
        self._pending = ""
        self._at_line_start = True
        self._tables: list[_OpenTable] = []
        self._finished: list[Table] = []
        self.headings: list[Span] = []
        self.navigation: list[Span] = []

    def __len__(self) -> int:
        return self._length

    def add(self, text: str) -> None:
        """Words of running text: every run of white space is one space, none at a line's start."""
        # In parts: folding makes a list of all words, which would take many times a long text.
        for start in range(0, len(text), _FOLDED_AT_ONCE):
            self._add(text[start : start + _FOLDED_AT_ONCE])

    def _add(self, text: str) -> None:
        folded = _SPACES.sub(" ", text)
        if folded.startswith(" "):
            self._pending = self._pending or " "
            folded = folded[1:]
        if not folded:
            return
        ends_open = folded.endswith(" ")
        self._flush()
        self._write(folded[:-1] if ends_open else folded)
        self._at_line_start = False
        if ends_open:
            self._pending = " "

    def add_raw(self, text: str) -> None:
        """Text whose white space means something, as in `pre`."""
        if text:
            self._flush()
            self._write(text)
            self._at_line_start = text.endswith(("\n", "\f"))

    def end_block(self) -> None:
        """What follows begins a new line."""
        self._pending = "\n"

    def mark(self, spans: list[Span], start: int) -> None:
        """Remember what was written since `start` as one of `spans`: the headings, or the navigation."""
        if self._length > start:
            spend(CELL)
            spans.append(Span(start, self._length))

    def page_break(self) -> None:
        self._pending = ""
        self._write("\f")
        self._at_line_start = True

    def _flush(self) -> None:
        pending, self._pending = self._pending, ""
        if pending and not self._at_line_start:
            self._write(pending)
            self._at_line_start = pending == "\n"

    def _write(self, text: str) -> None:
        self._written.write(text)
        self._length += len(text)

    # --- tables: each call may come at any time, as documents are not always well formed --------------

    def open_table(self) -> None:
        self.end_block()
        self._flush()
        spend(2 * CONTAINER)
        if self._tables:
            self._tables[-1].nested = True
        self._tables.append(_OpenTable(self._length))

    def open_row(self) -> None:
        if not self._tables:
            self.end_block()
            return
        self.close_row()
        self.end_block()
        self._flush()
        spend(CONTAINER)
        self._tables[-1].row = []

    def open_cell(self, is_header: bool, columns: int = 1) -> None:
        """A cell over several columns is recorded once for each, so that headers stay above their cells."""
        if not self._tables:
            self.end_block()
            return
        self.close_cell()
        table = self._tables[-1]
        if table.row is None:
            self.open_row()
        row = table.row if table.row is not None else []
        if row:
            self._pending = ""
            self._write(CELL_BREAK)
        table.row_is_header = is_header if not row else table.row_is_header and is_header
        self._at_line_start = True
        spend(CELL + 8 * columns)
        row.append(Span(self._length, -1))
        table.columns = columns

    def close_cell(self) -> None:
        table = self._tables[-1] if self._tables else None
        if table is None or not table.row or table.row[-1].end != -1:
            return
        self._pending = ""
        start = table.row[-1].start
        table.row[-1:] = [Span(start, self._length)] * table.columns
        self._at_line_start = False

    def close_row(self, is_header: bool = False) -> None:
        if not self._tables:
            return
        self.close_cell()
        table = self._tables[-1]
        if table.row:
            row = tuple(table.row)
            if (is_header or table.row_is_header) and not table.header and not table.rows:
                table.header = row
            else:
                table.rows.append(row)
            self.end_block()
        table.row = None

    def close_table(self) -> None:
        if not self._tables:
            return
        self.close_row()
        table = self._tables.pop()
        # A table around other tables is there for the layout: its cells are no values.
        if (table.rows or table.header) and not table.nested:
            self._finished.append(Table(table.start, self._length, table.header, tuple(table.rows)))
        self.end_block()

    def finish(self) -> tuple[str, tuple[Table, ...]]:
        """The text, and its tables in the order of the text."""
        while self._tables:
            self.close_table()
        return self._written.getvalue(), tuple(sorted(self._finished, key=lambda table: table.start))
