"""What every room needs and none owns: processes, files and small helpers."""

from __future__ import annotations

from pincite.base.endings import allow_time, clear_at_end, end_now, gone_at_end, temporary_beside, time_left
from pincite.base.sqlite_files import (
    SIDE_FILES,
    StatementLimit,
    link_out,
    odd_object,
    why_not_plain,
    words_of,
)

__all__ = [
    "SIDE_FILES",
    "StatementLimit",
    "allow_time",
    "clear_at_end",
    "end_now",
    "gone_at_end",
    "link_out",
    "odd_object",
    "temporary_beside",
    "time_left",
    "why_not_plain",
    "words_of",
]
