"""How many cells a table may have. Few bytes can say that there are millions of them, all empty."""

from __future__ import annotations

from collections.abc import Collection

from pincite.errors import InputError

ALWAYS = 2_000_000
"""Cells that any table may have, however small its file is."""
A_BYTE = 2
"""Cells more for each byte of a file that is read."""
FOR_EACH_HELD = 10
"""Cells more for each that holds something, in a table that is written."""


def most_cells(size: int) -> int:
    """How many cells a file of so many bytes may hold."""
    return ALWAYS + A_BYTE * size


def too_many_cells(size: int) -> str:
    return f"its {size:,} bytes say that there are more than {most_cells(size):,} cells: refused"


def check_columns(columns: Collection[str], rows: Collection[Collection[str]]) -> None:
    """Refuse to write a table of which nearly all cells would be empty."""
    count, held = len(rows) * len(columns), sum(map(len, rows))
    if count > ALWAYS + FOR_EACH_HELD * held:
        raise InputError(
            f"as a table this has {len(rows):,} rows and {len(columns):,} columns, and only {held:,} "
            f"of {count:,} cells hold anything: save it as JSON"
        )
