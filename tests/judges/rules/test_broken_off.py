"""Evidence that breaks off does not contradict a claim by what it leaves out."""

from __future__ import annotations

import asyncio

import pytest

from pincite.judges import ReadText, open_judge
from pincite.judges.rules.texts import breaks_off
from pincite.records import Pair, Passage, Question, Verdict

LEARNING = (
    "Machine learning is a subset of artificial intelligence that enables computers to learn from data "
    "without being explicitly programmed."
)
JUDGES = ("rules", "entailment")


def ask(judge: str, claim: str, evidence: str, question: Question = "support") -> Verdict:
    return asyncio.run(open_judge(judge).judge([Pair(claim, (Passage(evidence),), question)]))[0]


@pytest.mark.parametrize("judge", JUDGES)
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
def test_what_says_the_same_as_far_as_it_goes_does_not_contradict(judge: str, evidence: str) -> None:
    assert ask(judge, LEARNING, evidence).outcome != "contradicted"
    assert ask(judge, LEARNING, evidence, "consistency").outcome == "supported"


@pytest.mark.parametrize("judge", JUDGES)
def test_a_claim_may_deny_what_the_evidence_did_not_come_to_say(judge: str) -> None:
    claim = "The vaccine is not effective against the new strain."
    assert ask(judge, claim, "The vaccine is").outcome == "not_enough"


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("evidence", ["Revenue was $1", "Revenue was $1..."])
def test_a_number_that_may_be_cut_does_not_contradict(judge: str, evidence: str) -> None:
    assert ask(judge, "Revenue was $1,500 in 2020.", evidence).outcome == "not_enough"


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Revenue was $1,500 in 2020.", "Revenue was $1."),
        ("Revenue was $1,500 in 2020.", "Revenue was $1,200 in 2020 and"),
        ("The entry fee is $50.", "- The entry fee: $5"),
        ("The drug does not reduce pain in adults.", "The drug reduces pain in adults..."),
    ],
)
def test_what_it_does_say_still_contradicts(judge: str, claim: str, evidence: str) -> None:
    assert ask(judge, claim, evidence).outcome == "contradicted"


def test_other_words_still_speak_against_a_claim_where_the_text_has_no_full_stop() -> None:
    verdict = ask("entailment", "Mount Hood is in Hawaii.", "Mount Hood is the highest mountain of Oregon")
    assert verdict.outcome in ("contradicted", "not_enough")
    assert verdict.score is not None and verdict.score < 0.3


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("It ended.", False),
        ("It ended!”", False),
        ("It said: “it ended.”)", False),
        ("終わった。", False),
        ("It ended…", True),
        ("It ended [...]", True),
        ("It ended (…) ", True),
        ("It", True),
    ],
)
def test_a_sentence_without_an_end_breaks_off(text: str, broken: bool) -> None:
    reading = ReadText(text)
    assert breaks_off(reading, reading.sentences[-1]) is broken


def test_only_the_last_sentence_of_a_passage_breaks_off() -> None:
    reading = ReadText("A heading\n\nThe text goes on.")
    assert [breaks_off(reading, span) for span in reading.sentences] == [False, False]
