from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from pincite.records import FailureCounts, ResultsDocument, Run, Score
from pincite.runs import MetricComparison, threshold_alerts
from pincite.runs.alerts import drift_alerts, failed_alerts, regression_alerts
from pincite.runs.metric_selection import thin_passes
from pincite.stats import wilson


def score(metric: str = "citation_correctness", value: float | None = 0.6, **more: object) -> Score:
    return Score(metric=metric, value=value, **{"n": 100, **more})  # type: ignore[arg-type]


def test_a_missed_threshold_is_an_alert_that_names_both_figures() -> None:
    (alert,) = threshold_alerts([score(threshold=0.8, passed=False, confidence_interval=(0.5, 0.7))])
    assert (alert.kind, alert.value, alert.threshold, alert.decisive) == ("threshold", 0.6, 0.8, True)
    assert "0.600" in alert.message and "0.8" in alert.message and "below" in alert.message


def test_a_missed_threshold_within_the_interval_is_not_decisive_and_says_so() -> None:
    (alert,) = threshold_alerts([score(threshold=0.65, passed=False, confidence_interval=(0.5, 0.7))])
    assert not alert.decisive
    assert "0.500–0.700" in alert.message


def test_a_rate_that_should_be_low_is_above_its_threshold() -> None:
    (alert,) = threshold_alerts(
        [score("hallucination_rate", 0.2, threshold=0.1, passed=False, higher_is_better=False)]
    )
    assert "above" in alert.message


def test_a_threshold_of_a_named_metric_without_a_value_is_an_alert_of_its_own() -> None:
    unmeasured = [score(value=None, threshold=0.8, unjudged=7, not_scorable=2)]
    assert threshold_alerts(unmeasured) == ()
    (alert,) = threshold_alerts(unmeasured, named=["citation_correctness"])
    assert alert.kind == "nothing_measured"
    assert "7 unjudged" in alert.message


def test_what_passes_or_has_no_threshold_is_no_alert() -> None:
    assert threshold_alerts([score(threshold=0.5, passed=True), score()]) == ()


def compared(**more: object) -> MetricComparison:
    row = {
        "name": "span_f1",
        "a": 0.8,
        "b": 0.7,
        "difference": -0.1,
        "confidence_interval": (-0.15, -0.05),
        "p_value": 0.005,
        "p_adjusted": 0.01,
        "test": "permutation",
        "effect_size": -0.4,
        "n_needed": 80,
        "outcome": "worse",
    }
    return MetricComparison(**{**row, **more})  # type: ignore[arg-type]


def test_a_significant_loss_against_the_baseline_is_a_regression() -> None:
    (alert,) = regression_alerts([compared()])
    assert (alert.kind, alert.expected, alert.value, alert.p_value) == ("regression", 0.8, 0.7, 0.01)
    assert alert.message == "span_f1 is worse than the baseline: 0.700, from 0.800 (adjusted p = 0.01)"


@pytest.mark.parametrize("outcome", ["better", "not decisive"])
def test_a_change_that_is_not_decisive_or_not_worse_is_no_regression(outcome: str) -> None:
    assert regression_alerts([compared(outcome=outcome)]) == ()


def test_a_value_far_below_the_earlier_runs_is_a_drift() -> None:
    (alert,) = drift_alerts([score(value=0.5)], {"citation_correctness": (0.80, 0.81, 0.79, 0.80, 0.82)})
    assert alert.kind == "drift"
    assert alert.expected == pytest.approx(0.804)


def test_the_chance_is_that_of_one_more_observation_of_the_same_kind() -> None:
    earlier = (0.70, 0.74, 0.69, 0.75)
    (alert,) = drift_alerts([score(value=0.55)], {"citation_correctness": earlier}, significance=1.0)
    low, _ = scipy_stats.t.interval(
        1 - (alert.p_value or 0), 3, sum(earlier) / 4, scipy_stats.tstd(earlier) * (1 + 1 / 4) ** 0.5
    )
    assert low == pytest.approx(0.55)


def test_a_value_like_the_earlier_ones_or_better_is_no_drift() -> None:
    history = {"citation_correctness": (0.70, 0.74, 0.69, 0.75)}
    assert drift_alerts([score(value=0.68)], history) == ()
    assert drift_alerts([score(value=0.99)], history) == ()


def test_a_metric_without_a_direction_never_drifts() -> None:
    earlier = (0.30, 0.31, 0.29, 0.30)
    assert drift_alerts([score("span_f1", 0.1)], {"span_f1": earlier})
    assert drift_alerts([score("citation_density", 0.1)], {"citation_density": earlier}) == ()


def test_a_window_of_two_runs_says_nothing() -> None:
    assert drift_alerts([score(value=0.1)], {"citation_correctness": (0.9, 0.9)}) == ()


