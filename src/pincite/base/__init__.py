"""What every room needs and none owns: processes, files and small helpers."""

from pincite.base.child_process import ChildProcess, MessageTooLong, ProcessEnded, import_path, kill_group
from pincite.base.child_program import OUT_OF_MEMORY, ParentPipe

__all__ = [
    "OUT_OF_MEMORY",
    "ChildProcess",
    "MessageTooLong",
    "ParentPipe",
    "ProcessEnded",
    "import_path",
    "kill_group",
]
