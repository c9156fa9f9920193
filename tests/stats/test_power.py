from __future__ import annotations

from math import ceil

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from pincite.stats.power import mcnemar_queries_needed, paired_power, queries_needed
from pincite.stats.tests import mcnemar


@pytest.mark.parametrize("effect", [0.02, 0.05, 0.2, -0.35, 0.5, 1.0, 2.5])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_the_queries_needed_are_those_of_statsmodels(effect: float, power: float) -> None:
    theirs = TTestPower().solve_power(effect_size=abs(effect), alpha=0.05, power=power)
    assert queries_needed(effect, power=power) == pytest.approx(max(2, ceil(theirs)), abs=1)


def test_the_power_is_that_of_statsmodels() -> None:
    assert paired_power(0.3, 40) == pytest.approx(TTestPower().power(0.3, 40, 0.05))


def test_a_tiny_effect_needs_very_many_queries_and_none_needs_none() -> None:
    assert queries_needed(0.001) == pytest.approx(7_848_880, rel=0.001)
    assert queries_needed(0.0) is None
    assert queries_needed(None) is None
    assert queries_needed(1e-9) is None


def test_so_many_right_or_wrong_queries_find_the_difference_that_often() -> None:
    needed = mcnemar_queries_needed(0.10, 0.20)
    assert needed is not None
    random = np.random.default_rng(3)
    found = 0
    for _ in range(2000):
        only_a, only_b, _ = random.multinomial(needed, [0.10, 0.20, 0.70])
        found += mcnemar(int(only_a), int(only_b), exact=False) <= 0.05
    assert 0.74 <= found / 2000 <= 0.86


def test_right_or_wrong_outcomes_without_a_difference_need_no_number() -> None:
    assert mcnemar_queries_needed(0.1, 0.1) is None
    assert mcnemar_queries_needed(0.0, 0.0) is None
    assert mcnemar_queries_needed(0.0, 1.0) is not None
