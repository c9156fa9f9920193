"""What `pincite annotate` refuses before it serves anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_run import WRONG, Runner

from pincite.config import Settings

pytest.importorskip("starlette", reason="`make test-web` installs what a server needs")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("sample", "--as", "../x"), "cannot be a name"),
        (("none.eval.json", "--as", "ada"), "does not exist"),
        (("sample", "--as", "ada", "--dir", "pincite.toml"), "this is a file"),
        (("sample", "--as", "ada", "--pairs", "none.jsonl"), "none.jsonl"),
        (("sample", "--as", "ada", "--pairs", "bad.jsonl"), "needs its claim"),
        (("sample", "--as", "ada", "--answers", "none.jsonl"), "none.jsonl"),
        (("sample", "--as", "ada", "--answers", "sample:c"), "recorded answers of a and b"),
        (("sample", "--as", "ada", "--guidelines", "none.md"), "none.md"),
        (("sample", "--as", "ada", "--port", "99999"), "--port is a number"),
    ],
)
def test_what_cannot_be_served_is_said_in_words(
    pincite: Runner, arguments: tuple[str, ...], said: str
) -> None:
    pincite.write("bad.jsonl", '{"evidence": "x"}\n')
    done = pincite("annotate", *arguments, "--no-open")
    assert (done.code, said in done.err) == (2, True), done.err


def test_a_damaged_log_is_named_before_the_browser_opens(pincite: Runner) -> None:
    pincite.write("annotations/ada/changes.jsonl", "nonsense\n")
    done = pincite("annotate", "sample", "--as", "ada", "--no-open")
    assert done.code == 2
    assert "line 1 is damaged" in done.err


def test_the_findings_of_a_report_become_pairs(pincite: Runner) -> None:
    from pincite.annotation import pairs_of_findings
    from pincite.cli.commands.data.labels import answers_of, findings_of

    pincite.write("answer.md", WRONG)
    report = pincite("check", "answer.md", "--sources", "docs/", "-f", "json").out
    pincite.write("report.json", report)
    findings = findings_of(Path("report.json"))
    assert findings is not None
    answers = answers_of([], Path("report.json"), findings, Settings(), judged=False)
    found = pairs_of_findings(findings, answers, Settings())
    (row,) = found.rows
    assert row["claim"].startswith("Revenue grew by 12%")
    assert "21%" in row["evidence"]
    assert (row["source"], row["question"]) == (json.loads(report)["findings"][0]["code"], "support")
