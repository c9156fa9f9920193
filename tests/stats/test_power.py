from __future__ import annotations

from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import binom
from statsmodels.stats.power import TTestPower

from pincite.stats import mcnemar, mcnemar_queries_needed, queries_needed, units_for_least_p


@pytest.mark.parametrize("effect", [0.02, 0.05, 0.2, -0.35, 0.5, 1.0, 2.5])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_the_queries_needed_are_those_of_statsmodels(effect: float, power: float) -> None:
    theirs = TTestPower().solve_power(effect_size=abs(effect), alpha=0.05, power=power)
    assert queries_needed(effect, power=power) == pytest.approx(max(2, ceil(theirs)), abs=1)


@pytest.mark.parametrize("effect", [0.3, 1.0, 5.0, 6.7, 30.0, 1e6])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 31, 1e-4])
def test_so_many_queries_find_an_effect_that_often_and_one_fewer_does_not(
    effect: float, alpha: float
) -> None:
    needed = queries_needed(effect, alpha=alpha)
    assert needed is not None

    def found(queries: int) -> float:
        drawn = np.random.default_rng(1).normal(effect, 1.0, (queries, 20_000))
        reached = np.abs(stats.ttest_1samp(drawn, 0.0).statistic) > stats.t.ppf(1 - alpha / 2, queries - 1)
        return float(reached.mean())

    assert found(needed) >= 0.79
    assert needed == 2 or found(needed - 1) < 0.81


def test_a_tiny_effect_needs_very_many_queries_and_none_needs_none() -> None:
    assert queries_needed(0.001) == pytest.approx(7_848_880, rel=0.001)
    assert queries_needed(0.0) is None
    assert queries_needed(None) is None
    assert queries_needed(1e-9) is None


@pytest.mark.parametrize("shares", [(0.1, 0.2), (0.02, 0.1), (0.05, 0.4), (0.0, 0.3), (0.6, 0.0), (0.3, 0.4)])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 6, 0.05 / 31])
def test_so_many_right_or_wrong_queries_find_the_difference_that_often(
    shares: tuple[float, float], alpha: float
) -> None:
    needed = mcnemar_queries_needed(*shares, alpha=alpha)
    assert needed is not None
    random = np.random.default_rng(3)
    changed = random.multinomial(needed, [*shares, 1 - sum(shares)], size=2000)
    found = sum(mcnemar(int(only_a), int(only_b)) <= alpha for only_a, only_b, _ in changed)
    assert 0.77 <= found / 2000 <= 0.92


@given(st.floats(0.01, 1.0), st.floats(1e-5, 0.2))
def test_so_many_units_are_enough_for_the_least_p_and_one_fewer_is_not(moving: float, alpha: float) -> None:
    needed = units_for_least_p(moving, alpha=alpha)

    def chance(units: int) -> float:
        """That of so many moving units for which two ways of all are rare enough."""
        wanted = next(count for count in range(1, 40) if 2 / 2**count <= alpha)
        return float(binom.sf(wanted - 1, units, moving))

    assert chance(needed) >= 0.8 - 1e-9
    assert chance(needed - 1) < 0.8


def test_right_or_wrong_outcomes_without_a_difference_need_no_number() -> None:
    assert mcnemar_queries_needed(0.1, 0.1) is None
    assert mcnemar_queries_needed(0.0, 0.0) is None
    assert mcnemar_queries_needed(0.0, 1.0) is not None
