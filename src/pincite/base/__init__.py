"""What every room needs and none owns: processes, files and small helpers."""

from pincite.base.read_limited import NO_MEMORY, read_limited, within_memory

__all__ = ["NO_MEMORY", "read_limited", "within_memory"]
