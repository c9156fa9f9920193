"""What every room needs and none owns: processes, files and small helpers."""

from __future__ import annotations

from pincite.base.child_process import ChildProcess, MessageTooLong, ProcessEnded, import_path, kill_group
from pincite.base.child_program import OUT_OF_MEMORY, ParentPipe
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
    "OUT_OF_MEMORY",
    "SIDE_FILES",
    "ChildProcess",
    "MessageTooLong",
    "ParentPipe",
    "ProcessEnded",
    "StatementLimit",
    "allow_time",
    "clear_at_end",
    "end_now",
    "gone_at_end",
    "import_path",
    "kill_group",
    "link_out",
    "odd_object",
    "temporary_beside",
    "time_left",
    "why_not_plain",
    "words_of",
]
