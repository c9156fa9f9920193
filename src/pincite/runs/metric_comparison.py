"""One metric in two runs: what it is in each, how far they are apart, and the verdict in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import ceil
from typing import Any, Literal

import msgspec
from msgspec import Struct

from pincite.base import np
from pincite.metrics import known_metric
from pincite.stats import (
    cohen_dz,
    cohen_g,
    holm,
    mcnemar,
    mcnemar_queries_needed,
    name_of_group_test,
    pair_up,
    paired_differences,
    queries_needed,
    spread_with_none,
    units_for_least_p,
)

FEWEST_GROUPS = 12
"""With fewer groups of related queries, turning whole groups round decides nothing among many metrics: with g
groups the least p is 2 ÷ 2 to the power of g. Student's t over the groups has no such floor."""
POWER = 0.8
NEAR = 1e-12
"""Figures that are closer than this differ by rounding alone."""

Units = Literal["queries", "few groups", "groups"]
"""What is taken for one thing: each query, or whole groups, by Student's t where they are few."""
_TESTS = {"queries": "permutation", "groups": "permutation, clustered"}


class MetricComparison(Struct, frozen=True, kw_only=True):
    """One metric in both runs, on the queries that have a value in both."""

    name: str
    a: float | None
    b: float | None
    difference: float | None
    """B less A."""
    confidence_interval: tuple[float, float] | None
    p_value: float | None
    p_adjusted: float | None
    """By Holm's method, for the number of metrics that were asked for."""
    test: str
    """`permutation`, or that with `, clustered`; `t over 6 groups` where they are few; `mcnemar`; `none`
    without anything to test."""
    effect_size: float | None
    n_needed: int | None
    """Queries for a power of 80% at this difference, among as many metrics; None where there is none."""
    unit: Literal["query", "group"] = "query"
    """What test and interval take for one thing: a query, or a group that shares a document or conversation.
    If all queries are in one group it is the query, and the result holds for that document only."""
    among: int = 1
    """Metrics that `p_adjusted` is adjusted for."""
    effect: str = ""
    """Which effect size it is: `cohen_dz` or `cohen_g`."""
    method: str = ""
    """How the interval was made, or why there is none."""
    n: int = 0
    """Queries with a value in both runs."""
    groups: int | None = None
    """Groups of these queries that share a document or a conversation; None if none do."""
    not_scorable: tuple[int, int] = (0, 0)
    """Paired queries with nothing to score in A, in B."""
    unjudged: tuple[int, int] = (0, 0)
    one_sided: tuple[int, int] = (0, 0)
    """Paired queries with a value in A only, in B only; they are left out."""
    higher_is_better: bool = True
    has_direction: bool = True
    """False where neither a high nor a low value is good in itself."""
    outcome: str = "not decisive"
    """`better`, `worse` or `not decisive`, of B beside A; `different` for a metric without a direction."""
    verdict: str = ""
    """The outcome in words, with how many queries it would take where it is not decisive."""


class Need(Struct, frozen=True):
    """What decides how many queries a difference of this size would need."""

    effect: float | None = None
    """In standard deviations of what each unit adds to the difference; None where these do not vary."""
    only_first: float | None = None
    """Of right-or-wrong outcomes the share of queries that only A got right."""
    only_second: float | None = None
    moving: float = 0.0
    """The share of units that add anything to the difference: the others decide nothing."""
    queries_a_unit: float = 1.0
    units: Units = "queries"

    def queries(self, alpha: float) -> int | None:
        """For a power of 80% where p must not be above `alpha`; None where there is no difference."""
        if not self.moving:
            return None
        least = units_for_least_p(self.moving, power=POWER, alpha=alpha)
        if self.only_first is not None and self.only_second is not None:
            needed = mcnemar_queries_needed(self.only_first, self.only_second, power=POWER, alpha=alpha)
        elif self.effect is None:
            needed = least
        else:
            needed = queries_needed(self.effect, power=POWER, alpha=alpha)
        if needed is None:
            return None
        if self.units != "few groups" or needed >= FEWEST_GROUPS:
            needed = max(needed, least)
        return ceil(needed * self.queries_a_unit)


