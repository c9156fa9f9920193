"""How many queries a difference needs to be seen."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, isfinite, log, log2, sqrt
from statistics import NormalDist

from pincite.stats.eprocess import RISK

MOST = 10**12
"""A difference that needs more queries than this is no difference that anybody will see."""

LEARNING = 1.0
"""What the betting test pays for not knowing the best bet, as a logarithm of money; found by simulation."""


def paired_power(effect: float, queries: float, *, alpha: float = 0.05) -> float:
    """The chance that a paired two-sided t-test on so many queries finds an effect of that size (d_z)."""
    from scipy.special import chdtr, nctdtr, stdtrit

    freedom = queries - 1
    bar = -stdtrit(freedom, alpha / 2)
    shift = abs(effect) * sqrt(queries)
    within, beyond = float(nctdtr(freedom, shift, bar)), float(nctdtr(freedom, shift, -bar))
    if not isfinite(within):
        # So large a shift outweighs the noise of the mean: only the spread decides if it passes the bar.
        return float(chdtr(freedom, freedom * (shift / bar) ** 2))
    # The tail on the other side is no number where it is too small for one.
    return 1.0 - within + (beyond if isfinite(beyond) else 0.0)


def queries_needed(effect: float | None, *, power: float = 0.8, alpha: float = 0.05) -> int | None:
    """The fewest queries on which a paired test finds an effect of that size (d_z) so often.

    None where there is no effect to find.
    """
    if effect is None or not isfinite(effect) or effect == 0:
        return None
    guess = ((quantile(1 - alpha / 2) + quantile(power)) / effect) ** 2
    if guess > 100_000:  # where t is normal, and its own tails take long
        return ceil(guess) if guess < MOST else None
    return _fewest(lambda queries: paired_power(effect, queries, alpha=alpha) >= power, 2, ceil(2 * guess))


def units_for_least_p(moving: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """The fewest units of which so often enough add to a difference that turning them round can decide it.

    `moving` is the share of units that do. Of k such units there are 2 to the power of k ways, and the least
    two-sided p is two of them.
    """
    from scipy.special import bdtrc

    wanted = max(1, ceil(1 - log2(alpha)))
    if moving >= 1:
        return wanted
    return _fewest(
        lambda units: float(bdtrc(wanted - 1, units, moving)) >= power, wanted, ceil(2 * wanted / moving)
    )


def _fewest(enough: Callable[[int], bool], least: int, guess: int) -> int:
    """The smallest number that is enough, `least` or more, where every larger one is enough too."""
    if enough(least):
        return least
    low, high = least, max(least + 1, guess)
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:  # `high` is always enough, `low` never
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
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
    """The same for right-or-wrong outcomes, from the shares of queries that only A and only B got right.

    For the exact test, whose steps cost one query of the difference: n·d − 1 = √n · (z·√c + z′·√(c − d²))
    with d the difference and c the share of changed queries. Where all changed alike it is enough that so
    many do.
    """
    changed, apart = only_first + only_second, abs(only_second - only_first)
    if apart == 0 or not 0 < changed <= 1 + 1e-9:
        return None
    if apart == changed:
        return units_for_least_p(changed, power=power, alpha=alpha)
    reach = quantile(1 - alpha / 2) * sqrt(changed)
    reach += quantile(power) * sqrt(max(0.0, changed - apart * apart))
    needed = ((reach + sqrt(reach * reach + 4 * apart)) / (2 * apart)) ** 2
    return max(2, ceil(needed - 1e-9)) if needed < MOST else None
