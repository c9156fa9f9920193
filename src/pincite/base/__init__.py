"""What every room needs and none owns: processes, files and small helpers."""

from pincite.base.small_file import open_named, read_small_file

__all__ = ["open_named", "read_small_file"]
