"""Ways of swapping two systems, unit by unit, and how far what comes of it is from what was seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

AT_ONCE = 500_000
"""Swaps held at a time."""
NEAR = 1e-10
"""Differences that are equal but for the order of a sum count as equal."""


def every_swap(units: int) -> Any:
    """Every way of swapping so many units, a way a line."""
    import numpy as np

    ways = np.arange(2**units, dtype=np.int64)
    return (ways[:, None] >> np.arange(units) & 1).astype(float)


def random_swaps(units: int, resamples: int, seed: int) -> Iterator[Any]:
    """Random ways of swapping, a way a line, in blocks."""
    import numpy as np

    random = np.random.default_rng(seed)
    at_once = max(1, AT_ONCE // units)
    for done in range(0, resamples, at_once):
        lines = min(at_once, resamples - done)
        bits = np.frombuffer(random.bytes((lines * units + 7) // 8), dtype=np.uint8)
        yield np.unpackbits(bits)[: lines * units].reshape(lines, units).astype(float)


def as_far(swapped: Any, seen: float) -> Any:
    """Which values are as far from 0 as the one that was seen."""
    import numpy as np

    return np.abs(swapped) >= abs(seen) - NEAR * max(1.0, abs(seen))
