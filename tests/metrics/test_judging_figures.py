from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.metrics import JudgedRow, measure_judge


def rows(count: int, seed: int = 0, labelled: float = 1.0) -> list[JudgedRow]:
    """A judge that is mostly right and says supported too often."""
    random = np.random.default_rng(seed)
    made = []
    for number in range(count):
        truth = bool(random.random() < 0.5)
        score = float(np.clip(random.normal(0.75 if truth else 0.5, 0.15), 0, 1))
        known = truth if random.random() < labelled else None
        outcome = "supported" if score >= 0.5 else "not_enough"
        made.append(JudgedRow(outcome, score, known, "ab"[number % 2]))  # type: ignore[arg-type]
    return made


def test_figures_have_intervals_that_hold_them() -> None:
    figures = measure_judge(rows(300))
    shown = figures.agreement
    for figure in (shown.accuracy, shown.balanced_accuracy, shown.macro_f1, shown.kappa, shown.auroc):
        assert figure.value is not None and figure.interval is not None
        assert figure.interval[0] <= figure.value <= figure.interval[1]
    assert list(figures.by_source) == ["a", "b"]
    assert sum(part.rows for part in figures.by_source.values()) == shown.rows == 300


def test_a_threshold_is_found_and_scores_are_made_truer() -> None:
    figures = measure_judge(rows(600))
    assert figures.calibration is not None and figures.threshold is not None
    assert figures.calibration.error_after < figures.calibration.error_before
    best = figures.threshold
    assert best.value.interval is not None
    assert best.value.interval[0] <= 0.63 <= best.value.interval[1]
    assert figures.agreement.balanced_accuracy.value is not None
    assert best.balanced_accuracy > figures.agreement.balanced_accuracy.value


def test_the_threshold_is_the_same_line_on_both_scales() -> None:
    figures = measure_judge(rows(200))
    assert figures.calibration is not None and figures.threshold is not None
    assert figures.threshold.value.value is not None
    moved = figures.calibration.fit.apply(figures.threshold.value.value)
    assert figures.threshold.calibrated == pytest.approx(moved)


def test_the_corrected_rate_is_near_the_truth_where_the_judge_alone_is_not() -> None:
    figures = measure_judge(rows(4000, seed=1, labelled=0.05))
    rate = figures.rate
    assert rate.judge_alone > 0.65
    assert rate.corrected.method == "power-tuned"
    assert rate.corrected.interval is not None
    assert rate.corrected.interval[0] <= 0.5 <= rate.corrected.interval[1]


def test_the_same_rows_give_the_same_figures() -> None:
    assert measure_judge(rows(80)) == measure_judge(rows(80))


def test_one_class_has_no_auroc_and_says_why() -> None:
    figures = measure_judge([JudgedRow("supported", 0.9, True), JudgedRow("not_enough", 0.2, True)])
    assert figures.agreement.auroc.value is None
    assert figures.agreement.auroc.reason == "people call every row supported"
    assert figures.agreement.balanced_accuracy.value is None
    assert (figures.calibration, figures.threshold) == (None, None)
    assert figures.reason == "people call every row supported"


def test_a_judge_with_one_score_only_cannot_be_calibrated() -> None:
    figures = measure_judge([JudgedRow("supported", 0.9, n % 2 == 0) for n in range(8)])
    assert figures.reason == "the judge gives every row the same score"
    assert figures.agreement.auroc.value == 0.5


def test_what_is_contradicted_is_below_any_threshold() -> None:
    made = [JudgedRow("contradicted", 0.8, False)] * 20 + [JudgedRow("not_enough", 0.4, True)] * 20
    figures = measure_judge(made)
    assert figures.threshold is not None
    assert figures.threshold.balanced_accuracy == 1.0
    assert figures.threshold.value.value == pytest.approx(0.2)


def test_few_rows_and_a_judge_that_does_not_suit_are_cautioned_about() -> None:
    against = [JudgedRow("supported", 0.9, False)] * 40 + [JudgedRow("not_enough", 0.1, True)] * 40
    assert "hardly rise" in measure_judge(against).cautions[0]
    assert "are few" in measure_judge(rows(20)).cautions[0]


OUTCOMES = st.sampled_from(["supported", "contradicted", "not_enough"])
ANY = st.builds(
    JudgedRow, OUTCOMES, st.floats(0, 1), st.sampled_from([True, False, None]), st.sampled_from(["a", None])
)


@settings(max_examples=15, deadline=None)
@given(st.lists(ANY, min_size=1, max_size=12))
def test_any_rows_can_be_measured(given_rows: list[JudgedRow]) -> None:
    figures = measure_judge(given_rows)
    assert figures.agreement.rows == sum(1 for row in given_rows if row.label is not None)
    assert 0 <= figures.rate.judge_alone <= 1
    assert (figures.calibration is None) == (figures.reason is not None)
