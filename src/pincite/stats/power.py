"""How many queries a difference needs to be seen."""

from __future__ import annotations

from math import ceil, isfinite, log, sqrt
from statistics import NormalDist

from pincite.stats.eprocess import RISK

MOST = 10**12
"""A difference that needs more queries than this is no difference that anybody will see."""

LEARNING = 1.0
"""What the betting test pays for not knowing the best bet, as a logarithm of money; found by simulation."""


def paired_power(effect: float, queries: float, *, alpha: float = 0.05) -> float:
    """The chance that a paired two-sided t-test on so many queries finds an effect of that size (d_z)."""
    from scipy.special import nctdtr, stdtrit

    freedom = queries - 1
    bar = -stdtrit(freedom, alpha / 2)
    shift = abs(effect) * sqrt(queries)
    return float(1.0 - nctdtr(freedom, shift, bar) + nctdtr(freedom, shift, -bar))


def queries_needed(effect: float | None, *, power: float = 0.8, alpha: float = 0.05) -> int | None:
    """The fewest queries on which a paired test finds an effect of that size (d_z) so often.

    None where there is no effect to find.
    """
    if effect is None or not isfinite(effect) or effect == 0:
        return None
    guess = ((quantile(1 - alpha / 2) + quantile(power)) / effect) ** 2
    if guess > 100_000:  # where t is normal, and its own tails take long
        return ceil(guess) if guess < MOST else None
    if paired_power(effect, 2, alpha=alpha) >= power:
        return 2
    low, high = 2, max(4, ceil(2 * guess))
    while paired_power(effect, high, alpha=alpha) < power:
        low, high = high, 2 * high
    while high - low > 1:  # `high` is always enough, `low` never
        middle = (low + high) // 2
        low, high = (low, middle) if paired_power(effect, middle, alpha=alpha) >= power else (middle, high)
    return high


def quantile(share: float) -> float:
    """Of the normal distribution."""
    return NormalDist().inv_cdf(share)


def sequential_queries_needed(
    difference: float, spread: float, *, power: float = 0.8, alpha: float = 0.05
) -> int | None:
    """Rows within which the betting test finds a mean difference so often, from the differences' spread.

    The logarithm of the money is a walk whose mean step g and spread s follow from the best bet that may be
    placed. It has to climb to log(2 / α), and a little higher for what learning the best bet costs:
    n · g − z · s · √n = log(2 / α) + LEARNING.
    """
    size, squares = abs(difference), spread * spread + difference * difference
    if not size or not isfinite(size) or not isfinite(spread):
        return None
    bet = min(RISK, size / squares)
    step, walk = bet * size - bet * bet * squares / 2, bet * spread
    z = quantile(power)
    root = (z * walk + sqrt(z * z * walk * walk + 4 * step * (log(2 / alpha) + LEARNING))) / (2 * step)
    return max(2, ceil(root * root)) if root * root < MOST else None


def mcnemar_queries_needed(
    only_first: float, only_second: float, *, power: float = 0.8, alpha: float = 0.05
) -> int | None:
    """The same for right-or-wrong outcomes, from the shares of queries that only A and only B got right."""
    changed, apart = only_first + only_second, only_second - only_first
    if apart == 0 or not 0 < changed <= 1:
        return None
    reach = quantile(1 - alpha / 2) * sqrt(changed) + quantile(power) * sqrt(changed - apart * apart)
    needed = (reach / apart) ** 2
    return max(2, ceil(needed - 1e-9)) if needed < MOST else None
