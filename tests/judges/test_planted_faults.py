"""The rule judge finds planted faults of the kinds it looks for, and leaves what is supported alone."""

from __future__ import annotations

import pytest
from planted import LEFT_TO_THE_MODEL, PLANTED

from pincite.judges import TextCache
from pincite.judges.rules.judge import judge_pair
from pincite.records import Pair, Passage, Verdict

AROUND = "The weather was mild that week. {} Visitors were asked to book a place in advance."


def judge(claim: str, evidence: str) -> Verdict:
    return judge_pair(Pair(claim, (Passage(evidence),)), TextCache())


@pytest.mark.parametrize("kind", sorted(PLANTED.keys() - LEFT_TO_THE_MODEL))
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


def test_a_number_for_another_period_is_named_with_its_period() -> None:
    verdict = judge("It costs $49 per year.", "It costs $49 per month.")
    assert (verdict.cause, verdict.reason) == (
        "number",
        "$49 per year in the claim, $49 per month in the source",
    )
    assert (verdict.claim_text, verdict.evidence_text) == ("$49 per year", "$49 per month")


def test_a_period_that_the_source_gives_elsewhere_is_no_fault() -> None:
    source = "Adults pay $49 per month. Pupils pay $49 per year."
    assert judge("Pupils pay $49 per year.", source).outcome == "supported"
    assert (
        judge(
            "Output was 50 tonnes per year.", "Output was 50 tonnes, up from 40 tonnes a year earlier."
        ).outcome
        != "contradicted"
    )


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "The firm was founded by John Smith.",
            "The firm was founded by Jane Doe. John Smith was a co-founder.",
        ),
        ("John Smith is the director of sales.", "The director is Mary Jones; John Smith heads sales."),
        ("Ana Ruiz was the mayor.", "The mayor was John Lee until 2010, when Ana Ruiz took office."),
        ("The plan costs $120 per year.", "The plan costs $10 per month."),
        ("The mill makes 50 tonnes per day.", "The mill makes 50 tonnes of steel in a day."),
        ("Varde sells cars.", "The company does not only sell cars."),
        ("Deaths fell in June.", "Deaths rose from 5 to 10 in May but fell to 3 in June."),
    ],
)
def test_what_may_well_agree_is_not_called_contradicted(claim: str, source: str) -> None:
    assert judge(claim, source).outcome != "contradicted"
