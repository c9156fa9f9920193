"""What grew or fell, by how much and of what, however it is put."""

from __future__ import annotations

import asyncio

import pytest

from pincite.judges.opening import open_judge
from pincite.records import Pair, Passage, Verdict


def judge(name: str, claim: str, evidence: str) -> Verdict:
    (verdict,) = asyncio.run(open_judge(name).judge([Pair(claim, (Passage(evidence),))]))
    return verdict


@pytest.mark.parametrize("name", ["rules", "entailment"])
@pytest.mark.parametrize(
    ("claim", "evidence", "words"),
    [
        ("Sales fell by a half.", "Sales fell by a third.", ("a half", "a third")),
        ("Sales doubled.", "Sales tripled.", ("doubled", "tripled")),
        ("Revenue doubled in 2020.", "Revenue tripled in 2020.", ("doubled", "tripled")),
        ("Revenue was cut in half.", "Revenue fell by a third.", ("cut in half", "fell by a third")),
        ("Profit rose in May.", "Sales rose in May. Profit fell in May.", ("rose", "fell")),
    ],
)
def test_another_change_contradicts_and_is_told(
    name: str, claim: str, evidence: str, words: tuple[str, str]
) -> None:
    verdict = judge(name, claim, evidence)
    assert verdict.outcome == "contradicted"
    assert (verdict.claim_text, verdict.evidence_text) == words
    assert not verdict.doubtful


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Sales fell by 50%.", "Sales fell by half."),
        ("Sales fell by half.", "Sales fell by 50%."),
        ("Sales fell by a third.", "Sales fell by 33%."),
        ("Costs doubled.", "Costs rose by 100%."),
    ],
)
@pytest.mark.parametrize("name", ["rules", "entailment"])
def test_the_same_change_in_other_words_is_supported(name: str, claim: str, evidence: str) -> None:
    assert judge(name, claim, evidence).outcome == "supported"


def test_a_double_room_tells_of_no_change() -> None:
    verdict = judge("rules", "Prices of rooms rose.", "Prices of double rooms and half board rose.")
    assert verdict.outcome == "supported"


@pytest.mark.parametrize("name", ["rules", "entailment"])
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Acme sells bikes and cars.", "Acme sells bikes."),
        ("Acme sells bikes, cars and boats.", "Acme sells bikes and boats."),
    ],
)
def test_an_item_of_a_list_that_the_source_lacks_is_told(name: str, claim: str, evidence: str) -> None:
    verdict = judge(name, claim, evidence)
    assert (verdict.outcome, verdict.claim_text) == ("not_enough", "cars")
    assert not verdict.doubtful
    assert not verdict.sure


def test_a_list_in_another_order_is_supported() -> None:
    assert judge("rules", "Acme sells bikes and cars.", "Acme sells cars and bikes.").outcome == "supported"
