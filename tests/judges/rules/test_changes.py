"""What grew or fell, by how much and of what, however it is put."""

from __future__ import annotations

import asyncio

import pytest

from pincite.judges import open_judge
from pincite.records import Pair, Passage, Verdict


def judge(name: str, claim: str, evidence: str) -> Verdict:
    (verdict,) = asyncio.run(open_judge(name).judge([Pair(claim, (Passage(evidence),))]))
    return verdict


@pytest.mark.parametrize("name", ["rules", "entailment"])
def test_another_share_contradicts_and_is_told(name: str) -> None:
    verdict = judge(name, "Sales fell by a half.", "Sales fell by a third.")
    assert verdict.outcome == "contradicted"
    assert (verdict.claim_text, verdict.evidence_text) == ("a half", "a third")
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


def test_a_list_in_another_order_is_supported() -> None:
    assert judge("rules", "Acme sells bikes and cars.", "Acme sells cars and bikes.").outcome == "supported"
