"""Columns of plain text, fitted to the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pincite.reports import cells, fitting, fold_words, width

CUT = "…"
WIDEST = 60
"""Where few cells are longer, they push only their own rows to the right, not the whole column."""

READABLE = 30
"""Sentences in a narrower column are hard to read: they are printed below their row instead."""


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], columns: int | None = None, *, wrap: bool = False
) -> str:
    """The rows below their header, numbers aligned right.

    The last column gives way first: it is cropped, or wrapped with `wrap`.
    """
    # Tabs and line breaks inside a cell would break the columns, so a cell is shown on one line.
    shown = [[_shown(cell) for cell in row] for row in (header, *rows)]
    widths = [_widest(width(row[index]) for row in shown) for index in range(len(header))]
    widths[-1] = max(width(row[-1]) for row in shown)
    if columns is not None:
        spare = columns - sum(widths[:-1]) - 2 * (len(widths) - 1)
        widths[-1] = max(10, min(widths[-1], spare))
    too_wide = any(width(row[-1]) > widths[-1] for row in shown)
    right = [bool(rows) and all(_is_number(row[index]) for row in rows) for index in range(len(header))]
    lines = []
    for row in shown:
        # Only the last column is cropped: the others hold names, and a cropped name finds no source.
        room = [*(max(wide, width(cell)) for wide, cell in zip(widths, row[:-1], strict=False)), widths[-1]]
        parts = [_fit(*column) for column in zip(row, room, right, strict=True)]
        if wrap and too_wide:
            lines += _wrapped(parts[:-1], row[-1], columns or 0)
        else:
            lines.append("  ".join(parts).rstrip())
    return "".join(f"{line}\n" for line in lines)


def _wrapped(before: Sequence[str], sentence: str, columns: int) -> list[str]:
    """A row whose last cell is wrapped, in its column or, where that is narrow, at the left."""
    begin = sum(width(part) + 2 for part in before)
    if columns - begin < READABLE:
        told = fold_words(sentence, columns - 4)
        return ["  ".join(before).rstrip(), *(f"    {line}" for line in told)]
    first, *more = fold_words(sentence, columns - begin)
    return ["  ".join([*before, first]), *(" " * begin + line for line in more)]


def _widest(cells_wide: Iterable[int]) -> int:
    """The widest cell of a column, without the few that are too wide to line up with."""
    wide = list(cells_wide)
    usual = [size for size in wide if size <= WIDEST]
    return max(usual if 2 * len(usual) > len(wide) else wide)


def _shown(cell: str) -> str:
    return "".join(
        piece for piece, _ in cells(" ".join(cell.split()) if "\n" in cell or "\t" in cell else cell)
    )


def _fit(cell: str, columns: int, right: bool) -> str:
    wide = width(cell)
    if wide > columns:
        return "".join(piece for piece, _ in fitting(cells(cell), columns - 1)) + CUT
    return " " * (columns - wide) + cell if right else cell + " " * (columns - wide)


def _is_number(cell: str) -> bool:
    plain = cell.replace(",", "").replace(".", "").replace("–", "").replace("/", "")
    return plain.isdigit() or cell in ("", "-")
