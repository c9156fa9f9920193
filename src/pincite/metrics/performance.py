"""How long answers took, what they used, and what measuring them took of this machine.

What was not reported stays unknown: a latency is never replaced by our own time.
"""

from __future__ import annotations

import math
import os
import threading
import time
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MEGABYTE = 1024 * 1024


class LatencyStats:
    """Latencies in milliseconds, 8 bytes each."""

    def __init__(self) -> None:
        self._known = array("d")
        self._missing = 0

    def add(self, latency_ms: float | None) -> None:
        """Count one; None, and what is no time at all, is counted as not scorable."""
        if latency_ms is None or not math.isfinite(latency_ms) or latency_ms < 0:
            self._missing += 1
        else:
            self._known.append(latency_ms)

    def summary(self) -> dict[str, float | int | None]:
        """Mean, percentiles (interpolated linearly), least and most; all None where nothing was reported."""
        import numpy as np

        figures: dict[str, float | int | None] = dict.fromkeys(("mean", "p50", "p95", "p99", "min", "max"))
        if self._known:
            p50, p95, p99, least, most = np.percentile(self._known, (50, 95, 99, 0, 100)).tolist()
            mean = math.fsum(self._known) / len(self._known)
            figures = {"mean": mean, "p50": p50, "p95": p95, "p99": p99, "min": least, "max": most}
        return {**figures, "n": len(self._known), "not_scorable": self._missing}


class ApiUsage:
    """What the system under test reported to have used, and how many answers each sum is made of."""

    FIELDS = ("total_tokens", "total_requests", "estimated_cost_usd")

    def __init__(self) -> None:
        self._amounts = {name: array("d") for name in self.FIELDS}

    def add(self, usage: Mapping[str, Any] | None) -> None:
        for name in self.FIELDS:
            amount = (usage or {}).get(name)
            if isinstance(amount, int | float) and not isinstance(amount, bool) and 0 <= amount < 1e300:
                self._amounts[name].append(amount)

    def summary(self) -> dict[str, Any]:
        """The sums, None where no answer reported one, and under `n` how many answers reported each."""
        figures: dict[str, Any] = {
            name: math.fsum(amounts) if amounts else None for name, amounts in self._amounts.items()
        }
        for name in ("total_tokens", "total_requests"):
            if figures[name] is not None and figures[name].is_integer():
                figures[name] = int(figures[name])
        return {**figures, "n": {name: len(amounts) for name, amounts in self._amounts.items()}}


class ResourceSampler:
    """Samples memory and processor time of this process while a `with` block lasts."""

    def __init__(self, interval: float = 0.5) -> None:
        self._interval = interval
        self._memory: list[float] = []
        self._processor: list[float] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pincite-resources", daemon=True)
        self._last = (0.0, 0.0)

    def __enter__(self) -> ResourceSampler:
        self._last = (time.monotonic(), time.process_time())
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._sample(last=True)

    def summary(self) -> dict[str, Any]:
        """`memory_mb` and `cpu_percent`, 100 being one core in full use, and the number of samples."""
        return {
            "memory_mb": _spread(self._memory),
            "cpu_percent": _spread(self._processor),
            "samples": len(self._memory),
        }

    def _run(self) -> None:
        while not self._stop.wait(self._interval):
            self._sample()

    def _sample(self, last: bool = False) -> None:
        memory = resident_megabytes()
        now, used = time.monotonic(), time.process_time()
        if memory is not None:
            self._memory.append(memory)
        passed = now - self._last[0]
        # A short rest at the end says little about how busy the processor was, unless it is all there is.
        if passed > 0 and not (last and self._processor and passed < self._interval / 2):
            self._processor.append(100 * (used - self._last[1]) / passed)
            self._last = (now, used)


def _spread(samples: list[float]) -> dict[str, float | None]:
    import numpy as np

    if not samples:
        return {"mean": None, "peak": None, "std": None}
    return {"mean": float(np.mean(samples)), "peak": max(samples), "std": float(np.std(samples))}


def resident_megabytes() -> float | None:
    """The memory that this process holds; None where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE
    except (OSError, ValueError, IndexError, AttributeError):
        pass
    try:
        import psutil
    except ImportError:
        return None
    held: int = psutil.Process().memory_info().rss
    return held / MEGABYTE
