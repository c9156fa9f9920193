"""Figures that are sums and differences of ratios, and how far each unit pulls them.

The units that statistics resample: queries, or clusters of queries that share a document or conversation.

Every metric over a dataset is a ratio of sums. One that is a mean has 1 in every denominator. A sum over a
cluster's queries is as good as the queries themselves, so clusters need no method of their own: they are
just fewer and larger units.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from msgspec import Struct

from pincite.base import np

PIECE = 250_000
"""Multiplications that numeric libraries do not split over threads."""


class Interval(Struct, frozen=True):
    """An interval and how it was made, or no bounds and the reason."""

    bounds: tuple[float, float] | None
    method: str
    """`bca`, `wilson` or `delta`, with `, clustered` where it was; without bounds `none: ` and why."""


class RatioTerm(Struct, frozen=True):
    """One ratio of a figure: sums per unit, n × m, and the sign it enters with."""

    sign: float
    numerators: Any
    denominators: Any


class Pairs(Struct, frozen=True):
    """Two systems on the same units: queries, or clusters of them."""

    first: RatioTerm
    """A: its sums per unit."""
    second: RatioTerm
    """B."""
    there: Any
    """Which units have a value in each metric, n × m."""
    clustered: bool


def values_of(terms: Sequence[RatioTerm], sums: Callable[[Any], Any]) -> Any:
    """The figures from sums over units: `sums` maps an n × m array to whatever lines are wanted."""
    total: Any = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        for term in terms:
            total = total + term.sign * (sums(term.numerators) / sums(term.denominators))
    return np.where(np.isfinite(total), total, np.nan)


def influences(terms: Sequence[RatioTerm]) -> Any:
    """How far each unit pulls each figure: the figure's linear part, whose mean over the units is 0."""
    units = len(terms[0].numerators)
    pull: Any = 0.0
    for term in terms:
        bottom = term.denominators.sum(axis=0)
        ratio = term.numerators.sum(axis=0) / bottom
        pull = pull + term.sign * units * (term.numerators - ratio * term.denominators) / bottom
    return pull


def possible_range(terms: Sequence[RatioTerm]) -> tuple[float, float]:
    """Between what the figure can lie at all: a share in 0 to 1, the difference of two shares in −1 to 1."""
    least = most = 0.0
    for term in terms:
        lowest = 0.0 if (term.numerators >= 0).all() else -inf
        highest = 1.0 if (term.numerators <= term.denominators).all() else inf
        ends = (term.sign * lowest, term.sign * highest)
        least, most = least + min(ends), most + max(ends)
    return least, most


def part_of(terms: Sequence[RatioTerm], columns: list[int], rows: Any) -> list[RatioTerm]:
    """The terms of these columns alone, on these units."""
    return [
        RatioTerm(t.sign, t.numerators[rows][:, columns], t.denominators[rows][:, columns]) for t in terms
    ]


def steady(value: float) -> float:
    """Twelve digits: the last ones depend on how a processor groups a sum."""
    return float(f"{value:.12g}")


# --- units ---


def as_columns(values: Any) -> Any:
    """An n × m array of floats; one column may be given without its second axis."""
    columns = np.asarray(values, dtype=float)
    return columns[:, None] if columns.ndim == 1 else columns


def cluster_codes(clusters: Any, rows: int) -> Any | None:
    """Each row's cluster as a number, or None if rows are independent. A cluster None is a row's own.

    Rows that are all of one cluster count as independent too: the result then holds for that document only.
    """
    if clusters is None:
        return None
    if len(clusters) != rows:
        raise ValueError(f"{len(clusters)} clusters for {rows} rows")
    if isinstance(clusters, np.ndarray) and clusters.dtype.kind in "iu":
        numbers, codes = np.unique(clusters, return_inverse=True)
        return codes if 1 < len(numbers) < rows else None
    seen: dict[Any, int] = {}
    codes = np.empty(rows, dtype=np.int64)
    for row, cluster in enumerate(clusters):
        key = ("row", row) if cluster is None else ("cluster", cluster)
        codes[row] = seen.setdefault(key, len(seen))
    return codes if 1 < len(seen) < rows else None


def summed(columns: Any, codes: Any | None) -> Any:
    """The columns' sums per unit. NaN (a query without a value) adds nothing."""
    filled = np.nan_to_num(columns, nan=0.0)
    if codes is None:
        return filled
    units = int(codes.max()) + 1 if len(codes) else 0
    return np.stack(
        [np.bincount(codes, weights=column, minlength=units) for column in filled.T], axis=1
    ).reshape(units, filled.shape[1])


def product(lines: Any, columns: Any) -> Any:
    """`lines @ columns`, in pieces that a numeric library computes on one thread.

    For products of this shape threads gain little, and on a busy machine they wait for each other many times
    longer than the work takes. The order of the sums does not depend on the number of cores either.
    """
    columns = np.ascontiguousarray(columns)
    at_once = 64
    piece = max(16, PIECE // (at_once * max(1, columns.shape[1])))
    total = np.zeros((len(lines), columns.shape[1]))
    for line in range(0, len(lines), at_once):
        for start in range(0, len(columns), piece):
            total[line : line + at_once] += (
                lines[line : line + at_once, start : start + piece] @ columns[start : start + piece]
            )
    return total
