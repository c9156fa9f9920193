"""A measured figure and the bar it has to clear."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
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
