"""A measured figure and the bar it has to clear."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Figure:
    """One figure. `bar` is what it must reach, `at_most` whether the bar is a ceiling."""

    name: str
    value: float
    unit: str = ""
    bar: float | None = None
    at_most: bool = False
    note: str = ""

    @property
    def passed(self) -> bool:
        if self.bar is None:
            return True
        return self.value <= self.bar if self.at_most else self.value >= self.bar


def best_seconds(work: Callable[[], Any], repeats: int = 5) -> float:
    """The least wall time of several runs: the least disturbed one."""
    times = []
    for _ in range(repeats):
        gc.collect()
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def peak_megabytes() -> float:
    """The most memory that this process has held.

    Linux starts a child's `ru_maxrss` at what its parent held, so there the kernel's own count since the
    start of the program is read.
    """
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM:")]
        return int(line.split()[1]) / 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
