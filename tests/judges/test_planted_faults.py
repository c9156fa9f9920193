"""The rule judge finds planted faults of every kind, and leaves what the source supports alone."""

from __future__ import annotations

import pytest
from planted import PLANTED

from pincite.judges.rule_reading import ReadingRoom
from pincite.judges.rules import judge_pair
from pincite.records import Pair, Passage, Verdict

AROUND = "The weather was mild that week. {} Visitors were asked to book a place in advance."


def judge(claim: str, evidence: str) -> Verdict:
    return judge_pair(Pair(claim, (Passage(evidence),)), ReadingRoom())


@pytest.mark.parametrize("kind", sorted(PLANTED))
@pytest.mark.parametrize("frame", ["{}", AROUND], ids=["alone", "among others"])
def test_planted_faults_are_contradicted_and_controls_supported(kind: str, frame: str) -> None:
    rows = PLANTED[kind]
    assert 2 * len(rows) >= 12
    wrong = []
    for evidence, control, fault in rows:
        text = frame.format(evidence)
        if judge(control, text).outcome != "supported":
            wrong.append(control)
        if judge(fault, text).outcome != "contradicted":
            wrong.append(fault)
    assert len(wrong) <= 0.15 * 2 * len(rows), wrong


@pytest.mark.parametrize("kind", sorted(PLANTED))
def test_no_control_is_called_contradicted(kind: str) -> None:
    for evidence, control, _ in PLANTED[kind]:
        for text in (evidence, AROUND.format(evidence)):
            assert judge(control, text).outcome != "contradicted", control


@pytest.mark.parametrize("kind", sorted(PLANTED))
def test_a_source_about_something_else_is_never_a_contradiction(kind: str) -> None:
    elsewhere = "The recipe calls for two onions, a clove of garlic and 300 g of flour, baked for 40 minutes."
    for _, control, fault in PLANTED[kind]:
        if "recipe" in control:
            continue
        assert judge(control, elsewhere).outcome == "not_enough"
        assert judge(fault, elsewhere).outcome == "not_enough"
