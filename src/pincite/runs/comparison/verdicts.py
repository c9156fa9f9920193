"""What a comparison says in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import ceil

import msgspec

from pincite.metrics import known_metric
from pincite.runs.comparison.paired_figures import MetricComparison, Need
from pincite.stats import holm

OVER_GROUPS = "t over "
"""How the name of the test over few groups begins."""


def tell_verdicts(
    rows: Sequence[tuple[MetricComparison, Need]], apart: Collection[str], alpha: float, resamples: int
) -> tuple[MetricComparison, ...]:
    """The rows with their adjusted p-values and what they mean.

    Those in `apart` are adjusted for their own number, and the others for theirs.
    """
    told: dict[int, MetricComparison] = {}
    for is_apart in (True, False):
        family = [place for place, (row, _) in enumerate(rows) if (row.name in apart) == is_apart]
        told.update(zip(family, _family([rows[place] for place in family], alpha, resamples), strict=True))
    return tuple(told[place] for place in sorted(told))


def _family(
    rows: Sequence[tuple[MetricComparison, Need]], alpha: float, resamples: int
) -> Iterator[MetricComparison]:
    adjusted = holm([row.p_value for row, _ in rows])
    among = sum(p is not None for p in adjusted)
    decided = sorted(
        row.p_value or 0.0 for (row, _), p in zip(rows, adjusted, strict=True) if p is not None and p <= alpha
    )
    for (row, need), p in zip(rows, adjusted, strict=True):
        # Holm lets each test that comes before, having decided, drop out of the number that counts.
        before = sum(other < row.p_value for other in decided) if row.p_value is not None else 0
        needed = need.queries(alpha / max(1, among - before)) if row.difference else None
        counted = msgspec.structs.replace(row, p_adjusted=p, n_needed=needed, among=max(1, among))
        outcome, verdict = _verdict(counted, p, alpha, resamples)
        left_out = told_dropouts(row.name, row.one_sided, row.n + sum(row.one_sided))
        if left_out and row.n:
            verdict += f"{'; ' if ': ' in verdict else ': '}{left_out}"
        yield msgspec.structs.replace(counted, outcome=outcome, verdict=verdict)


def few_groups(rows: Sequence[MetricComparison]) -> Iterator[str]:
    """Notes where queries form few groups, or only one."""
    few = [row for row in rows if row.test.startswith(OVER_GROUPS)]
    if few:
        counts = sorted({row.groups or 0 for row in few})
        count = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
        yield (
            f"only {count} groups of queries that share a document or a conversation{_which(few, rows)}: "
            "a difference is tested over the groups (Student's t), so it counts only as far as they agree"
        )
    alone = [row for row in rows if row.groups == 1]
    if alone:
        yield (
            f"all queries share one document or conversation{_which(alone, rows)}: each query "
            "counts separately, so the result holds for that one only, not for others"
        )


def _which(some: Sequence[MetricComparison], rows: Sequence[MetricComparison]) -> str:
    return "" if len(some) == len(rows) else f" in {len(some):,} of {len(rows):,} metrics"


def _verdict(row: MetricComparison, p: float | None, alpha: float, resamples: int) -> tuple[str, str]:
    if row.difference is None or p is None:
        return "not decisive", "not decisive: no query has a value in both runs"
    if row.difference == 0:
        return "not decisive", f"not decisive: no difference on {_compared(row)}"
    if p <= alpha and _reaches_zero(row):
        return "not decisive", "not decisive: the interval of the difference includes 0"
    if p <= alpha and not row.has_direction:
        return "different", "different: neither a high nor a low value is good in itself"
    if p <= alpha:
        outcome = "better" if (row.difference > 0) == row.higher_is_better else "worse"
        return outcome, outcome
    return "not decisive", f"not decisive: {_what_it_takes(row, alpha, resamples)}"


def _reaches_zero(row: MetricComparison) -> bool:
    """Swapping can call a difference rare because one system always says more; the interval knows better."""
    low, high = row.confidence_interval or (1.0, 1.0)
    return low <= 0.0 <= high


def _what_it_takes(row: MetricComparison, alpha: float, resamples: int) -> str:
    alone = row.p_value is not None and row.p_value <= alpha and row.among > 1
    among = f" among {row.among:,} metrics" if row.among > 1 else ""
    if row.test.startswith("permutation") and row.p_value == 1 / (resamples + 1):
        wanted = ceil(row.among / alpha)
        return f"{resamples:,} resamples cannot distinguish it from chance{among}: {wanted:,} are needed"
    if row.n_needed is not None and row.n_needed > row.n:
        needed, there = f"{row.n_needed:,} queries", f"{row.n:,}"
        if row.unit == "group" and row.groups is not None:
            # More queries of the same groups would say little: as many more groups are wanted.
            needed += f" in {ceil(row.n_needed * row.groups / row.n):,} groups"
            there += f" in {row.groups:,}"
        lead = "clear alone, but a" if alone else "a"
        return f"{lead} difference of this size needs about {needed}{among}, and {there} were compared"
    if alone:
        return f"clear alone, but not{among}"
    return f"{_compared(row)} cannot distinguish it from chance"


def _compared(row: MetricComparison) -> str:
    queries = f"{row.n:,} {'query' if row.n == 1 else 'queries'}"
    return f"{queries} in {row.groups:,} groups" if row.unit == "group" else queries


TELLING = 0.1
"""The share of left-out queries above which the verdict mentions them."""


def told_dropouts(metric: str, one_sided: tuple[int, int], queries: int) -> str:
    """In words how many of the queries that either run has a value for are left out; empty where few are."""
    left_out = sum(one_sided)
    if left_out <= TELLING * queries:
        return ""
    missing = [(count, side) for count, side in zip(reversed(one_sided), "AB", strict=True) if count]
    where = (
        missing[0][1] if len(missing) == 1 else " or ".join(f"{side} ({count:,})" for count, side in missing)
    )
    told = f"{left_out:,} of {queries:,} queries are left out, without a value in {where}"
    others = known_metric(metric).counted_by
    counted = f"{' and '.join(others)} {'counts' if len(others) == 1 else 'count'} them"
    return f"{told}; {counted}" if others else told
