"""What the verdicts make of each citation: for each of its claims, and as a whole."""

from __future__ import annotations

import pytest

from pincite.config import Settings
from pincite.reading import (
    IN_NO_RATIO,
    Assessment,
    Reading,
    asked_alone,
    asked_together,
    asked_without,
    assess,
    needs_others,
    read_answer,
)
from pincite.records import Answer, Outcome, Pair, Verdict
from pincite.sources import open_sources

SOURCES = {name: f"The text of {name[0]}." for name in ("a.txt", "b.txt", "c.txt")}
YES, NO, AGAINST, FAILED = (
    Verdict("supported", 0.9, "yes"),
    Verdict("not_enough", 0.1, "no"),
    Verdict("contradicted", 0.05, "against"),
    Verdict("unjudged", None, "time is up"),
)


def key_of(pair: Pair) -> str:
    """`ab` where a judge is shown a.txt and b.txt."""
    return "".join(sorted(one.document[0] for one in pair.passages))


def assessed(text: str, verdicts: dict[str, Verdict]) -> tuple[Reading, Assessment]:
    """The assessment where the judge says of each set of documents what the table says, or else no."""
    reading = read_answer(Answer(text), open_sources(SOURCES), Settings(attach="paragraph"))
    pairs = [*asked_alone(reading), *asked_together(reading), *asked_without(reading)]
    return reading, assess(reading, {pair: verdicts.get(key_of(pair), NO) for pair in pairs})


def standings(text: str, **verdicts: Verdict) -> list[str]:
    return [one.standing for one in assessed(text, verdicts)[1].targets]


ONE = "The bridge opened in 1907 [a.txt]."
TWO = "The bridge opened in 1907 [a.txt][b.txt]."
THREE = "The bridge opened in 1907 [a.txt][b.txt][c.txt]."


@pytest.mark.parametrize(
    ("text", "verdicts", "expected"),
    [
        (ONE, {"a": YES}, ["correct"]),
        (ONE, {"a": NO}, ["incorrect"]),
        (ONE, {"a": AGAINST}, ["contradicted"]),
        (ONE, {"a": FAILED}, ["unjudged"]),
        (TWO, {"a": YES, "b": NO, "ab": YES}, ["correct", "incorrect"]),
        (TWO, {"ab": YES}, ["correct", "correct"]),
        (TWO, {"a": AGAINST, "ab": YES}, ["contradicted", "correct"]),
        (TWO, {"ab": FAILED}, ["unjudged", "unjudged"]),
        (TWO, {"a": YES, "b": FAILED, "ab": YES}, ["correct", "unjudged"]),
        (THREE, {"ab": YES, "abc": YES}, ["correct", "correct", "incorrect"]),
        (THREE, {"abc": YES}, ["correct", "correct", "correct"]),
        # All three are nearly as sure without it: it adds nothing.
        (THREE, {"abc": YES, "ab": Verdict("supported", 0.82, "yes")}, ["correct", "correct", "incorrect"]),
        (THREE, {"abc": YES, "ab": Verdict("supported", 0.75, "yes")}, ["correct", "correct", "correct"]),
    ],
)
def test_a_target_is_worth_what_it_adds(text: str, verdicts: dict[str, Verdict], expected: list[str]) -> None:
    assert standings(text, **verdicts) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It opened [lost.txt].", ["broken"]),
        ("It opened [a.txt:900-950].", ["broken"]),
        ("Did it open [a.txt]?", ["behind_no_claim"]),
        ("It opened. “Nobody came to see it” [a.txt].", ["misquoted"]),
    ],
)
def test_what_points_nowhere_or_quotes_wrongly_is_wrong_whatever_a_judge_says(
    text: str, expected: list[str]
) -> None:
    assert standings(text, a=YES) == expected


def test_a_contradiction_weighs_more_than_a_wrong_quote() -> None:
    assert standings("It opened as “nobody came to see it” [a.txt].", a=AGAINST) == ["contradicted"]


def test_a_doubt_too_small_to_be_reported_is_no_contradiction() -> None:
    assert standings(ONE, a=Verdict("contradicted", 0.4, "hardly", sure=False, doubtful=True)) == [
        "incorrect"
    ]


def test_the_worst_that_is_known_of_any_claim_decides_about_a_target() -> None:
    text = "It opened [a.txt]. It closed [a.txt]."
    reading = read_answer(Answer(text), open_sources(SOURCES), Settings())
    outcomes: tuple[Outcome, ...] = ("supported", "contradicted")
    verdicts = {
        one.pair: Verdict(outcome, 0.5, outcome)
        for cited, outcome in zip(reading.cited_claims, outcomes, strict=True)
        for one in cited.resolved
    }
    assessment = assess(reading, verdicts)
    assert [one.standing for one in assessment.targets] == ["correct", "contradicted"]
    assert [one.claim_target.claim for one in assessment.claim_targets] == [0, 1]


def test_markers_that_close_a_paragraph_share_its_sentences() -> None:
    text = "The mill opened. The bridge fell [a.txt][b.txt]."
    reading = read_answer(Answer(text), open_sources(SOURCES), Settings(attach="paragraph"))
    found = {}
    for index, document in ((0, "a"), (1, "b")):
        for one in reading.cited_claims[index].resolved:
            found[one.pair] = YES if key_of(one.pair) == document else NO
        together = reading.cited_claims[index].together
        assert together is not None
        found[together] = YES
        for one in reading.cited_claims[index].resolved:
            without = reading.cited_claims[index].without(one)
            assert without is not None
            found.setdefault(without, NO)
    assert [one.standing for one in assess(reading, found).targets] == ["correct", "correct"]


def test_a_verdict_that_was_never_asked_for_is_missing_and_says_so() -> None:
    reading = read_answer(Answer(TWO), open_sources(SOURCES), Settings())
    assessment = assess(reading, {})
    assert {(one.standing, one.reason) for one in assessment.targets} == {("unjudged", "no judge was asked")}
    assert {one.standing for one in assessment.targets} <= set(IN_NO_RATIO)
    (claim,) = assessment.claims
    assert [one.outcome for one in claim.alone.values()] == ["unjudged", "unjudged"]
    assert claim.together is not None and claim.together.outcome == "unjudged"


@pytest.mark.parametrize(
    ("alone", "together", "needed"),
    [(NO, YES, True), (NO, FAILED, True), (NO, NO, False), (YES, YES, False), (AGAINST, YES, False)],
)
def test_the_others_are_asked_about_only_where_that_decides(
    alone: Verdict, together: Verdict, needed: bool
) -> None:
    reading = read_answer(Answer(TWO), open_sources(SOURCES), Settings())
    (cited,) = reading.cited_claims
    assert cited.together is not None
    verdicts = {cited.resolved[0].pair: alone, cited.together: together}
    assert needs_others(cited.resolved[0], cited, verdicts) is needed


def test_the_score_of_a_target_is_that_of_the_claim_that_decided() -> None:
    _, assessment = assessed("It opened [a.txt]. It fell [lost.txt].", {"a": YES})
    assert [(one.score, one.outcome, one.document) for one in assessment.targets] == [
        (0.9, "supported", "a.txt"),
        (0.0, "", "lost.txt"),
    ]
