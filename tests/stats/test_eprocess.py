from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.stats import betting, sequential_queries_needed

CALM, RISK = 15, 0.75


def by_hand(rows: list[float]) -> float:
    """The money of both bettors against "no difference", row by row as it is told."""
    up = down = 1.0
    total, spread = 0.0, 0.25
    for before, row in enumerate(rows):
        mean, variance = total / (before + CALM), spread / (before + 1)
        bet = mean / (variance + mean * mean)
        up *= 1 + min(max(bet, 0.0), RISK) * row
        down *= 1 - min(max(-bet, 0.0), RISK) * row
        total += row
        spread += (row - total / (before + 1 + CALM)) ** 2
    return (up + down) / 2


@given(st.lists(st.floats(-1, 1), max_size=40))
@settings(max_examples=25, deadline=None)
def test_the_e_value_is_what_the_bets_make_of_the_money(rows: list[float]) -> None:
    found = betting(rows)
    assert found.e_value == pytest.approx(by_hand(rows))
    assert 0 < found.p_value <= 1
    low, high = found.confidence_sequence
    assert -1 <= low <= high <= 1


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40))
@settings(max_examples=15, deadline=None)
def test_swapping_the_systems_mirrors_everything(rows: list[float]) -> None:
    one, other = betting(rows), betting([-row for row in rows])
    assert other.e_value == pytest.approx(one.e_value)
    assert other.e_higher == pytest.approx(one.e_lower)
    assert other.confidence_sequence[0] == pytest.approx(-one.confidence_sequence[1], abs=1e-4)


def test_looking_after_every_row_crosses_twenty_for_at_most_one_in_twenty_null_tests() -> None:
    random = np.random.default_rng(6)
    trials, rows = 2000, 400
    for name, drawn in {
        "coins": random.choice([-1.0, 1.0], (trials, rows)),
        "mostly equal": random.choice([-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], (trials, rows)),
        "skewed": np.where(random.random((trials, rows)) < 0.1, 0.9, -0.1),
        "wide": random.uniform(-1, 1, (trials, rows)),
    }.items():
        crossed = (first_crossings(drawn) > 0).mean()
        # Two thousand trials leave a standard error of half a percent.
        assert crossed <= 0.05 + 0.01, name


@pytest.mark.parametrize(
    ("mean", "spread"), [(0.03, 0.3), (0.1, 0.3), (0.03, 0.15), (0.1, 0.5), (0.015, 0.05)]
)
def test_the_planned_rows_find_the_difference_at_least_that_often(mean: float, spread: float) -> None:
    rows = sequential_queries_needed(mean, spread)
    assert rows is not None
    random = np.random.default_rng(12)
    drawn = np.clip(random.normal(mean, spread, (200, rows)), -1, 1)
    assert (first_crossings(drawn) > 0).mean() >= 0.74


def test_a_true_difference_is_found_with_not_many_more_rows_than_a_fixed_test_needs() -> None:
    """A mean of 0.1 with a spread of 0.4 needs 128 rows for 80% power of a t-test."""
    drawn = np.clip(np.random.default_rng(7).normal(0.1, 0.4, (200, 1000)), -1, 1)
    stops = first_crossings(drawn)
    assert (stops > 0).sum() >= 190
    assert np.median(stops[stops > 0]) <= 2.2 * 128


def first_crossings(trials: np.ndarray) -> np.ndarray:
    """The row of each trial after which its money had grown 20-fold, as `by_hand` tells it; 0 for none."""
    up, down = np.ones(len(trials)), np.ones(len(trials))
    total, spread = np.zeros(len(trials)), np.full(len(trials), 0.25)
    crossed = np.zeros(len(trials), dtype=int)
    for before, row in enumerate(trials.T):
        mean, variance = total / (before + CALM), spread / (before + 1)
        bet = mean / (variance + mean * mean)
        up *= 1 + np.clip(bet, 0, RISK) * row
        down *= 1 - np.clip(-bet, 0, RISK) * row
        total = total + row
        spread = spread + (row - total / (before + 1 + CALM)) ** 2
        crossed = np.where((crossed == 0) & (up + down >= 40), before + 1, crossed)
    return crossed


def test_the_confidence_sequence_closes_in_on_the_mean_and_agrees_with_the_stop() -> None:
    random = np.random.default_rng(9)
    rows = np.clip(random.normal(0.15, 0.3, 800), -1, 1)
    found = betting(rows)
    low, high = found.confidence_sequence
    assert low < rows.mean() < high
    assert high - low < 0.15
    assert found.crossed_at is not None and low > 0
    assert found.crossed_at == first_crossings(rows[None, :])[0]
    assert betting(rows[: found.crossed_at - 1]).crossed_at is None
    earlier = betting(rows[:200]).confidence_sequence
    assert earlier[0] <= low and high <= earlier[1]


@pytest.mark.slow
def test_the_confidence_sequence_holds_the_mean_at_all_times_in_nineteen_of_twenty_tests() -> None:
    random = np.random.default_rng(10)
    inside = 0
    for _ in range(400):
        rows = np.where(random.random(300) < 0.3, 0.8, -0.2)  # a mean of 0.1
        low, high = betting(rows).confidence_sequence
        inside += low <= 0.1 <= high
    assert inside / 400 >= 0.94


def test_no_rows_say_nothing() -> None:
    found = betting([])
    assert (found.e_value, found.p_value, found.mean) == (1.0, 1.0, None)
    assert found.confidence_sequence == (-1.0, 1.0)


@pytest.mark.parametrize("row", [1.01, -2.0, float("nan"), float("inf")])
def test_a_difference_out_of_range_is_refused(row: float) -> None:
    with pytest.raises(ValueError, match="between"):
        betting([0.1, row])


def test_endless_evidence_stays_a_number() -> None:
    found = betting([1.0] * 5000)
    assert np.isfinite(found.e_value)
    assert found.e_lower <= 1.0
