"""How long answers took, what they used, and what measuring them took of this machine.

What was not told stays unknown: a latency is never replaced by our own time.
"""

from __future__ import annotations

import math
import os
import threading
import time
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from msgspec import Struct

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
        """Mean, percentiles, least and most; all None where nothing was told."""
        ordered = sorted(self._known)
        known = bool(ordered)
        return {
            "mean": math.fsum(ordered) / len(ordered) if known else None,
            "p50": percentile(ordered, 50) if known else None,
            "p95": percentile(ordered, 95) if known else None,
            "p99": percentile(ordered, 99) if known else None,
            "min": ordered[0] if known else None,
            "max": ordered[-1] if known else None,
            "n": len(ordered),
            "not_scorable": self._missing,
        }


def percentile(ordered: Sequence[float], percent: float) -> float:
    """The percentile of sorted numbers, on the straight line between the two that stand next to it."""
    place = (len(ordered) - 1) * percent / 100
    below = math.floor(place)
    share = place - below
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    # From the nearer of the two, so that the result never leaves the range between them.
    return low + (high - low) * share if share < 0.5 else high - (high - low) * (1 - share)


class ApiUsage:
    """What the system under test used, as far as it told. Each sum says how many answers it is made of."""

    FIELDS = ("total_tokens", "total_requests", "estimated_cost_usd")

    def __init__(self) -> None:
        self._amounts = {name: array("d") for name in self.FIELDS}

    def add(self, usage: Mapping[str, Any] | None) -> None:
        for name in self.FIELDS:
            amount = (usage or {}).get(name)
            if isinstance(amount, int | float) and not isinstance(amount, bool) and _is_amount(amount):
                self._amounts[name].append(amount)

    def summary(self) -> dict[str, Any]:
        """The sums, None where no answer told, and under `n` how many answers told each."""
        figures: dict[str, Any] = {
            name: math.fsum(amounts) if amounts else None for name, amounts in self._amounts.items()
        }
        for name in ("total_tokens", "total_requests"):
            if figures[name] is not None and figures[name].is_integer():
                figures[name] = int(figures[name])
        return {**figures, "n": {name: len(amounts) for name, amounts in self._amounts.items()}}


def _is_amount(amount: float) -> bool:
    try:
        return math.isfinite(amount) and 0 <= amount < 1e300
    except OverflowError:
        return False


class Running(Struct):
    """Mean, peak and standard deviation of numbers that are not kept."""

    n: int = 0
    mean: float = 0.0
    squares: float = 0.0
    peak: float = -math.inf

    def add(self, number: float) -> None:
        self.n += 1
        away = number - self.mean
        self.mean += away / self.n
        self.squares += away * (number - self.mean)
        self.peak = max(self.peak, number)

    def summary(self) -> dict[str, float | None]:
        if not self.n:
            return {"mean": None, "peak": None, "std": None}
        return {"mean": self.mean, "peak": self.peak, "std": math.sqrt(max(0.0, self.squares) / self.n)}


class ResourceSampler:
    """Samples memory and processor time of this process while a `with` lasts; figures are None without."""

    def __init__(self, interval: float = 0.5, enabled: bool = True) -> None:
        self._interval = interval
        self._enabled = enabled
        self._memory = Running()
        self._processor = Running()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._last = (0.0, 0.0)

    def __enter__(self) -> ResourceSampler:
        if self._enabled:
            self._last = (time.monotonic(), time.process_time())
            self._stop.clear()
            self._thread = threading.Thread(target=self._run, name="pincite-resources", daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thread is not None:
            self._stop.set()
            self._thread.join()
            self._thread = None
            self._sample(last=True)

    def summary(self) -> dict[str, Any]:
        """`memory_mb` and `cpu_percent`, 100 being one core in full use, and the number of samples."""
        with self._lock:
            return {
                "memory_mb": self._memory.summary(),
                "cpu_percent": self._processor.summary(),
                "samples": self._memory.n,
            }

    def _run(self) -> None:
        while not self._stop.wait(self._interval):
            self._sample()

    def _sample(self, last: bool = False) -> None:
        memory = resident_megabytes()
        now, used = time.monotonic(), time.process_time()
        with self._lock:
            if memory is not None:
                self._memory.add(memory)
            passed = now - self._last[0]
            # A short rest at the end says little about how busy the processor was, unless it is all there is.
            if passed > 0 and not (last and self._processor.n and passed < self._interval / 2):
                self._processor.add(100 * (used - self._last[1]) / passed)
                self._last = (now, used)


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
