"""A test that may be looked at after every row: betting on paired differences between −1 and 1.

Somebody bets against "the mean difference is m", a part of their money on each row, and the size of the next
bet is settled before its row is seen. If the statement is true the bets are fair, so the chance that the
money ever grows 20-fold is at most 1 in 20, however often one looks. The money is the e-value.

For a mean of m the money after rows d₁ … d_t is half of each of

    Π (1 + up_i · (d_i − m))    and    Π (1 − down_i · (d_i − m))

with bets that follow what the rows before told about mean and variance (approximate growth-rate-adaptive
bets), and never risk more than three quarters of the money on one row.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, log
from typing import Any

from msgspec import Struct

from pincite.base import np

RISK = 0.75
"""The largest part of the money that one row may cost."""
CALM = 15
"""Rows of no difference that the mean is begun with: the first few rows decide no large bet."""
GRID = 401
FINE = 30
"""Halvings of a step of the grid, when the end of the confidence sequence is looked for."""


class BettingEvidence(Struct, frozen=True):
    """What the rows say so far. Valid at any time, whatever one does on seeing it."""

    rows: int
    mean: float | None
    e_value: float
    """Against "no difference"; 20 is as strong as p = 0.05."""
    e_higher: float
    """Against "B is not higher than A"."""
    e_lower: float
    """Against "B is not lower than A"."""
    p_value: float
    """1 ÷ the largest e-value so far."""
    confidence_sequence: tuple[float, float]
    """Holds the true mean difference at all times at once, with the chance asked for."""
    crossed_at: int | None
    """The first row after which the e-value had reached 1 ÷ α."""


def betting(differences: Sequence[float] | Any, *, alpha: float = 0.05) -> BettingEvidence:
    """The evidence of differences (B less A) in the order in which they came."""
    rows = np.asarray(differences, dtype=float)
    if not np.all(np.isfinite(rows)) or np.any(np.abs(rows) > 1):
        raise ValueError("every difference lies between −1 and 1")
    if not len(rows):
        return BettingEvidence(0, None, 1.0, 1.0, 1.0, 1.0, (-1.0, 1.0), None)
    up, down = _money(rows, _before(rows), 0.0)
    both = log_e_values(rows)
    bar = log(1.0 / alpha)
    crossed = np.flatnonzero(both >= bar)
    return BettingEvidence(
        rows=len(rows),
        mean=float(rows.mean()),
        e_value=_number(both[-1]),
        e_higher=_number(up[-1]),
        e_lower=_number(down[-1]),
        p_value=float(np.exp(-max(0.0, float(both.max())))),
        confidence_sequence=confidence_sequence(rows, alpha=alpha),
        crossed_at=int(crossed[0]) + 1 if len(crossed) else None,
    )


def log_e_values(rows: Any, mean: float = 0.0, known: tuple[Any, Any] | None = None) -> Any:
    """The logarithm of the e-value against "the mean difference is `mean`", after each row."""
    up, down = _money(rows, _before(rows) if known is None else known, mean)
    return np.logaddexp(up, down) - log(2.0)


def confidence_sequence(differences: Sequence[float] | Any, *, alpha: float = 0.05) -> tuple[float, float]:
    """Every mean that the bets against it have not ruled out, at any row so far."""
    rows = np.asarray(differences, dtype=float)
    known = _before(rows)
    bar = log(1.0 / alpha)

    def ruled_out(mean: float) -> bool:
        return len(rows) > 0 and bool(np.max(log_e_values(rows, mean, known)) >= bar)

    grid = np.linspace(-1.0, 1.0, GRID)
    kept = [float(mean) for mean in grid if not ruled_out(mean)]
    if not kept:  # everything is ruled out at the grid's steps: what is left lies by the rows' own mean
        kept = [float(rows.mean())]
    step = 2.0 / (GRID - 1)
    low = _edge(ruled_out, max(-1.0, kept[0] - step), kept[0])
    return low, _edge(ruled_out, min(1.0, kept[-1] + step), kept[-1])


def _edge(ruled_out: Any, out: float, kept: float) -> float:
    """Where, between a mean that is ruled out and one that is kept, the last ruled-out one lies."""
    if not ruled_out(out):
        return out
    for _ in range(FINE):
        if abs(out - kept) < 1e-6:
            break
        middle = (out + kept) / 2
        out, kept = (middle, kept) if ruled_out(middle) else (out, middle)
    return out


def _before(rows: Any) -> tuple[Any, Any]:
    """Mean and variance of the rows before each one; the variance is begun with one row of ¼."""
    sums = np.cumsum(rows)
    seen = np.arange(len(rows))
    means = np.concatenate([[0.0], sums[:-1]]) / (seen + CALM)
    apart = (rows - sums / (seen + 1 + CALM)) ** 2
    variances = (0.25 + np.concatenate([[0.0], np.cumsum(apart)[:-1]])) / (seen + 1)
    return means, variances


def _money(rows: Any, known: tuple[Any, Any], mean: float) -> tuple[Any, Any]:
    """The logarithm of the money after each row, for the one who bets on more than `mean`, and on less."""
    means, variances = known
    apart = means - mean
    wanted = apart / (variances + apart * apart)
    up = np.clip(wanted, 0.0, RISK / (1.0 + mean) if mean > -1 else RISK)
    down = np.clip(-wanted, 0.0, RISK / (1.0 - mean) if mean < 1 else RISK)
    return np.cumsum(np.log1p(up * (rows - mean))), np.cumsum(np.log1p(-down * (rows - mean)))


def _number(logarithm: float) -> float:
    """e to that power, kept to what a float and JSON can hold."""
    from math import exp

    value = exp(min(700.0, float(logarithm)))
    return value if isfinite(value) else exp(700.0)
