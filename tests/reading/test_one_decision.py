"""What a citation is worth is decided once: a check, the metrics and the wrappers say the same."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

import pincite
from pincite.compat import CitationSpan, validate_citation_support
from pincite.metrics import CitationCorrectness
from pincite.records import DatasetItem, Outcome, Pair, Verdict

CLAIM = "The bridge opened in 1907"
SOURCES = {"a.txt": "The text of a.", "b.txt": "The text of b.", "c.txt": "The text of c."}


class Scripted:
    """Answers by the set of documents that it is shown: `ab` for a.txt and b.txt."""

    name = "scripted/1"

    def __init__(self, **outcomes: tuple[Outcome, float | None]) -> None:
        self.outcomes = outcomes

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        keys = ["".join(sorted(p.document[0] for p in pair.passages)) for pair in pairs]
        found = [self.outcomes.get(key, ("not_enough", 0.1)) for key in keys]
        return [Verdict(outcome, score, f"it is {outcome}") for outcome, score in found]


def both(
    judge: Scripted, answer: str = f"{CLAIM} [a.txt] [b.txt]."
) -> tuple[pincite.Report, float | None, list[str]]:
    """The check's report, the score of `citation_correctness`, and what became of each target."""
    report = pincite.check(answer, SOURCES, judge=judge)
    item = DatasetItem(actual_output=answer)
    result = asyncio.run(CitationCorrectness().execute(item, SOURCES, judge=judge))
    return report, result.score, [one["standing"] for one in result.signals["targets"]]


@pytest.mark.parametrize(
    ("outcomes", "standings"),
    [
        ({"a": ("supported", 0.9), "b": ("supported", 0.9)}, ["correct", "correct"]),
        # Each carries a part: neither alone, both together.
        ({"ab": ("supported", 0.9)}, ["correct", "correct"]),
        # A name from one and a year from another may make up what neither says.
        ({"a": ("contradicted", 0.1), "ab": ("supported", 0.9)}, ["contradicted", "correct"]),
        # The other one does as well without it.
        ({"a": ("supported", 0.9), "ab": ("supported", 0.9)}, ["correct", "incorrect"]),
    ],
)
def test_a_check_and_correctness_agree(
    outcomes: dict[str, tuple[Outcome, float]], standings: list[str]
) -> None:
    report, score, found = both(Scripted(**outcomes))
    assert found == standings
    wrong = {target for finding in report.findings for target in finding.targets}
    assert wrong == {at for at, one in enumerate(standings) if one != "correct"}
    assert report.summary.score == score == standings.count("correct") / 2


def test_a_missing_verdict_on_the_others_leaves_a_part_unjudged() -> None:
    judge = Scripted(ab=("supported", 0.9), b=("unjudged", None), a=("not_enough", 0.1))
    report, score, found = both(judge)
    assert found == ["unjudged", "unjudged"]
    assert [finding.code for finding in report.findings] == ["PIN206", "PIN206"]
    assert report.summary.score is score is None


# --- what is unjudged is in no ratio -------------------------------------------------------------


def test_one_wrong_and_two_unjudged_targets_score_zero() -> None:
    judge = Scripted(a=("unjudged", None), b=("unjudged", None))
    report, score, _ = both(judge, "Oaks grow [a.txt]. Elms grow [b.txt]. Ivy grows [lost.txt].")
    assert report.summary.score == score == 0.0
    assert (report.summary.targets, report.summary.targets_left_out) == (3, 2)


def test_all_unjudged_is_no_score() -> None:
    judge = Scripted(a=("unjudged", None), b=("unjudged", None))
    report, score, _ = both(judge, "Oaks grow [a.txt]. Elms grow [b.txt].")
    assert report.summary.score is score is None


def test_a_right_and_an_unjudged_target_score_one() -> None:
    judge = Scripted(a=("supported", 0.9), b=("unjudged", None))
    report, score, _ = both(judge, "Oaks grow [a.txt]. Elms grow [b.txt].")
    assert report.summary.score == score == 1.0


def test_a_marker_behind_no_claim_is_in_no_ratio() -> None:
    judge = Scripted(a=("not_enough", 0.1))
    report, score, found = both(judge, "Oaks grow [a.txt]. What is an elm [b.txt]?")
    assert found == ["incorrect", "behind_no_claim"]
    assert report.summary.score == score == 0.0


# --- quotes are part of the decision -------------------------------------------------------------

MILL = {"mill.txt": "The mill made 40 tons of flour in 1990. It closed in 1999."}


@pytest.mark.parametrize(
    ("excerpt", "valid"), [("The mill made 40 tons of flour in 1990", True), ("Flour was 90 tons", False)]
)
def test_a_forged_context_text_does_not_pass_validation(excerpt: str, valid: bool) -> None:
    span = CitationSpan("mill.txt", 1, 0, 39, context_text=excerpt)
    result = validate_citation_support("The mill made 40 tons of flour in 1990.", [span], MILL)
    (detail,) = result["validation_details"]
    assert detail["valid"] is valid
    assert result["citation_validity_rate"] == float(valid)
    if not valid:
        assert (detail["status"], detail["reason"]) == ("misquoted", "misquoted")
        assert "is not in mill.txt" in detail["message"]


def test_a_forged_quote_is_wrong_for_a_check_and_for_correctness() -> None:
    answer = 'The mill made 40 tons of flour in 1990 [mill.txt:1:0-39 | excerpt: "made 90 tons of it"].'
    report = pincite.check(answer, MILL)
    result = asyncio.run(CitationCorrectness().execute(DatasetItem(actual_output=answer), MILL))
    assert [finding.code for finding in report.findings] == ["PIN204"]
    assert report.summary.score == result.score == 0.0
    assert result.signals["targets"][0]["standing"] == "misquoted"
