"""What the rules say of numbers, periods, shares and names: a row of `rule_cases.jsonl` for each case.

A row has a claim, its evidence and perhaps its context, and says what the verdict `is` or what it is
`not`; with a `cause`, what it is not for that cause. `doubts` says whether a number of the claim is told to
have no answer.
"""

from __future__ import annotations

from typing import Any

import pytest
from ask import ask, rows_of

from pincite.judges import NumberRules
from pincite.records import Pair, Passage


@pytest.mark.parametrize(
    "row", rows_of("rule_cases"), ids=lambda row: f"{row['claim']} - {row['evidence']}"[:90]
)
def test_a_case(row: dict[str, Any]) -> None:
    verdict = ask("rules", row["claim"], row["evidence"], context=row.get("context", ""))
    if "is" in row:
        assert verdict.outcome == row["is"], verdict
    if "not" in row:
        causes = {"number", "date"} if "cause" in row else {verdict.cause}
        assert verdict.outcome != row["not"] or verdict.cause not in causes, verdict
    if "doubts" in row:
        told = NumberRules().trace(Pair(row["claim"], (Passage(row["evidence"]),))).observations
        assert any(line.startswith("doubt: nothing in the source") for line in told) is row["doubts"], told


# --- what the two judges see alike ------------------------------------------------------------------

BOTH = pytest.mark.parametrize("judge", ["rules", "entailment"])


@BOTH
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Acme has two offices.", "Acme has 310 employees."),
        ("Revenue rose in Q3.", "Revenue rose in 12 regions."),
        ("Acme is certified under ISO 9001.", "Acme has 310 employees and is certified."),
        ("The method is described in chapter 3.", "The method is described in 14 pages."),
        ("See chapter 3 for details.", "The book has 12 chapters with details."),
        ("The meeting takes place in Room 5.", "The meeting takes place at 10 tables."),
        ("The tool supports Python 3.9.", "The tool supports 12 languages."),
    ],
)
def test_a_number_of_another_thing_neither_contradicts_nor_is_suggested(
    judge: str, claim: str, evidence: str
) -> None:
    verdict = ask(judge, claim, evidence)
    assert verdict.outcome != "contradicted"
    assert verdict.cause != "number"
    assert verdict.evidence_text is None
    assert "in the claim" not in verdict.reason


@BOTH
@pytest.mark.parametrize(
    ("claim", "evidence", "here", "there"),
    [
        ("Acme has 300 employees.", "Acme has 310 employees.", "300", "310"),
        ("Acme has 300 people.", "Acme has 310 employees.", "300", "310"),
        ("Acme is certified under ISO 9001.", "Acme is certified under ISO 14001.", "9001", "14001"),
        ("The method is described in chapter 3.", "The method is described in chapter 4.", "3", "4"),
        ("The tool requires Python 3.9.", "The tool requires Python 3.11.", "3.9", "3.11"),
        ("Sales fell by a half.", "Sales fell by a third.", "a half", "a third"),
    ],
)
def test_another_number_of_the_same_thing_contradicts_and_is_told(
    judge: str, claim: str, evidence: str, here: str, there: str
) -> None:
    verdict = ask(judge, claim, evidence)
    assert (verdict.outcome, verdict.cause) == ("contradicted", "number")
    assert (verdict.claim_text, verdict.evidence_text) == (here, there)
    assert not verdict.doubtful


@BOTH
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [("The entry fee is 5.", "The entry fee is $510."), ("The rate is 2.", "The rate is 210%.")],
)
def test_a_number_is_not_supported_by_a_longer_one_that_ends_in_ten(
    judge: str, claim: str, evidence: str
) -> None:
    assert ask(judge, claim, evidence).outcome != "supported"


@BOTH
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Sales fell by 50%.", "Sales fell by half."),
        ("Sales fell by half.", "Sales fell by 50%."),
        ("Sales fell by a third.", "Sales fell by 33%."),
        ("Costs doubled.", "Costs rose by 100%."),
    ],
)
def test_the_same_change_in_other_words_is_supported(judge: str, claim: str, evidence: str) -> None:
    assert ask(judge, claim, evidence).outcome == "supported"


LEARNING = (
    "Machine learning is a subset of artificial intelligence that enables computers to learn from data "
    "without being explicitly programmed."
)


@BOTH
@pytest.mark.parametrize(
    "evidence",
    [
        "Machine learning is a subset of artificial intelligence...",
        "Machine learning is a subset of artificial intelligence…",
        "Machine learning is a subset of artificial intelligence [...]",
        "Machine learning is a subset of artificial intelligence",
        "Machine learning is a subset of artificial intelligence that enables comp",
        "Data abounds. Machine learning is a subset of artificial intelligence that enables computers to",
    ],
)
def test_evidence_that_breaks_off_does_not_contradict_by_what_it_leaves_out(
    judge: str, evidence: str
) -> None:
    assert ask(judge, LEARNING, evidence).outcome != "contradicted"
    assert ask(judge, LEARNING, evidence, question="consistency").outcome == "supported"


@BOTH
@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        ("The vaccine is not effective against the new strain.", "The vaccine is", "not_enough"),
        ("Revenue was $1,500 in 2020.", "Revenue was $1", "not_enough"),
        ("Revenue was $1,500 in 2020.", "Revenue was $1...", "not_enough"),
        ("Revenue was $1,500 in 2020.", "Revenue was $1.", "contradicted"),
        ("Revenue was $1,500 in 2020.", "Revenue was $1,200 in 2020 and", "contradicted"),
        ("The entry fee is $50.", "- The entry fee: $5", "contradicted"),
        ("The drug does not reduce pain in adults.", "The drug reduces pain in adults...", "contradicted"),
    ],
)
def test_what_it_does_say_counts_as_far_as_it_goes(
    judge: str, claim: str, evidence: str, outcome: str
) -> None:
    assert ask(judge, claim, evidence).outcome == outcome


# --- reasons ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "evidence", "reason"),
    [
        ("Costs fell by 5%, to $3M.", "Costs fell to $3M.", "nothing in the source answers to 5%"),
        ("Profit was 3.75%.", "Profit was 3.7%.", "3.75% in the claim, 3.7% in the source"),
        ("72,000 fans came.", "Over 70,000 fans came.", "72,000 in the claim, Over 70,000 in the source"),
        ("Firm: Globex; Staff: 50", "Acme has a staff of 50.", "the source does not mention Globex"),
        (
            "It costs $49 per year.",
            "It costs $49 per month.",
            "$49 per year in the claim, $49 per month in the source",
        ),
    ],
)
def test_the_reason_names_what_is_doubted(claim: str, evidence: str, reason: str) -> None:
    assert ask("rules", claim, evidence).reason == reason


def test_reckoning_with_many_numbers_stays_bounded() -> None:
    passage = " ".join(f"{number * number + 7} crates," for number in range(1, 4000))
    assert ask("rules", "They hold 777777777777 crates.", passage).outcome != "supported"
