from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from pincite.stats import (
    Calibration,
    auroc,
    balanced_accuracy,
    best_threshold,
    calibration_error,
    cross_fitted,
    fit_platt,
    reliability,
)

LEAST_SLOPE = 0.01
EDGE = 1e-4
SCORES = st.floats(0, 1)
ROWS = st.lists(st.tuples(st.booleans(), SCORES), min_size=1, max_size=60)
TIED = st.lists(st.tuples(st.booleans(), st.integers(0, 8).map(lambda n: n / 8)), min_size=2, max_size=50)


def overconfident(rows: int, seed: int = 0) -> tuple[list[bool], list[float]]:
    """A judge whose log-odds are twice what they should be."""
    random = np.random.default_rng(seed)
    truth = random.normal(0, 1.2, rows)
    labels = random.random(rows) < 1 / (1 + np.exp(-truth))
    return labels.tolist(), (1 / (1 + np.exp(-(2 * truth + 0.5)))).tolist()


@settings(max_examples=20, deadline=None)
@given(ROWS, st.sampled_from(["mass", "width"]), st.integers(1, 12))
def test_every_row_is_in_one_bin(rows: list[tuple[bool, float]], by: str, bins: int) -> None:
    labels, scores = [label for label, _ in rows], [score for _, score in rows]
    curve = reliability(labels, scores, bins, by)  # type: ignore[arg-type]
    assert sum(one.rows for one in curve) == len(rows)
    assert len(curve) <= bins
    assert sum(one.rows * one.rate for one in curve) == pytest.approx(sum(labels))
    assert all(one.low <= one.mean_score + 1e-12 and one.mean_score <= one.high + 1e-12 for one in curve)
    assert all(first.high < second.low for first, second in pairwise(curve))


@settings(max_examples=20, deadline=None)
@given(ROWS)
def test_bins_of_equal_width_agree_with_plain_counting(rows: list[tuple[bool, float]]) -> None:
    labels, scores = np.array([label for label, _ in rows]), np.array([score for _, score in rows])
    slots = np.minimum((scores * 10).astype(int), 9)
    expected = sum(
        np.mean(slots == slot) * abs(np.mean(scores[slots == slot]) - np.mean(labels[slots == slot]))
        for slot in np.unique(slots)
    )
    assert calibration_error(labels.tolist(), scores.tolist(), by="width") == pytest.approx(expected)


def test_bins_of_equal_mass_hold_as_many_rows_each() -> None:
    labels, scores = overconfident(1000)
    assert [one.rows for one in reliability(labels, scores)] == [100] * 10


def test_true_probabilities_have_next_to_no_error_and_exaggerated_ones_have() -> None:
    labels, scores = overconfident(4000)
    true = [Calibration(0.5, -0.25).apply(score) for score in scores]
    before, after = calibration_error(labels, scores), calibration_error(labels, true)
    assert before is not None and after is not None
    assert after < 0.03 < 0.08 < before
    assert calibration_error([], []) is None


def test_fitting_finds_the_scale_that_the_scores_were_made_with() -> None:
    labels, scores = overconfident(6000)
    fitted = fit_platt(scores, labels)
    assert fitted.slope == pytest.approx(0.5, abs=0.05)
    assert fitted.intercept == pytest.approx(-0.25, abs=0.08)


@settings(max_examples=20, deadline=None)
@given(TIED)
def test_the_fit_is_the_least_of_the_penalised_loss(rows: list[tuple[bool, float]]) -> None:
    labels, scores = np.array([label for label, _ in rows]), [score for _, score in rows]
    kept = np.clip(scores, EDGE, 1 - EDGE)
    odds = np.log(kept / (1 - kept))
    yes, no = labels.sum(), (~labels).sum()
    wanted = np.where(labels, (yes + 1) / (yes + 2), 1 / (no + 2))

    def loss(at: np.ndarray) -> float:
        z = at[0] * odds + at[1]
        return float(np.sum(np.logaddexp(0, z) - wanted * z) + ((at[0] - 1) ** 2 + at[1] ** 2) / 2)

    fitted = fit_platt(scores, labels.tolist())
    bounds = [(LEAST_SLOPE, None), (None, None)]
    least = optimize.minimize(loss, [1.0, 0.0], bounds=bounds, method="L-BFGS-B")
    assert loss(np.array([fitted.slope, fitted.intercept])) <= least.fun + 1e-6


@settings(max_examples=20, deadline=None)
@given(TIED)
def test_calibrating_keeps_the_order_and_stays_between_0_and_1(rows: list[tuple[bool, float]]) -> None:
    labels, scores = [label for label, _ in rows], [score for _, score in rows]
    fitted = fit_platt(scores, labels)
    moved = [fitted.apply(score) for score in scores]
    assert all(0 < score < 1 for score in moved)
    area = auroc(labels, scores)
    assert auroc(labels, moved) == (None if area is None else pytest.approx(area))


def test_rows_that_a_threshold_separates_do_not_carry_the_fit_off() -> None:
    labels, scores = [False] * 50 + [True] * 50, [0.1] * 50 + [0.9] * 50
    fitted = fit_platt(scores, labels)
    assert 0.5 < fitted.slope < 5
    assert math.isfinite(fitted.intercept)
    assert fit_platt([0.0, 1.0], [True, True]).slope >= LEAST_SLOPE


def test_a_judge_that_is_always_wrong_is_made_to_say_little_but_never_turned_round() -> None:
    fitted = fit_platt([0.1] * 50 + [0.9] * 50, [True] * 50 + [False] * 50)
    assert fitted.slope == LEAST_SLOPE
    assert fitted.apply(0.9) > fitted.apply(0.1)
    assert fitted.apply(0.9) == pytest.approx(0.5, abs=0.02)


def test_the_error_after_cross_fitting_is_lower_and_the_same_each_time() -> None:
    labels, scores = overconfident(800)
    moved = cross_fitted(scores, labels)
    assert moved == cross_fitted(scores, labels)
    before, after = calibration_error(labels, scores), calibration_error(labels, moved)
    assert before is not None and after is not None and after < before


@settings(max_examples=20, deadline=None)
@given(TIED)
def test_no_threshold_agrees_better_than_the_best(rows: list[tuple[bool, float]]) -> None:
    labels, scores = [label for label, _ in rows], [score for _, score in rows]
    found = best_threshold(labels, scores)
    if len(set(labels)) < 2 or len(set(scores)) < 2:
        assert found is None
        return
    assert found is not None
    said = [score >= found.value for score in scores]
    assert found.balanced_accuracy == pytest.approx(balanced_accuracy(labels, said))
    for other in np.linspace(0.01, 0.99, 60):
        tried = [score >= other for score in scores]
        if 0 < sum(tried) < len(tried):
            assert (balanced_accuracy(labels, tried) or 0) <= found.balanced_accuracy + 1e-12
