"""Which number of the evidence answers to the claim's: one of the same thing, whatever sign was left out."""

from __future__ import annotations

import asyncio

import pytest

from pincite.judges import open_judge
from pincite.records import Pair, Passage, Verdict


def judge(name: str, claim: str, evidence: str) -> Verdict:
    (verdict,) = asyncio.run(open_judge(name).judge([Pair(claim, (Passage(evidence),))]))
    return verdict


@pytest.mark.parametrize("name", ["rules", "entailment"])
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [("The entry fee is 5.", "The entry fee is $510."), ("The rate is 2.", "The rate is 210%.")],
)
def test_a_number_is_not_supported_by_a_longer_one_that_ends_in_ten(
    name: str, claim: str, evidence: str
) -> None:
    assert judge(name, claim, evidence).outcome != "supported"


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The entry fee is 5.", "The entry fee is $5."),
        ("The entry fee is 5.10.", "The entry fee is $5.10."),
        ("The rate is 2.", "The rate is 2%."),
        ("The film has a rating of 5.8.", "The film has a rating of 5.8/10."),
        ("The film has a rating of 7.", "The film has a rating of 7 out of 10."),
    ],
)
def test_a_number_may_leave_out_its_sign(claim: str, evidence: str) -> None:
    assert judge("rules", claim, evidence).outcome == "supported"


OTHER_THINGS = [
    ("Acme has two offices.", "Acme has 310 employees."),
    ("Revenue rose in Q3.", "Revenue rose in 12 regions."),
    ("Acme is certified under ISO 9001.", "Acme has 310 employees and is certified."),
    ("The method is described in chapter 3.", "The method is described in 14 pages."),
    ("See chapter 3 for details.", "The book has 12 chapters with details."),
    ("The meeting takes place in Room 5.", "The meeting takes place at 10 tables."),
    ("The tool supports Python 3.9.", "The tool supports 12 languages."),
]


@pytest.mark.parametrize("name", ["rules", "entailment"])
@pytest.mark.parametrize(("claim", "evidence"), OTHER_THINGS)
def test_a_number_of_another_thing_neither_contradicts_nor_is_suggested(
    name: str, claim: str, evidence: str
) -> None:
    verdict = judge(name, claim, evidence)
    assert verdict.outcome != "contradicted"
    assert verdict.cause != "number"
    assert verdict.evidence_text is None
    assert "in the claim" not in verdict.reason


@pytest.mark.parametrize("name", ["rules", "entailment"])
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Acme has 300 employees.", "Acme has 310 employees."),
        ("Acme has 300 people.", "Acme has 310 employees."),
        ("Acme is certified under ISO 9001.", "Acme is certified under ISO 14001."),
        ("The method is described in chapter 3.", "The method is described in chapter 4."),
        ("The tool requires Python 3.9.", "The tool requires Python 3.11."),
    ],
)
def test_another_number_of_the_same_thing_contradicts(name: str, claim: str, evidence: str) -> None:
    verdict = judge(name, claim, evidence)
    assert (verdict.outcome, verdict.cause) == ("contradicted", "number")
