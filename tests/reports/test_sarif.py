from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from report_samples import ANSWER, hostile_report, make_report, sample_report

from pincite.findings import RULES
from pincite.records import Answer, Report
from pincite.reports import write
from published_schemas import published_schema


@pytest.fixture(scope="module")
def schema() -> Any:
    return published_schema("sarif-2.1.0.json")


def sarif(*reports: Report) -> Any:
    return json.loads(write(reports, "sarif").encode("utf-8"))


@pytest.mark.parametrize(
    "reports", [[], [make_report()], [sample_report()], [hostile_report(), sample_report("b.md")]]
)
def test_it_is_valid_against_the_published_schema(schema: Any, reports: list[Report]) -> None:
    validator = jsonschema.Draft7Validator(schema, format_checker=jsonschema.Draft7Validator.FORMAT_CHECKER)
    assert [error.message for error in validator.iter_errors(sarif(*reports))] == []


def test_the_schema_would_catch_a_wrong_log(schema: Any) -> None:
    log = sarif(sample_report())
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert not jsonschema.Draft7Validator(schema).is_valid(log)


def test_regions_point_at_the_finding_in_code_points() -> None:
    run = sarif(sample_report())["runs"][0]
    assert run["columnKind"] == "unicodeCodePoints"
    region = run["results"][2]["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"], region["endLine"], region["endColumn"]) == (
        4,
        20,
        4,
        40,
    )
    start, length = region["charOffset"], region["charLength"]
    assert ANSWER[start : start + length] == region["snippet"]["text"] == "[report.txt:900-950]"


def test_every_rule_is_described_and_results_refer_to_it() -> None:
    run = sarif(sample_report())["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(RULES)
    assert all(rule["help"]["markdown"] for rule in rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


def test_a_fix_is_a_replacement_at_an_offset() -> None:
    result = sarif(sample_report())["runs"][0]["results"][2]
    replacement = result["fixes"][0]["artifactChanges"][0]["replacements"][0]
    region = replacement["deletedRegion"]
    fixed = (
        ANSWER[: region["charOffset"]]
        + replacement["insertedContent"]["text"]
        + ANSWER[region["charOffset"] + region["charLength"] :]
    )
    assert "[report.txt:90-95]" in fixed and "900-950" not in fixed


def test_a_provider_answer_gets_no_fixes() -> None:
    report = sample_report()
    provided = Report(Answer(report.answer.text, provider="anthropic"), report.findings, report.summary)
    assert not any("fixes" in result for result in sarif(provided)["runs"][0]["results"])


def test_sources_that_could_not_be_read_are_notifications_once_each() -> None:
    run = sarif(sample_report("a.md"), sample_report("b.md"))["runs"][0]
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert [note["message"]["text"] for note in notes] == [
        "scan.pdf could not be read: no text: it seems to be scanned"
    ]


def test_names_become_uri_references() -> None:
    run = sarif(make_report(name="odd name:ü#1.md"))["runs"][0]
    assert run["artifacts"][0]["location"]["uri"] == "odd%20name%3A%C3%BC%231.md"


def test_a_fingerprint_survives_a_move_to_another_line() -> None:
    first = sarif(sample_report())["runs"][0]["results"][0]["partialFingerprints"]
    report = sample_report()
    finding = report.findings[0]
    moved = type(finding)(
        **{
            **{name: getattr(finding, name) for name in finding.__struct_fields__},
            "start": finding.start + 2,
            "end": finding.end + 2,
            "line": finding.line + 2,
        }
    )
    again = sarif(make_report("\n\n" + ANSWER, (moved,)))["runs"][0]["results"][0]["partialFingerprints"]
    assert first == again
