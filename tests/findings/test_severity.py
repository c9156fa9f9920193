"""An unsupported claim is an error where the judge is sure of it, and a warning where it is only likely."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pincite import check
from pincite.findings.catalogue import explain
from pincite.records import Outcome, Pair, Report, Verdict

SOURCE = "Revenue rose to $10 million in the first quarter."
ANSWER = f"The company opened an office in Lisbon [report.txt:0-{len(SOURCE)}]."


class Certain:
    """A judge that gives every pair the same verdict, with as much certainty as it was made with."""

    waits = False
    name = "certain/1"

    def __init__(self, outcome: Outcome, sure: bool, cause: str = "model") -> None:
        self._verdict = Verdict(outcome, 0.3, "no office is named", cause, judge=self.name, sure=sure)

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        return [self._verdict for _ in pairs]


def checked(outcome: Outcome, sure: bool, cause: str = "model") -> Report:
    return check(ANSWER, {"report.txt": SOURCE}, judge=Certain(outcome, sure, cause))


@pytest.mark.parametrize(("outcome", "code"), [("not_enough", "PIN201"), ("contradicted", "PIN202")])
def test_what_the_judge_is_sure_of_is_an_error(outcome: Outcome, code: str) -> None:
    (finding,) = checked(outcome, sure=True).findings
    assert (finding.code, finding.severity) == (code, "error")
    assert "probably" not in finding.message


@pytest.mark.parametrize(
    ("outcome", "code", "says"),
    [
        ("not_enough", "PIN201", "probably not supported: no office is named"),
        ("contradicted", "PIN202", "probably contradicted: no office is named"),
    ],
)
def test_what_the_judge_finds_likely_is_a_warning_that_says_so(
    outcome: Outcome, code: str, says: str
) -> None:
    (finding,) = checked(outcome, sure=False).findings
    assert (finding.code, finding.severity, finding.message) == (code, "warning", says)


def test_a_number_that_differs_is_an_error_however_sure_the_judge_is() -> None:
    (finding,) = checked("contradicted", sure=False, cause="number").findings
    assert (finding.code, finding.severity) == ("PIN203", "error")


def test_the_score_counts_only_targets_with_an_error() -> None:
    doubted, wrong = checked("not_enough", sure=False), checked("not_enough", sure=True)
    assert (doubted.summary.score, doubted.summary.targets_with_error, doubted.ok) == (1.0, 0, True)
    assert (wrong.summary.score, wrong.summary.targets_with_error, wrong.ok) == (0.0, 1, False)
    assert doubted.summary.judged == wrong.summary.judged == 1


@pytest.mark.parametrize("code", ["PIN201", "PIN202"])
def test_the_explanation_says_when_it_is_a_warning(code: str) -> None:
    assert "warning" in explain(code).explanation


def test_the_rules_are_always_sure() -> None:
    (finding,) = check(ANSWER, {"report.txt": SOURCE}, judge="rules").findings
    assert (finding.code, finding.severity) == ("PIN201", "error")
