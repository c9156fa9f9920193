"""Phrases that several formats share."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.records import Fix, SourceExcerpt


def plural(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def listed(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def where(source: SourceExcerpt) -> str:
    """`report.pdf, page 3, characters 120–160`."""
    parts = [source.document]
    if source.page is not None:
        parts.append(f"page {source.page}")
    if source.start is not None and source.end is not None:
        parts.append(f"characters {source.start}–{source.end}")
    return ", ".join(parts)


def kind_of(fix: Fix) -> str:
    """A fix is written when asked for; a suggestion is left to the reader."""
    return "fix" if fix.safe else "suggestion"


def says_replacement(fix: Fix) -> bool:
    """Whether the description already holds what would be written."""
    return fix.replacement.strip() in fix.description
