"""A bare number may leave out the sign of an amount or a share, and nothing else."""

from __future__ import annotations

import asyncio

import pytest

from pincite.judges.judge import make_judge
from pincite.records import Pair, Passage, Verdict


def judge(name: str, claim: str, evidence: str) -> Verdict:
    (verdict,) = asyncio.run(make_judge(name).judge([Pair(claim, (Passage(evidence),))]))
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