def group_counts(columns: tuple[Any, Any, Any, Any], clusters: Any | None) -> list[int | None]:
    """The number of groups among the queries with a value in both runs, per metric; None without groups."""
    both = ~np.isnan(np.stack(columns)).any(axis=0)
    if clusters is None:
        return [None] * both.shape[1]
    counts = [len(np.unique(clusters[both[:, column]])) for column in range(both.shape[1])]
    return [count if count < int(both[:, column].sum()) else None for column, count in enumerate(counts)]


def units_of(groups: int | None) -> Units:
    """The units of the test for a metric whose queries form so many groups.

    One group cannot be compared with others, so each query then counts separately.
    """
    if groups is None or groups < 2:
        return "queries"
    return "groups" if groups >= FEWEST_GROUPS else "few groups"


def figures(
    columns: tuple[Any, Any, Any, Any], clusters: Any | None, units: Units, p_value: float | None
) -> tuple[dict[str, Any], Need]:
    """Values, difference, test and effect size of one metric; `clusters` where whole groups are the units."""
    both = ~np.isnan(np.stack(columns)).any(axis=0)
    a_top, a_bottom, b_top, b_bottom = (column[both] for column in columns)
    n = int(both.sum())
    if not n or not a_bottom.sum() or not b_bottom.sum():
        nothing = dict.fromkeys(("a", "b", "difference", "p_value", "effect_size"))
        return {**nothing, "test": "none", "n": n}, Need()
    a, b = float(a_top.sum() / a_bottom.sum()), float(b_top.sum() / b_bottom.sum())
    found = {"a": a, "b": b, "difference": b - a if abs(b - a) > NEAR else 0.0, "n": n}
    if units == "queries" and _is_binary(a_top, a_bottom) and _is_binary(b_top, b_bottom):
        only_a, only_b = int(((a_top == 1) & (b_top == 0)).sum()), int(((a_top == 0) & (b_top == 1)).sum())
        tested = {
            "test": "mcnemar",
            "p_value": mcnemar(only_a, only_b),
            "effect_size": cohen_g(only_a, only_b),
            "effect": "cohen_g",
        }
        need = Need(only_first=only_a / n, only_second=only_b / n, moving=(only_a + only_b) / n)
        return {**found, **tested}, need
    sides = (a_top, a_bottom), (b_top, b_bottom)
    together = None if units == "queries" or clusters is None else clusters[both]
    shares = paired_differences(pair_up(*sides, clusters=together), 0)
    tested = {
        "test": name_of_group_test(len(shares)) if units == "few groups" else _TESTS[units],
        "p_value": p_value,
        "effect_size": cohen_dz(paired_differences(pair_up(*sides), 0)),
        "effect": "cohen_dz",
    }
    need = Need(
        effect=_effect(shares, units),
        moving=float(np.count_nonzero(shares)) / len(shares) if found["difference"] else 0.0,
        queries_a_unit=n / len(shares),
        units=units,
    )
    return {**found, **tested}, need


def _effect(shares: Any, units: Units) -> float | None:
    if units != "few groups":
        return cohen_dz(shares)
    spread = spread_with_none(shares)
    return float(shares.mean()) / spread if spread else None


def one_sided(columns: tuple[Any, Any, Any, Any]) -> tuple[int, int]:
    """Queries that have a value in A only, and in B only."""
    in_a = ~(np.isnan(columns[0]) | np.isnan(columns[1]))
    in_b = ~(np.isnan(columns[2]) | np.isnan(columns[3]))
    return int((in_a & ~in_b).sum()), int((in_b & ~in_a).sum())


def _is_binary(top: Any, bottom: Any) -> bool:
    return bool(np.all(bottom == 1.0) and np.all((top == 0.0) | (top == 1.0)))


# --- the verdict ----------------------------------------------------------------------------------


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
