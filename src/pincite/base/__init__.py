"""What every room needs and none owns: processes, files and small helpers."""

from __future__ import annotations

from pincite.base.sqlite_files import (
    SIDE_FILES,
    StatementLimit,
    link_out,
    odd_object,
    why_not_plain,
    words_of,
)

__all__ = ["SIDE_FILES", "StatementLimit", "link_out", "odd_object", "why_not_plain", "words_of"]
