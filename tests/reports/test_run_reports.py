from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from pincite.records import Alert, FailureCounts, PartScore, ResultsDocument, Run, Score
from pincite.reports import add_to_job_summary, run_text, width, write_run

RUN = Run(
    run_id='eval "1" <&>\x1b',
    seconds=1.5,
    scores=(
        Score(metric="span_f1", value=0.9, n=10, confidence_interval=(0.8, 0.95), threshold=0.8, passed=True),
        Score(metric="citation_correctness", value=0.4, n=10, threshold=0.7, passed=False),
        Score(metric="nDCG@5", value=None, not_scorable=10),
    ),
)
WORSE = Alert(kind="regression", metric="span_f1", value=0.7, message="went <down>\n::error::x", expected=0.9)


def test_junit_fails_missed_thresholds_and_changes_for_the_worse_and_skips_what_has_no_value() -> None:
    suites = ElementTree.fromstring(write_run(replace(RUN, alerts=(WORSE,)), "junit"))
    assert (suites.get("tests"), suites.get("failures"), suites.get("skipped")) == ("4", "2", "1")
    cases = list(suites.iter("testcase"))
    assert [len(case.findall("failure")) for case in cases] == [0, 1, 0, 1]
    assert "10 not scorable" in (cases[2].find("skipped").get("message") or "")  # type: ignore[union-attr]


def test_github_gets_one_command_an_alert_and_nothing_in_it_can_become_another() -> None:
    unsure = Alert(kind="threshold", metric="m", value=0.5, message="low", decisive=False)
    lines = write_run(replace(RUN, alerts=(WORSE, unsure)), "github").splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("::error title=pincite regression%3A span_f1::went <down>%0A")
    assert lines[1].startswith("::error title=pincite threshold%3A m::low")


def test_the_job_summary_is_appended_to_where_there_is_a_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    assert not add_to_job_summary("x")
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert add_to_job_summary("after\n")
    assert summary.read_text() == "before\nafter\n"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    assert not add_to_job_summary("x")


def test_names_stay_whole_and_every_line_fits_in_a_narrow_table() -> None:
    names = (
        "citation_completeness",
        "citation_correctness",
        "span_f1(average=micro)",
        "span_f1(average=macro)",
    )
    scores = [
        Score(metric=name, value=0.5, confidence_interval=(0.25, 0.75), n=1000, threshold=0.7, passed=False)
        for name in names
    ]
    lines = run_text(Run(run_id="r", scores=tuple(scores)), columns=62).splitlines()
    assert all(width(line) <= 62 for line in lines)
    assert [line for line in lines if line in names] == list(names)


def test_a_name_longer_than_the_terminal_keeps_its_beginning_and_its_end() -> None:
    score = Score(metric=f"begins_{'x' * 200}_ends", value=0.5)
    lines = run_text(Run(run_id="r", scores=(score,)), columns=62).splitlines()
    assert all(width(line) <= 62 for line in lines)
    (name,) = (line for line in lines if line.startswith("begins_x"))
    assert "…" in name and name.endswith("_ends")


def test_the_head_tells_in_how_many_groups_the_queries_hang_together() -> None:
    score = Score(metric="hit@5", value=1.0, n=38, groups=11, confidence_interval=(0.741, 1.0))
    text = run_text(Run(run_id="r", status="finished", total=38, successful=38, scores=(score,)))
    assert "38 queries in 11 groups, 0 failed" in text
    assert "groups: of queries that share" in text
    alone = replace(score, groups=None)
    assert "group" not in run_text(
        Run(run_id="r", status="finished", total=38, successful=38, scores=(alone,))
    )


def failed(reasons: dict[str, int]) -> ResultsDocument:
    return ResultsDocument(failures=FailureCounts(failed_queries=reasons))


@pytest.mark.parametrize(
    ("target", "step"),
    [
        ("recorded:abc", "one JSON object per line"),
        ("http://localhost:9/ask#1", "--answer-path"),
        ("callable:rag:answer", "call the function"),
    ],
)
def test_a_run_without_any_answer_has_reasons_and_a_next_step_instead_of_tables(
    target: str, step: str
) -> None:
    run = Run(
        run_id="r",
        status="finished",
        target=target,
        total=5,
        failed=5,
        scores=(Score(metric="hit@5", value=0.0, n=5, threshold=0.5, passed=False),),
        document=failed({"timed out": 3, "HTTP status 500": 2}),
    )
    text = run_text(run)
    assert "failed (3): timed out\nfailed (2): HTTP status 500\n" in text
    assert step in text
    assert "hit@5" not in text


def test_lines_that_are_folded_hang_below_their_beginning() -> None:
    run = Run(run_id="r", total=1, failed=1, document=failed({"word " * 30: 1}))
    lines = run_text(run, columns=40).splitlines()
    assert all(width(line) <= 40 for line in lines)
    at = next(index for index, line in enumerate(lines) if line.startswith("failed (1)"))
    assert lines[at + 1].startswith("  word")


@pytest.mark.parametrize(
    ("documents", "told"), [(12, "and 2 more: "), (51, "and 40 more, and one row for the many others: ")]
)
def test_the_rows_of_a_breakdown_that_are_not_shown_are_counted_truly(documents: int, told: str) -> None:
    by_document = {f"d{number}": {"hit@1": PartScore(value=0.5, n=1)} for number in range(documents)}
    run = Run(
        run_id="r",
        total=documents,
        successful=documents,
        scores=(Score(metric="hit@1", value=0.5, n=documents),),
        document=ResultsDocument(breakdown={"document": by_document}),
    )
    assert told in " ".join(run_text(run, columns=200).splitlines())
