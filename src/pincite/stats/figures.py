"""Figures that are sums and differences of ratios, and how far each unit pulls them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from msgspec import Struct


class Interval(Struct, frozen=True):
    """An interval and how it was made, or no bounds and the reason."""

    bounds: tuple[float, float] | None
    method: str
    """`bca`, `wilson` or `delta`, with `, clustered` where it was; without bounds `none: ` and why."""


class Term(Struct, frozen=True):
    """One ratio of a figure: sums a unit, n × m, and the sign it enters with."""

    sign: float
    numerators: Any
    denominators: Any


class Pairs(Struct, frozen=True):
    """Two systems on the same units: queries, or clusters of them."""

    first: Term
    """A: its sums a unit."""
    second: Term
    """B."""
    there: Any
    """Which units have a value in each metric, n × m."""
    clustered: bool


def values_of(terms: Sequence[Term], sums: Callable[[Any], Any]) -> Any:
    """The figures from sums over units: `sums` maps an n × m array to whatever lines are wanted."""
    import numpy as np

    total: Any = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        for term in terms:
            total = total + term.sign * (sums(term.numerators) / sums(term.denominators))
    return np.where(np.isfinite(total), total, np.nan)


def influences(terms: Sequence[Term]) -> Any:
    """How far each unit pulls each figure: the figure's linear part, whose mean over the units is 0."""
    units = len(terms[0].numerators)
    pull: Any = 0.0
    for term in terms:
        bottom = term.denominators.sum(axis=0)
        ratio = term.numerators.sum(axis=0) / bottom
        pull = pull + term.sign * units * (term.numerators - ratio * term.denominators) / bottom
    return pull


def possible_range(terms: Sequence[Term]) -> tuple[float, float]:
    """Between what the figure can lie at all: a share in 0 to 1, the difference of two shares in −1 to 1."""
    least = most = 0.0
    for term in terms:
        lowest = 0.0 if (term.numerators >= 0).all() else -inf
        highest = 1.0 if (term.numerators <= term.denominators).all() else inf
        ends = (term.sign * lowest, term.sign * highest)
        least, most = least + min(ends), most + max(ends)
    return least, most


def part_of(terms: Sequence[Term], columns: list[int], rows: Any) -> list[Term]:
    """The terms of these columns alone, on these units."""
    return [Term(t.sign, t.numerators[rows][:, columns], t.denominators[rows][:, columns]) for t in terms]


def steady(value: float) -> float:
    """Twelve digits: the last ones depend on how a processor groups a sum."""
    return float(f"{value:.12g}")
