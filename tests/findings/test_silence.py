"""Comments in the answer and baselines silence known findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite import check
from pincite.errors import InputError
from pincite.findings import apply_baseline, load_baseline, write_baseline
from pincite.records import Answer, Report
from pincite.reports import write

SOURCES = {"report.txt": "Revenue rose to $10 million in the first quarter."}
WRONG = "The company opened four new offices in Asia [report.txt:0-49]."


def codes(answer: str) -> list[str]:
    return [finding.code for finding in check(answer, SOURCES).findings]


def test_without_a_comment_the_finding_is_there() -> None:
    assert codes(WRONG) == ["PIN201"]


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- pincite: ignore PIN201 -->",
        "<!-- pincite: ignore PIN2 -->",
        "<!-- pincite: ignore -->",
        "<!--pincite: ignore PIN105, PIN201-->",
    ],
)
def test_a_comment_on_the_line_silences_it(comment: str) -> None:
    assert codes(f"{WRONG} {comment}") == []


def test_a_comment_alone_on_a_line_silences_the_paragraph_after_it() -> None:
    assert codes(f"<!-- pincite: ignore PIN201 -->\n{WRONG}\n\n{WRONG}") == ["PIN201"]
    assert codes(f"<!-- pincite: ignore PIN201 -->\n\n{WRONG}") == []


def test_another_code_is_not_silenced() -> None:
    assert codes(f"{WRONG} <!-- pincite: ignore PIN105 -->") == ["PIN201"]


def test_a_file_comment_silences_the_whole_answer() -> None:
    assert codes(f"{WRONG}\n\n{WRONG}\n\n<!-- pincite: ignore-file PIN201 -->") == []


def test_silenced_findings_are_counted_and_do_not_lower_the_score() -> None:
    summary = check(f"{WRONG} <!-- pincite: ignore PIN201 -->", SOURCES).summary
    assert (summary.silenced, summary.score) == (1, 1.0)


def baselined(report: Report, path: Path) -> Report:
    return apply_baseline([report], load_baseline(path))[0]


def test_a_baseline_silences_what_it_knows_also_on_another_line(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    write_baseline([check(WRONG, SOURCES)], path)
    moved = check(f"# Title\n\n{WRONG}", SOURCES)
    assert baselined(moved, path).findings == ()
    assert baselined(moved, path).summary.score == 1.0


def test_a_baseline_does_not_silence_something_new(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    write_baseline([check(WRONG, SOURCES)], path)
    twice = check(f"{WRONG}\n\n{WRONG}", SOURCES)
    assert len(baselined(twice, path).findings) == 1


def test_a_saved_json_report_is_a_baseline_too(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(write([check(WRONG, SOURCES)], "json"), encoding="utf-8")
    assert baselined(check("Is it so?\n\n" + WRONG, SOURCES), path).findings == ()
    assert len(baselined(check(f"{WRONG}\n\n{WRONG}", SOURCES), path).findings) == 1
    other = Answer(WRONG, name="other.md")
    assert len(baselined(check(other, SOURCES), path).findings) == 1


def test_a_file_that_is_no_baseline_is_refused_with_advice(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_text("[1, 2]")
    with pytest.raises(InputError, match="--write-baseline"):
        load_baseline(path)
    with pytest.raises(InputError, match="cannot read"):
        load_baseline(tmp_path / "none.json")
