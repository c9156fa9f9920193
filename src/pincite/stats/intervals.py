"""Intervals round a measured share."""

from __future__ import annotations

from math import sqrt

Z95 = 1.959963984540054
"""The normal quantile that leaves 2.5% on each side."""


def wilson(hits: int, total: int, z: float = Z95) -> tuple[float, float] | None:
    """Wilson's score interval of `hits` in `total`; None when there is nothing to measure."""
    if total <= 0:
        return None
    share = hits / total
    spread = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    middle, scale = share + z * z / (2 * total), 1 + z * z / total
    # At the ends the bound is exact; arithmetic alone would miss it by a rounding error.
    low = 0.0 if hits == 0 else max(0.0, (middle - spread) / scale)
    high = 1.0 if hits == total else min(1.0, (middle + spread) / scale)
    return low, high
