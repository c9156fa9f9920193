"""An unsupported claim is an error where the judge is sure of it, a warning where it is likely, and counted
without a word where most such claims are right."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from pincite import check
from pincite.findings import combine, explain
from pincite.judges import Judge
from pincite.records import Outcome, Pair, Report, Verdict
from pincite.reports import write

SOURCE = "Revenue rose to $10 million in the first quarter."
ANSWER = f"The company opened an office in Lisbon [report.txt:0-{len(SOURCE)}]."


class Certain(Judge):
    """A judge that gives every pair the same verdict, with as much certainty as it was made with."""

    waits = False
    name = "certain/1"

    def __init__(self, verdict: Verdict) -> None:
        self._verdict = verdict

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        return [self._verdict for _ in pairs]


def checked(outcome: Outcome, cause: str = "model", **more: Any) -> Report:
    verdict = Verdict(outcome, 0.3, "no office is named", cause, judge=Certain.name, **more)
    return check(ANSWER, {"report.txt": SOURCE}, judge=Certain(verdict))


@pytest.mark.parametrize(("outcome", "code"), [("not_enough", "PIN201"), ("contradicted", "PIN202")])
def test_what_the_judge_is_sure_of_is_an_error(outcome: Outcome, code: str) -> None:
    (finding,) = checked(outcome, sure=True).findings
    assert (finding.code, finding.severity) == (code, "error")
    assert "probably" not in finding.message


NAMED = {"claim_text": "office", "evidence_text": "Revenue"}


@pytest.mark.parametrize(
    ("outcome", "more", "code", "says"),
    [
        ("not_enough", {}, "PIN201", "probably not supported: no office is named"),
        ("contradicted", NAMED, "PIN202", "probably contradicted: no office is named"),
        ("contradicted", NAMED | {"cause": "number"}, "PIN203", "probably contradicted: no office is named"),
    ],
)
def test_what_the_judge_finds_likely_is_a_warning_that_says_so(
    outcome: Outcome, more: dict[str, Any], code: str, says: str
) -> None:
    (finding,) = checked(outcome, sure=False, **more).findings
    assert (finding.code, finding.severity, finding.message) == (code, "warning", says)


def test_a_contradiction_that_is_neither_sure_nor_named_is_told_as_probable() -> None:
    (finding,) = checked("contradicted", sure=False).findings
    assert (finding.code, finding.message) == ("PIN202", "probably contradicted: no office is named")


@pytest.mark.parametrize("outcome", ["not_enough", "contradicted"])
def test_a_small_doubt_is_counted_and_not_told(outcome: Outcome) -> None:
    report = checked(outcome, sure=False, doubtful=True)
    assert report.findings == ()
    assert (report.summary.doubtful, report.summary.judged) == (1, 1)
    (untold,) = report.doubtful
    assert (untold.code, untold.severity, untold.line) == ("PIN201", "note", 1)
    assert combine([report.summary, report.summary]).doubtful == 2


def test_the_score_says_how_many_of_its_targets_are_doubtful() -> None:
    report = checked("not_enough", sure=False, doubtful=True)
    assert report.summary.score == 1.0
    assert "score 1.00 (1 of 1 targets without an error, 1 of them doubtful)" in write([report], "full")
    assert json.loads(write([report], "json"))["summary"]["doubtful"] == 1
    assert "doubtful" not in write([checked("not_enough", sure=False)], "full")


def test_a_doubtful_claim_that_surely_stands_elsewhere_is_moved() -> None:
    class Elsewhere:
        waits = False
        name = "elsewhere/1"

        async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
            small = Verdict("not_enough", 0.45, "hardly", sure=False, doubtful=True)
            yes = Verdict("supported", 0.9, "it does")
            return [yes if "Lisbon" in pair.passages[0].text else small for pair in pairs]

    sources = {"report.txt": f"{SOURCE} An office was opened in Lisbon."}
    (finding,) = check(ANSWER, sources, judge=Elsewhere()).findings
    assert finding.code == "PIN205"


def test_the_score_counts_only_targets_with_an_error() -> None:
    doubted, wrong = checked("not_enough", sure=False), checked("not_enough", sure=True)
    assert (doubted.summary.score, doubted.summary.targets_with_error, doubted.ok) == (1.0, 0, True)
    assert (wrong.summary.score, wrong.summary.targets_with_error, wrong.ok) == (0.0, 1, False)
    assert doubted.summary.judged == wrong.summary.judged == 1


@pytest.mark.parametrize("code", ["PIN201", "PIN202"])
def test_the_explanation_says_when_it_is_a_warning(code: str) -> None:
    assert "warning" in explain(code).explanation


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("Revenue rose to $12 million in the first quarter", ("PIN203", "error")),
        ("Revenue did not rise to $10 million in the first quarter", ("PIN202", "error")),
        ("The company opened a second office in Lisbon", ("PIN201", "warning")),
        ("Between January and March, takings climbed to ten million dollars", None),
    ],
)
def test_the_rules_are_as_sure_as_what_they_found(claim: str, told: tuple[str, str] | None) -> None:
    report = check(f"{claim} [report.txt:0-{len(SOURCE)}].", {"report.txt": SOURCE}, judge="rules")
    assert [(f.code, f.severity) for f in report.findings] == ([told] if told else [])
    assert report.summary.doubtful == (told is None)
