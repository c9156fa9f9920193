"""The cores and the memory of this machine, as far as this process should use them."""

from __future__ import annotations

import os
from pathlib import Path

_share: int | None = None
"""Of the cores, where this process has to share them with others of ours."""


def cores() -> int:
    """How many cores this process should use."""
    if _share is not None:
        return _share
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def free_megabytes() -> int | None:
    """Memory that new processes can have; None where the machine does not say."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) // 1024
    except (OSError, ValueError):
        pass
    return None


def keep_to_one_core() -> None:
    """Use one core from now on: as many processes as there are cores do the same work."""
    global _share
    _share = 1
