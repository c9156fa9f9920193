"""What every room needs and none owns: processes, files and small helpers."""

from pincite.base.addresses import HIDDEN, address_secrets, hide_in_addresses
from pincite.base.small_file import open_named, read_small_file

__all__ = ["HIDDEN", "address_secrets", "hide_in_addresses", "open_named", "read_small_file"]
