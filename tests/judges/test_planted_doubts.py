"""The rule judge does not support a claim of which a number is not in the source, or only perhaps."""

from __future__ import annotations

import pytest
from planted_doubts import DOUBTFUL, LEFT_TO_THE_MODEL

from pincite.judges import TextCache
from pincite.judges.rules.judge import judge_pair
from pincite.records import Pair, Passage, Verdict

AROUND = "The weather was mild that week. {} Visitors were asked to book a place in advance."
UNDECIDED = [
    "a number that nothing answers to",
    "changes in percent",
    "intervals that overlap",
    "more digits than the source has",
]


def judge(claim: str, evidence: str, context: str = "") -> Verdict:
    return judge_pair(Pair(claim, (Passage(evidence, context=context),)), TextCache())


@pytest.mark.parametrize("kind", sorted(DOUBTFUL.keys() - LEFT_TO_THE_MODEL))
@pytest.mark.parametrize("frame", ["{}", AROUND], ids=["alone", "among others"])
def test_doubtful_claims_are_not_supported_and_controls_are(kind: str, frame: str) -> None:
    assert len(DOUBTFUL[kind]) >= 6
    for evidence, control, doubtful in DOUBTFUL[kind]:
        text = frame.format(evidence)
        assert judge(control, text).outcome == "supported", control
        verdict = judge(doubtful, text)
        assert verdict.outcome in {"not_enough", "contradicted"}, doubtful
        assert verdict.score is not None and verdict.score < 0.5


@pytest.mark.parametrize("kind", UNDECIDED)
def test_what_may_still_be_true_is_not_called_contradicted(kind: str) -> None:
    for evidence, _, doubtful in DOUBTFUL[kind]:
        assert judge(doubtful, evidence).outcome == "not_enough", doubtful


@pytest.mark.parametrize("kind", ["shares in words", "when it began and ended"])
def test_what_cannot_be_true_is_called_contradicted(kind: str) -> None:
    for evidence, _, doubtful in DOUBTFUL[kind]:
        assert judge(doubtful, evidence).outcome == "contradicted", doubtful


@pytest.mark.parametrize(
    ("claim", "evidence", "reason"),
    [
        ("Costs fell by 5%, to $3M.", "Costs fell to $3M.", "nothing in the source answers to 5%"),
        ("Profit was 3.75%.", "Profit was 3.7%.", "3.75% in the claim, 3.7% in the source"),
        ("72,000 fans came.", "Over 70,000 fans came.", "72,000 in the claim, Over 70,000 in the source"),
        ("Firm: Globex; Staff: 50", "Acme has a staff of 50.", "the source does not mention Globex"),
    ],
)  # fmt: skip
def test_the_reason_names_what_is_doubted(claim: str, evidence: str, reason: str) -> None:
    assert judge(claim, evidence).reason == reason


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Attendance was 70,000.", "Attendance was over 70,000."),
        ("More than 95% of pupils were affected.", "About 97% of pupils were affected."),
        ("The city has 84,000 residents.", "The city has 84,115 residents."),
        ("The 2012 film won two awards.", "The film won two awards."),
        ("One dog won the prize.", "A dog won the prize."),
        ("4. Close the lid and wait.", "Close the lid and wait."),
        ("In season 2 the show moved to Lisbon.", "In the second season the show moved to Lisbon."),
        ("The show was on air in 1993.", "The show was on air from 1990 to 1995."),
        ("Acme opened a plant in Bremen.", "The company Acme opened a plant in Bremen."),
        ("The stadium seats 50,000 people.", "The stadium holds 50,000 people."),
        ("The town has 9,000 residents.", "The town has 9,000 inhabitants."),
        ("Sales were $4 million.", "Revenue was $4 million."),
        ("Adler signed the bill in 2021.", "The bill was signed by the President in 2021."),
        ("France won the cup in 2018.", "In 2018 the French team won the cup."),
        ("Thrift Shop has drawn 9 million views.", "The video Thrift Shop has drawn 9 million views."),
        ("The club has been profitable since at least 2010.", "The club has been profitable since 2010."),
    ],
)
def test_what_a_reader_grants_is_supported(claim: str, evidence: str) -> None:
    assert judge(claim, evidence).outcome == "supported"


def test_a_number_given_by_the_context_is_answered() -> None:
    verdict = judge("Revenue in 2023 was $10M.", "$10M", context="2023; Revenue")
    assert verdict.outcome == "supported"


def test_the_labels_of_a_row_say_less_than_its_cells() -> None:
    evidence = "Lena Hart wrote the novel Grey Tide in 1988."
    assert judge("Title: Grey Tide; Author: Lena Hart; Publication: 1988", evidence).outcome == "supported"
    assert judge("Title: Grey Tide; Author: Paul Girard; Publication: 1988", evidence).outcome != "supported"


def test_a_sentence_with_a_colon_is_no_row() -> None:
    claim = "There was one rule: nobody swims; nobody fishes."
    assert judge(claim, "There was one rule: nobody swims; nobody fishes.").outcome == "supported"


TABLE = "Company,Revenue,Employees,Year\nAcme,$10M,50,2020\nGlobex,$12M,70,2020\n"


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ("Company: Acme; Revenue: $10M; Employees: 50", "supported"),
        ("Company: Globex; Revenue: $12M; Employees: 70", "supported"),
        ("Company: Globex; Revenue: $10M; Employees: 70", "contradicted"),
        ("In 2020 Acme had revenue of $10M.", "supported"),
        ("In 2020 Acme had revenue of $12M.", "contradicted"),
    ],
)
def test_a_row_of_a_table_speaks_of_what_it_names(claim: str, outcome: str) -> None:
    assert judge(claim, TABLE).outcome == outcome
    assert judge(claim, TABLE.replace(",", " | ")).outcome == outcome
