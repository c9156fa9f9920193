"""What every room needs and none owns: processes, files and small helpers."""

from __future__ import annotations

from pincite.base.addresses import HIDDEN, address_secrets, hide_in_addresses
from pincite.base.child_process import ChildProcess, MessageTooLong, ProcessEnded, import_path, kill_group
from pincite.base.child_program import OUT_OF_MEMORY, ParentPipe
from pincite.base.endings import allow_time, clear_at_end, end_now, gone_at_end, temporary_beside, time_left
from pincite.base.named_file import open_named
from pincite.base.read_limited import NO_MEMORY, read_limited, read_small_file, within_memory
from pincite.base.sqlite_files import (
    SIDE_FILES,
    StatementLimit,
    link_out,
    odd_object,
    why_not_plain,
    words_of,
)

__all__ = [
    "HIDDEN",
    "NO_MEMORY",
    "OUT_OF_MEMORY",
    "SIDE_FILES",
    "ChildProcess",
    "MessageTooLong",
    "ParentPipe",
    "ProcessEnded",
    "StatementLimit",
    "address_secrets",
    "allow_time",
    "clear_at_end",
    "end_now",
    "gone_at_end",
    "hide_in_addresses",
    "import_path",
    "kill_group",
    "link_out",
    "odd_object",
    "open_named",
    "read_limited",
    "read_small_file",
    "temporary_beside",
    "time_left",
    "why_not_plain",
    "within_memory",
    "words_of",
]