def test_without_movement_between_runs_the_scores_own_interval_decides() -> None:
    history = {"citation_correctness": (0.9, 0.9, 0.9)}
    assert drift_alerts([score(value=0.6, confidence_interval=(0.5, 0.7))], history)
    assert not drift_alerts([score(value=0.88, confidence_interval=(0.8, 0.94))], history)
    assert not drift_alerts([score(value=0.9 - 1e-16, confidence_interval=(0.8, 0.94))], history)


def test_without_movement_and_without_an_interval_nothing_is_said() -> None:
    assert not drift_alerts([score(value=0.6)], {"citation_correctness": (0.9, 0.9, 0.9)})


def test_without_movement_it_is_a_t_test_with_the_freedom_of_the_queries() -> None:
    (alert,) = drift_alerts(
        [score(value=0.8, confidence_interval=(0.7, 0.9))],
        {"citation_correctness": (0.9, 0.9, 0.9)},
        significance=1.0,
    )
    error = 0.1 / scipy_stats.norm.ppf(0.975) * (1 + 1 / 3) ** 0.5
    assert alert.p_value == pytest.approx(2 * scipy_stats.t.sf(0.1 / error, 99))


@pytest.mark.parametrize("runs", [3, 10])
@pytest.mark.parametrize("wavers", [0.0, 1.0, 2.0])
def test_a_system_that_has_not_changed_raises_about_as_many_alerts_as_it_should(
    runs: int, wavers: float
) -> None:
    """New queries each time, and a rate that wavers by so many of their standard errors: 2.5% should fall."""
    random, rounds, queries, rate = np.random.default_rng(4), 3000, 60, 0.8
    error = (rate * (1 - rate) / queries) ** 0.5
    rates = np.clip(random.normal(rate, wavers * error, (rounds, runs + 1)), 0.0, 1.0)
    hits = random.binomial(queries, rates)
    fallen = 0
    for row in hits:
        now = score(value=row[0] / queries, confidence_interval=wilson(int(row[0]), queries), n=queries)
        fallen += len(drift_alerts([now], {"citation_correctness": tuple(row[1:] / queries)}))
    assert 0.004 <= fallen / rounds <= 0.045


@given(st.lists(st.floats(0, 1), min_size=3, max_size=20), st.floats(0, 1))
def test_no_history_breaks_the_test(values: list[float], value: float) -> None:
    for alert in drift_alerts([score(value=value)], {"citation_correctness": tuple(values)}):
        assert 0.0 <= (alert.p_value or 0.0) < 0.05


def test_looking_at_many_metrics_needs_stronger_evidence_for_each() -> None:
    earlier = (0.70, 0.74, 0.69, 0.75, 0.72)
    names = [f"metric{i}" for i in range(20)]
    histories = dict.fromkeys(names, earlier)
    one = drift_alerts([score("metric0", 0.62)], histories)
    many = drift_alerts([score("metric0", 0.62), *(score(name, 0.72) for name in names[1:])], histories)
    assert one and not many


def run_with(failed: int, total: int = 20, reasons: dict[str, int] | None = None) -> Run:
    document = ResultsDocument(failures=FailureCounts(failed_queries=reasons or {"time-out": failed}))
    return Run(run_id="r", successful=total - failed, failed=failed, total=total, document=document)


def test_more_failed_queries_than_allowed_are_an_alert_with_the_most_frequent_reason() -> None:
    (alert,) = failed_alerts(run_with(18, reasons={"HTTP 500": 7, "time-out": 11}), 0.05)
    assert (alert.kind, alert.metric, alert.value, alert.threshold) == ("failed", "", 0.9, 0.05)
    assert alert.message == "18 of 20 queries failed, 5% are allowed: time-out (11 of them)"


@pytest.mark.parametrize(
    ("failed", "total", "most", "told"),
    [
        (1, 20, 0.05, False),
        (2, 20, 0.05, True),
        (7, 100, 0.07, False),
        (8, 100, 0.07, True),
        (0, 20, 0.0, False),
        (1, 1000, 0.0, True),
        (19, 20, 1.0, False),
    ],
)
def test_as_many_failed_queries_as_allowed_are_none(failed: int, total: int, most: float, told: bool) -> None:
    assert bool(failed_alerts(run_with(failed, total), most)) is told


def test_a_threshold_that_is_met_by_the_few_queries_with_an_answer_is_no_plain_pass() -> None:
    thin = Score(
        metric="citation_correctness",
        value=1.0,
        n=2,
        not_scorable=18,
        reasons={"no answer": 18},
        threshold=0.9,
        passed=True,
    )
    assert list(thin_passes([thin])) == [
        "citation_correctness meets its threshold on 2 queries only: 18 have no answer to measure"
    ]
    other = Score(metric="span_f1", value=1.0, n=10, reasons={"no answer": 10}, threshold=0.9, passed=True)
    assert list(thin_passes([other])) == []
