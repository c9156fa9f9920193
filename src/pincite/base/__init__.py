"""What every room needs and none owns: processes, files and small helpers."""

from __future__ import annotations

from pincite.base.addresses import HIDDEN, address_secrets, hide_in_addresses
from pincite.base.child_process import ChildProcess, MessageTooLong, ProcessEnded, import_path, kill_group
from pincite.base.child_program import OUT_OF_MEMORY, ParentPipe
from pincite.base.doors import lazy_names
from pincite.base.endings import allow_time, clear_at_end, end_now, gone_at_end, temporary_beside, time_left
from pincite.base.lazy_numpy import np
from pincite.base.limited_files import NO_MEMORY, read_limited, read_small_file, within_memory
from pincite.base.named_file import open_named
from pincite.base.named_function import describe_error, find_function
from pincite.base.sqlite_files import (
    SIDE_FILES,
    StatementLimit,
    link_out,
    odd_object,
    why_not_plain,
    words_of,
)
from pincite.base.sync import RunHere, event_loop, run_sync
from pincite.base.tolerant_json import MOST_BITS, hashed_form, read_json, read_lenient_json, write_json
from pincite.base.toml_limits import read_toml
from pincite.base.yaml_limits import check_yaml

__all__ = [
    "HIDDEN",
    "MOST_BITS",
    "NO_MEMORY",
    "OUT_OF_MEMORY",
    "SIDE_FILES",
    "ChildProcess",
    "MessageTooLong",
    "ParentPipe",
    "ProcessEnded",
    "RunHere",
    "StatementLimit",
    "address_secrets",
    "allow_time",
    "check_yaml",
    "clear_at_end",
    "describe_error",
    "end_now",
    "event_loop",
    "find_function",
    "gone_at_end",
    "hashed_form",
    "hide_in_addresses",
    "import_path",
    "kill_group",
    "lazy_names",
    "link_out",
    "np",
    "odd_object",
    "open_named",
    "read_json",
    "read_lenient_json",
    "read_limited",
    "read_small_file",
    "read_toml",
    "run_sync",
    "temporary_beside",
    "time_left",
    "why_not_plain",
    "within_memory",
    "words_of",
    "write_json",
]
