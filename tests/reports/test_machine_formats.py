"""The formats for machines: json, junit, github. SARIF has a file of its own."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest
from report_samples import HOSTILE, hostile_report, make_report, sample_report

from pincite.config import Settings
from pincite.records import Report, Usage
from pincite.reports import write

FINDING_KEYS = {
    "code",
    "severity",
    "message",
    "start",
    "end",
    "line",
    "column",
    "citation",
    "source",
    "fix",
    "file",
}
SUMMARY_KEYS = {
    "citations",
    "targets",
    "claims",
    "findings_by_code",
    "unjudged",
    "sources_failed",
    "score",
    "skipped",
    "doubtful",
}

GITHUB = """\
::error file=answer.md,line=3,endLine=3,col=42,endColumn=59,title=PIN203 number-differs::\
12%25 in the claim, 21%25 in the source
::warning file=answer.md,line=3,endLine=3,col=61,endColumn=83,title=PIN301 uncited-claim::no citation
::error file=answer.md,line=4,endLine=4,col=20,endColumn=40,title=PIN105 out-of-bounds::\
report.txt has 120 characters; 900-950 was cited%0Afix: cite the place where it stands
::warning title=source not read::scan.pdf: no text: it seems to be scanned
"""


def parsed(*reports: Report) -> Any:
    return json.loads(write(reports, "json"))


def test_json_has_the_documented_shape() -> None:
    shape = parsed(sample_report())
    assert shape["schema_version"] == 1
    assert all(set(finding) == FINDING_KEYS for finding in shape["findings"])
    assert set(shape["summary"]) == SUMMARY_KEYS | {"usage"}
    assert set(shape["answers"][0]["summary"]) == SUMMARY_KEYS
    assert set(shape["findings"][0]["source"]) == {"document", "page", "start", "end", "text"}
    assert set(shape["findings"][2]["fix"]) == {"start", "end", "replacement", "safe", "description"}
    assert shape["findings"][1]["source"] is None and shape["findings"][1]["citation"] is None
    assert shape["summary"]["score"] == 0.0
    assert shape["summary"]["findings_by_code"] == {"PIN105": 1, "PIN203": 1, "PIN301": 1}
    assert shape["unread"] == [{"name": "scan.pdf", "reason": "no text: it seems to be scanned"}]


def test_json_says_what_judging_took() -> None:
    nothing = parsed(sample_report())["summary"]["usage"]
    assert nothing == {
        "requests": 0,
        "input_tokens": 0,
        "output_tokens": 0,
        "cost": 0.0,
        "cache_hits": 0,
        "asked": 0,
        "asked_further": 0,
    }
    taken = Usage(requests=12, input_tokens=3000, output_tokens=400, cost=None, cache_hits=5)
    shape = json.loads(write([sample_report()], "json", usage=taken))["summary"]["usage"]
    assert shape == {**nothing, "requests": 12, "input_tokens": 3000, "output_tokens": 400} | {
        "cost": None,
        "cache_hits": 5,
    }


def test_json_names_each_answer_and_sums_them_up() -> None:
    shape = parsed(sample_report("a.md"), make_report(name="b.md", citations=2, targets=6, claims=1))
    assert [answer["file"] for answer in shape["answers"]] == ["a.md", "b.md"]
    assert {finding["file"] for finding in shape["findings"]} == {"a.md"}
    assert shape["summary"]["targets"] == 8
    assert shape["summary"]["score"] == 0.75
    assert shape["summary"]["sources_failed"] == 1


def test_json_gives_null_for_a_score_of_nothing() -> None:
    assert parsed(make_report())["summary"]["score"] is None
    assert parsed()["findings"] == []


def test_json_keeps_every_character_of_what_it_quotes() -> None:
    text = write([hostile_report()], "json")
    text.encode("utf-8")
    assert json.loads(text)["findings"][0]["message"] == HOSTILE


def test_github_is_one_command_a_finding() -> None:
    assert write([sample_report()], "github") == GITHUB


def test_github_commands_cannot_be_forged() -> None:
    lines = write([hostile_report()], "github").splitlines()
    assert len(lines) == 2
    command, properties = lines[0].split("::")[1].split(" ", 1)
    assert command == "error"
    assert properties.count(",line=") == 1
    assert "\x1b" not in "".join(lines) and "\r" not in "".join(lines)
    assert "%250A" in lines[0]


def test_junit_is_a_suite_an_answer_and_a_case_a_finding() -> None:
    root = ElementTree.fromstring(write([sample_report("a.md"), make_report(name="b.md")], "junit"))
    assert root.attrib == {"name": "pincite", "tests": "4", "failures": "2", "skipped": "0"}
    first, second = root.findall("testsuite")
    assert [case.get("name") for case in first.findall("testcase")] == [
        "PIN203 number-differs at 3:42",
        "PIN301 uncited-claim at 3:61",
        "PIN105 out-of-bounds at 4:20",
    ]
    failure = first.find("testcase/failure")
    assert failure is not None
    assert failure.get("message") == "12% in the claim, 21% in the source"
    assert "Revenue rose by 21%" in (failure.text or "")
    assert [case.get("name") for case in second.findall("testcase")] == ["citations"]


def test_junit_counts_warnings_as_failures_when_strict() -> None:
    root = ElementTree.fromstring(write([sample_report()], "junit", settings=Settings(strict=True)))
    assert root.get("failures") == "3"


def test_junit_is_well_formed_whatever_it_quotes() -> None:
    root = ElementTree.fromstring(write([hostile_report()], "junit").encode("utf-8"))
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None
    assert "</script><b>x</b>" in (failure.get("message") or "")
    assert "]]>" in (failure.text or "")
    assert "\x1b" not in "".join(root.itertext())


@pytest.mark.parametrize("output_format", ["json", "sarif", "junit", "github", "markdown"])
def test_machines_get_no_colours(output_format: str) -> None:
    assert "\x1b" not in write([sample_report()], output_format, color=True)
