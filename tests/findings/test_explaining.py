"""`--explain` and `-v` show what the judge was shown, each stage's number, and what the rules saw."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from pincite import check
from pincite.errors import InputError
from pincite.findings import explain_findings, is_explained, require_known_finding
from pincite.judges import Judge, open_judge
from pincite.records import Pair, Passage, Report, Trace, Verdict
from pincite.reports import write

SOURCE = "Revenue grew by 21% in the first quarter. The company opened three offices in Spain."
ANSWER = (
    "Revenue grew by 12% in the first quarter [report.txt:0-41].\n"
    "The company did not open three offices in Spain [report.txt:42-84].\n"
    "The company took premises abroad [report.txt:42-84].\n"
)


def explained(which: str | None = None, judge: str = "rules") -> Report:
    made = open_judge(judge)
    return explain_findings(check(ANSWER, {"report.txt": SOURCE}, judge=made), made, which)


def lines_explained(which: str) -> list[int]:
    report = explained(which)
    return [finding.line for finding in (*report.findings, *report.doubtful) if is_explained(finding)]


@pytest.mark.parametrize(
    ("which", "lines"),
    [
        ("PIN203", [1]),
        ("number-differs", [1]),
        ("PIN2", [1, 2, 3]),
        ("2", [2]),
        ("2:49", [2]),
        ("<answer>:2:49", [2]),
        ("other.md:2:49", []),
    ],
)
def test_a_finding_is_chosen_by_its_code_its_line_or_its_place(which: str, lines: list[int]) -> None:
    assert lines_explained(which) == lines


def test_what_is_no_code_and_no_place_is_refused() -> None:
    with pytest.raises(InputError, match="there is no code"):
        require_known_finding("PIN9")
    for known in ("PIN203", "pin2", "number-differs", "7", "7:1", "a b.md:7:1"):
        require_known_finding(known)


@pytest.mark.parametrize("judge", ["rules", "entailment"])
def test_the_judge_tells_what_it_was_shown_its_stages_and_what_the_rules_saw(judge: str) -> None:
    found = explained("PIN203", judge).findings[0].explanation
    assert found is not None and found.trace is not None
    (passage,) = found.pair.passages
    assert (passage.document, passage.start, passage.end) == ("report.txt", 0, 41)
    names = {stage.name.split(",")[0] for stage in found.trace.stages}
    assert names == ({"rules"} if judge == "rules" else {"rules", "model", "both"})
    assert any("12% in the claim, 21% in the source" in seen for seen in found.trace.observations)


def test_what_the_trace_makes_of_both_is_the_score_of_the_verdict() -> None:
    found = explained("PIN203", "entailment").findings[0].explanation
    assert found is not None and found.trace is not None
    (joined,) = [stage.score for stage in found.trace.stages if stage.name == "both, supported"]
    assert joined == pytest.approx(found.verdict.score, abs=1e-3)


def test_text_shows_the_explanation_of_the_chosen_finding_only() -> None:
    text = write([explained("PIN203")], "full", width=90)
    assert text.count("shown to rules/1:") == 1
    assert "1. report.txt, characters 0–41" in text
    assert "number: 12% in the claim, 21% in the source: they exclude each other" in text
    assert "premises abroad" not in text


def test_text_and_json_show_doubtful_claims_when_everything_is_explained() -> None:
    report = explained()
    assert "doubtful, perhaps not supported" in write([report], "full")
    shape = json.loads(write([report], "json"))
    (doubtful,) = shape["doubtful"]
    assert (doubtful["line"], doubtful["explanation"]["level"]) == (3, "doubtful")
    explanation = shape["findings"][0]["explanation"]
    assert explanation["passages"][0]["document"] == "report.txt"
    assert explanation["stages"] and explanation["observations"]


def test_nothing_is_explained_unasked() -> None:
    report = check(ANSWER, {"report.txt": SOURCE}, judge="rules")
    assert "shown to" not in write([report], "full")
    shape = json.loads(write([report], "json"))
    assert "doubtful" not in shape and "explanation" not in shape["findings"][0]


def test_negations_and_missing_words_are_among_what_the_rules_saw() -> None:
    trace = open_judge("rules").trace(
        Pair("The company did not open offices in Chile", (Passage("The company opened offices in Spain."),))
    )
    assert any(seen.startswith("negation: ") for seen in trace.observations)
    assert "names missing from the source: Chile" in trace.observations


class Silent(Judge):
    waits = False
    name = "silent/1"

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        return [Verdict("not_enough", 0.2, "it is not there", judge=self.name) for _ in pairs]


class Broken(Silent):
    def trace(self, pair: Pair) -> Trace:
        raise RuntimeError("out of paper")


@pytest.mark.parametrize("judge", [Silent(), Broken()])
def test_a_judge_without_a_trace_is_explained_by_its_score_and_reason(judge: Silent) -> None:
    report = explain_findings(check(ANSWER, {"report.txt": SOURCE}, judge=judge), judge)
    found = report.findings[0].explanation
    assert found is not None and found.trace is not None
    assert [(stage.name, stage.score) for stage in found.trace.stages] == [("silent/1", 0.2)]
    assert found.trace.observations[0] == "it is not there"
