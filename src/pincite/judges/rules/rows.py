"""Table rows as claims: `Company: Acme; Revenue: $10M`, where the labels say less than the cells."""

from __future__ import annotations

from pincite.records import Span

LABEL_SHARE = 0.25
"""What a word of a label weighs beside a word of a cell: a source rarely says `launched: 2001`."""
MAX_LABEL = 60


def row_labels(text: str) -> list[Span]:
    """Where the labels stand; none when the text is no row."""
    return [label for label, _ in _read(text) if label]


def row_cells(text: str) -> list[Span]:
    """Where the cells stand; none when the text is no row."""
    return [cell for _, cell in _read(text)]


def _read(text: str) -> list[tuple[Span, Span]]:
    """Label and cell of each column. Every column but the first must have a label."""
    if "; " not in text or ": " not in text:
        return []
    columns: list[tuple[Span, Span]] = []
    start = 0
    for part in text.split("; "):
        colon = part.find(": ", 0, MAX_LABEL)
        if colon < 0 and start > 0:
            return []
        label = Span(start, start + max(0, colon))
        columns.append((label, Span(start + (colon + 2 if colon >= 0 else 0), start + len(part))))
        start += len(part) + 2
    return columns
