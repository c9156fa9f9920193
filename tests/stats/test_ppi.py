from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.stats import RateEstimate, corrected_rate, labels_alone, wilson

TRUE_RATE = 0.6


def draw(random: Any, labelled: int, others: int, says_yes: float, wrongly_yes: float) -> Any:
    """Labels, what a judge says of them, and what it says of the rest."""
    truth = random.random(labelled + others) < TRUE_RATE
    chance = np.where(truth, says_yes, wrongly_yes)
    said = (random.random(labelled + others) < chance).astype(float)
    return truth[:labelled].astype(float), said[:labelled], said[labelled:]


def covered(times: int, labelled: int, judge: tuple[float, float], **options: Any) -> tuple[float, float]:
    """How often the interval holds the true rate, and how far the rate is off in the mean."""
    random = np.random.default_rng(11)
    inside, off = 0, 0.0
    for _ in range(times):
        estimate = corrected_rate(*draw(random, labelled, 1500, *judge), **options)
        assert estimate.interval is not None and estimate.rate is not None
        inside += estimate.interval[0] <= TRUE_RATE <= estimate.interval[1]
        off += estimate.rate - TRUE_RATE
    return inside / times, off / times


@pytest.mark.parametrize("weight", [None, 1.0])
@pytest.mark.parametrize("judge", [(0.98, 0.5), (0.6, 0.05), (0.5, 0.5), (0.99, 0.01)])
@pytest.mark.parametrize("labelled", [20, 100])
def test_a_biased_judge_still_gives_an_unbiased_rate_and_an_honest_interval(
    labelled: int, judge: tuple[float, float], weight: float | None
) -> None:
    share, off = covered(300, labelled, judge, weight=weight)
    assert share >= 0.92
    assert abs(off) < 0.02


def test_a_good_judge_makes_the_interval_narrower_than_the_labels_alone() -> None:
    labels, said, others = draw(np.random.default_rng(2), 100, 3000, 0.97, 0.03)
    tuned, alone = corrected_rate(labels, said, others), labels_alone(labels)
    assert width(tuned) < 0.6 * width(alone)
    assert tuned.weight > 0.8
    assert tuned.method == "power-tuned"


def test_a_judge_that_tells_nothing_is_not_relied_on() -> None:
    labels, said, others = draw(np.random.default_rng(4), 200, 3000, 0.5, 0.5)
    tuned, classical = corrected_rate(labels, said, others), corrected_rate(labels, said, others, weight=1)
    assert tuned.weight < 0.2
    assert width(tuned) < 0.8 * width(classical)
    assert width(tuned) < 1.1 * width(labels_alone(labels))
    constant = corrected_rate(labels, np.ones(200), np.ones(3000))
    assert constant.weight == 0
    assert constant.rate == pytest.approx(float(np.mean(labels)))


def test_the_classical_estimate_is_the_mean_of_predictions_less_their_error() -> None:
    estimate = corrected_rate([1, 0, 1, 0], [1, 1, 1, 0], [1, 1, 0, 1, 1, 0, 0, 1], weight=1.0)
    assert estimate.rate == pytest.approx(5 / 8 - 1 / 4)
    assert estimate.method == "classical"
    assert (estimate.labelled, estimate.predicted) == (4, 8)


def test_a_judge_that_was_always_right_does_not_make_the_interval_vanish() -> None:
    labels = [1.0] * 12 + [0.0] * 8
    estimate = corrected_rate(labels, labels, [1.0] * 600 + [0.0] * 400)
    assert width(estimate) > 0.1


def test_without_predictions_the_labels_stand_alone_with_wilsons_interval() -> None:
    estimate = corrected_rate([1, 1, 0], [1, 1, 0], [])
    assert (estimate.method, estimate.interval) == ("wilson", wilson(2, 3))
    assert estimate.rate == pytest.approx(2 / 3)


def test_without_labels_there_is_no_rate() -> None:
    estimate = corrected_rate([], [], [1, 0, 1])
    assert (estimate.rate, estimate.interval, estimate.method) == (None, None, "none")
    assert estimate.caution == "there are no labels"


def test_few_labels_and_a_rare_class_are_said() -> None:
    assert "10 labels are few" in str(corrected_rate([1, 0] * 5, [1, 0] * 5, [1, 0] * 50).caution)
    rare = labels_alone([1] * 98 + [0] * 2)
    assert "only 2 of 100 labels say not supported" in str(rare.caution)
    assert labels_alone([1, 0] * 50).caution is None


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="2 labels for 1"):
        corrected_rate([1, 0], [1], [1])


BITS = st.lists(st.integers(0, 1), max_size=30)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), max_size=30), BITS, st.booleans())
def test_any_sample_gives_a_rate_inside_its_interval(
    labelled: list[tuple[int, int]], others: list[int], tuned: bool
) -> None:
    labels, said = [label for label, _ in labelled], [answer for _, answer in labelled]
    estimate = corrected_rate(labels, said, others, weight=None if tuned else 1.0)
    if not labels:
        assert estimate.rate is None
        return
    assert estimate.rate is not None and estimate.interval is not None
    assert 0 <= estimate.interval[0] <= estimate.rate <= estimate.interval[1] <= 1
    assert 0 <= estimate.weight <= 1


def width(estimate: RateEstimate) -> float:
    assert estimate.interval is not None
    return estimate.interval[1] - estimate.interval[0]


@pytest.mark.parametrize(("documents", "queries", "labelled"), [(15, 10, 50), (30, 5, 50), (100, 10, 200)])
def test_items_that_hang_together_are_not_taken_for_so_many(
    documents: int, queries: int, labelled: int
) -> None:
    """Each document has a rate of its own; what is asked for is the rate over all documents."""
    random = np.random.default_rng(12)
    cluster = np.repeat(np.arange(documents), queries)
    inside = alone = 0
    for _ in range(400):
        truth = random.random(len(cluster)) < random.beta(0.6, 0.4, documents)[cluster]
        said = (random.random(len(cluster)) < np.where(truth, 0.85, 0.3)).astype(float)
        order = random.permutation(len(cluster))
        few, rest = order[:labelled], order[labelled:]
        columns = truth[few].astype(float), said[few], said[rest]
        together = corrected_rate(*columns, clusters=cluster[order])
        apart = corrected_rate(*columns)
        assert together.interval is not None and apart.interval is not None
        assert together.rate == apart.rate
        inside += together.interval[0] <= TRUE_RATE <= together.interval[1]
        alone += apart.interval[0] <= TRUE_RATE <= apart.interval[1]
    assert inside / 400 >= 0.91 > alone / 400


def test_labels_of_one_document_say_nothing_about_the_others() -> None:
    found = corrected_rate([1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0] * 4, clusters=[0, 0, 0, 0, 1, 1, 2])
    assert found.interval == (0.0, 1.0)


def test_clusters_of_one_item_each_or_of_all_change_nothing() -> None:
    columns = [1.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.0, 1.0], [1.0, 0.0, 1.0]
    plain = corrected_rate(*columns)
    assert corrected_rate(*columns, clusters=list(range(7))) == plain
    assert corrected_rate(*columns, clusters=["d"] * 7) == plain
