"""What a comparison says in words."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from pincite.runs.compare import MetricComparison


def told_verdict(
    row: MetricComparison, p_adjusted: float | None, compared: int, alpha: float
) -> MetricComparison:
    """The row with its adjusted p-value and what it means."""
    outcome, verdict = _verdict(row, p_adjusted, compared, alpha)
    return msgspec.structs.replace(row, p_adjusted=p_adjusted, outcome=outcome, verdict=verdict)


def _verdict(row: MetricComparison, p: float | None, compared: int, alpha: float) -> tuple[str, str]:
    if row.difference is None or p is None:
        return "not decisive", "not decisive: no query has a value in both runs"
    if row.difference == 0:
        return "not decisive", f"not decisive: no difference on {_compared(row)}"
    if p <= alpha and _reaches_zero(row):
        return "not decisive", "not decisive: the interval of the difference reaches 0"
    if p <= alpha and not row.has_direction:
        return "different", "different: neither a high nor a low value is good in itself"
    if p <= alpha:
        outcome = "better" if (row.difference > 0) == row.higher_is_better else "worse"
        return outcome, outcome
    return "not decisive", f"not decisive: {_what_it_takes(row, compared, alpha)}"


def _reaches_zero(row: MetricComparison) -> bool:
    """Swapping can call a difference rare because one system always says more; the interval knows better."""
    low, high = row.confidence_interval or (1.0, 1.0)
    return low <= 0.0 <= high


def _what_it_takes(row: MetricComparison, compared: int, alpha: float) -> str:
    if row.n_needed is not None and row.n_needed > row.n:
        needed, there = f"{row.n_needed:,} queries", f"{row.n:,}"
        if row.groups is not None:
            # More queries of the same groups would say little: as many more groups are wanted.
            needed += f" in {ceil(row.n_needed * row.groups / row.n):,} groups"
            there += f" in {row.groups:,}"
        return f"a difference of this size needs about {needed}, and {there} were compared"
    if row.p_value is not None and row.p_value <= alpha and compared > 1:
        return f"clear alone, but not among {compared} metrics"
    return f"{_compared(row)} cannot tell it from chance"


def _compared(row: MetricComparison) -> str:
    queries = f"{row.n:,} {'query' if row.n == 1 else 'queries'}"
    if row.groups is None:
        return queries
    return f"{queries} in {row.groups:,} {'group' if row.groups == 1 else 'groups'}"
