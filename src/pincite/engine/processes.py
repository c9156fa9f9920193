"""What our processes share: the cores and the memory of the machine, and values as they are sent."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

MOST_MODELS = 8
"""Processes that each load a model, where nobody says how many: one takes about 200 MB."""

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


def unpickled(content: bytes) -> Any:
    """Only for what a process of ours has sent that runs nothing but what we gave it."""
    import pickle

    return pickle.loads(content)  # noqa: S301


def pickled(value: Any) -> bytes:
    import pickle

    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


def pickled_failure(error: Exception) -> bytes:
    """What a task raised, to be raised again elsewhere; one that cannot be sent is told in words."""
    try:
        return pickled(("raised", error))
    except Exception:
        return pickled(("raised", RuntimeError(f"{type(error).__name__}: {error}")))
