from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import JudgeError
from pincite.judges.nli.labels import Head, head_from_labels, labels_from_config

THREE = ("supported", "neutral", "contradicted")


@pytest.mark.parametrize(
    ("labels", "roles"),
    [
        (("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), THREE),
        (("contradictory", "neutral", "entailed"), ("contradicted", "neutral", "supported")),
        (("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"), ("supported", "contradicted", "neutral")),
        (("entailment", "not_entailment"), ("supported", "unsupported")),
        (("Not-Entailment", "Entailment"), ("unsupported", "supported")),
        (("unsupported", "supported"), ("unsupported", "supported")),
        (("supported",), ("supported",)),
    ],
)
def test_labels_are_understood_in_any_case_and_order(labels: tuple[str, ...], roles: tuple[str, ...]) -> None:
    assert head_from_labels(labels, "config.json").roles == roles


@pytest.mark.parametrize(
    "labels", [("LABEL_0", "LABEL_1", "LABEL_2"), ("LABEL_0",), ("0", "1"), ("yes", "no")]
)
def test_labels_that_say_nothing_are_refused_with_the_way_to_state_them(labels: tuple[str, ...]) -> None:
    with pytest.raises(
        JudgeError, match=r"config.json: the label .* not understood.*\?labels=.*pincite.json"
    ):
        head_from_labels(labels, "config.json")


@pytest.mark.parametrize("labels", [(), ("neutral", "contradiction"), ("entailment", "entailed", "neutral")])
def test_exactly_one_output_means_supported(labels: tuple[str, ...]) -> None:
    with pytest.raises(JudgeError, match="exactly one output"):
        head_from_labels(labels, "config.json")


def test_labels_come_in_the_order_of_their_numbers_and_not_of_the_file() -> None:
    config = {"id2label": {"2": "c", "10": "k", "0": "a", "1": "b", **{str(n): "x" for n in range(3, 10)}}}
    assert labels_from_config(config, "config.json")[:3] == ("a", "b", "c")
    assert labels_from_config(config, "config.json")[10] == "k"
    assert labels_from_config({"label2id": {"b": 1, "a": 0}}, "config.json") == ("a", "b")


@pytest.mark.parametrize(
    ("config", "complaint"),
    [
        ({}, "does not say what the outputs mean"),
        ({"id2label": ["entailment"]}, "does not say"),
        ({"id2label": {"0": "a", "2": "b"}}, "without gaps"),
        ({"id2label": {"first": "a"}}, "no whole numbers"),
        ({"id2label": {"0": "a", "1": "b"}, "label2id": {"a": 1, "b": 0}}, "disagree"),
        ({"label2id": {"a": None}}, "no whole numbers"),
    ],
)
def test_a_config_that_leaves_the_order_open_is_refused(config: dict[str, object], complaint: str) -> None:
    with pytest.raises(JudgeError, match=complaint):
        labels_from_config(config, "config.json")


@given(st.lists(st.floats(-1e300, 1e300), min_size=3, max_size=3))
def test_odds_are_a_softmax_whatever_the_outputs(logits: list[float]) -> None:
    odds = Head(("supported", "neutral", "contradicted")).odds(logits)
    assert odds is not None
    assert all(0 <= part <= 1 for part in (odds.supported, odds.neutral, odds.contradicted))
    assert math.isclose(odds.supported + odds.neutral + odds.contradicted, 1.0, abs_tol=1e-9)
    ranked = sorted(zip(logits, (odds.supported, odds.neutral, odds.contradicted), strict=True))
    assert all(before[1] <= after[1] + 1e-9 for before, after in pairwise(ranked))


@given(st.floats(-1e300, 1e300))
def test_one_output_is_a_sigmoid(logit: float) -> None:
    odds = Head(("supported",)).odds([logit])
    assert odds is not None
    assert 0 <= odds.supported <= 1
    assert odds.supported == pytest.approx(0.5 * (1 + math.tanh(logit / 2)), abs=1e-12)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_outputs_that_are_no_numbers_give_no_odds(bad: float) -> None:
    assert Head(("supported", "neutral", "contradicted")).odds([bad, 0.0, 0.0]) is None
    assert Head(("supported",)).odds([bad]) is None
    assert Head(("supported", "neutral", "contradicted")).odds([0.0, 0.0]) is None


def test_two_outputs_never_tell_a_contradiction() -> None:
    head = head_from_labels(("entailment", "contradiction"), "config.json")
    odds = head.odds([-9.0, 9.0])
    assert not head.sees_contradiction
    assert odds is not None
    assert odds.contradicted == 0
