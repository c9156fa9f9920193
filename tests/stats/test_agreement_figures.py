from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from pincite.stats import (
    auroc,
    balanced_accuracy,
    balanced_accuracy_interval,
    cohen_kappa,
    kappas,
    macro_f1,
    macro_f1s,
)

# Few distinct scores, so that ties are common.
SCORED = st.lists(st.tuples(st.booleans(), st.integers(0, 6).map(lambda n: n / 6)), min_size=2, max_size=60)
VERDICTS = st.sampled_from(["supported", "contradicted", "not_enough"])


@settings(max_examples=40, deadline=None)
@given(SCORED)
def test_binary_figures_agree_with_scikit_learn(rows: list[tuple[bool, float]]) -> None:
    labels, scores = [label for label, _ in rows], [score for _, score in rows]
    said = [score >= 0.5 for score in scores]
    assert macro_f1(labels, said) == pytest.approx(metrics.f1_score(labels, said, average="macro"))
    if len(set(labels)) == 2:
        assert balanced_accuracy(labels, said) == pytest.approx(metrics.balanced_accuracy_score(labels, said))
        assert auroc(labels, scores) == pytest.approx(metrics.roc_auc_score(labels, scores))
    else:
        assert balanced_accuracy(labels, said) is None
        assert auroc(labels, scores) is None
    kinds = ((True, True), (True, False), (False, True), (False, False))
    table = [list(zip(labels, said, strict=True)).count(kind) for kind in kinds]
    assert macro_f1s(table) == pytest.approx(macro_f1(labels, said))
    if len(set(labels) | set(said)) == 2:
        assert kappas(table) == pytest.approx(cohen_kappa(labels, said))
        assert cohen_kappa(labels, said) == pytest.approx(metrics.cohen_kappa_score(labels, said))
    else:
        assert cohen_kappa(labels, said) is None


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(VERDICTS, VERDICTS), min_size=1, max_size=40))
def test_figures_of_three_verdicts_agree_with_scikit_learn(rows: list[tuple[str, str]]) -> None:
    labels, said = [label for label, _ in rows], [answer for _, answer in rows]
    assert macro_f1(labels, said) == pytest.approx(metrics.f1_score(labels, said, average="macro"))
    if len(set(labels) | set(said)) > 1:
        assert cohen_kappa(labels, said) == pytest.approx(metrics.cohen_kappa_score(labels, said))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=60))
def test_the_interval_of_balanced_accuracy_holds_it(rows: list[tuple[bool, bool]]) -> None:
    labels, said = [label for label, _ in rows], [answer for _, answer in rows]
    value, interval = balanced_accuracy(labels, said), balanced_accuracy_interval(labels, said)
    if value is None:
        assert interval is None
    else:
        assert interval is not None
        assert 0 <= interval[0] <= value + 1e-12
        assert value - 1e-12 <= interval[1] <= 1


def test_the_interval_of_balanced_accuracy_covers_as_often_as_it_says() -> None:
    random = np.random.default_rng(3)
    inside = 0
    for _ in range(400):
        labels = np.array([True] * 30 + [False] * 20)
        said = random.random(50) < np.where(labels, 0.9, 0.25)
        interval = balanced_accuracy_interval(labels, said)  # type: ignore[arg-type]
        assert interval is not None
        inside += interval[0] <= (0.9 + 0.75) / 2 <= interval[1]
    assert inside >= 0.92 * 400


def test_ten_rows_that_are_all_right_do_not_make_a_judge_perfect() -> None:
    labels = [True, False] * 5
    interval = balanced_accuracy_interval(labels, labels)
    assert interval is not None
    assert interval[1] == 1.0
    assert interval[0] < 0.8


def test_nothing_to_compare_is_none() -> None:
    for figure in (balanced_accuracy, macro_f1, cohen_kappa, auroc, balanced_accuracy_interval):
        assert figure([], []) is None


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="2 labels for 1"):
        balanced_accuracy([True, False], [True])
