"""Document 004, citation fidelity, and its sibling for numbers: every example, with the rulings applied."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import msgspec
import pytest

from pincite import check
from pincite.compat import (
    CitationAccuracy,
    CitationFidelity,
    CitationFidelityResult,
    DatasetItem,
)
from pincite.records import Result

PREMIUM = DatasetItem(
    actual_output="The premium is $1,200 [quote.premium].",
    expected_output={"quote": {"premium": 1200}},
)
COVERAGE = DatasetItem(
    actual_output="Premium is $1,200 [quote.premium]. Coverage limit $500,000 [quote.coverage].",
    expected_output={"quote": {"premium": 1200, "coverage": 500000}},
)
BUILDING = DatasetItem(
    actual_output="Building age is 15 years [property.building_age]. Revenue: $2.5M [financials.revenue].",
    expected_output={"property": {"building_age": 15}, "financials": {"revenue": 2500000}},
)
DEDUCTIBLE = DatasetItem(
    actual_output="Premium is $1,200 [quote.premium]. Deductible: $500 [quote.deductible].",
    expected_output={"quote": {"premium": 1200}},
)


def measured(item: DatasetItem, **parameters: Any) -> Result:
    return asyncio.run(CitationFidelity(**parameters).execute(item))


def saying(answer: str) -> DatasetItem:
    """Another answer about the premium and the coverage."""
    return DatasetItem(actual_output=answer, expected_output=COVERAGE.expected_output)


# --- At a glance ---------------------------------------------------------------------------------


def test_at_a_glance_the_threshold_is_1_and_an_answer_and_data_are_needed() -> None:
    assert (measured(PREMIUM).threshold, measured(PREMIUM).passed) == (1.0, True)
    assert measured(DEDUCTIBLE).passed is False
    for lacking in (
        DatasetItem(actual_output=PREMIUM.actual_output),
        DatasetItem(expected_output=PREMIUM.expected_output),
        saying("No path is cited here."),
    ):
        nothing = measured(lacking)
        assert nothing.score is None and nothing.passed is None and nothing.not_scorable == 1


def test_see_also_citation_accuracy_holds_numbers_against_a_list() -> None:
    item = DatasetItem(actual_output="It is so [1], and so [3].", references=("First", "Second"))
    result = asyncio.run(CitationAccuracy().execute(item))
    assert (result.score, result.threshold, result.passed) == (0.5, 1.0, False)
    assert measured(item).score is None


# --- Configuration -------------------------------------------------------------------------------


def test_configuration_the_defaults_are_those_of_the_document() -> None:
    metric = CitationFidelity()
    assert (metric.check_values, metric.window_chars, metric.min_shared_tokens) == (False, 200, 2)
    assert (metric.fuzzy_threshold, metric.numeric_tolerance) == (0.8, 0.01)


MISSPELT = "It is owned by Springfeild Propperty Holdings [a.b]."
PARTLY = "It is owned by Holdings of Property and Land [a.b]."


@pytest.mark.parametrize(
    ("answer", "value", "parameters", "scores"),
    [
        ("It is 1,300 [a.b].", 1200, {"check_values": True}, (1.0, 0.0)),
        (f"It is 1,200{' as said' * 20} [a.b].", 1200, {"window_chars": 20}, (1.0, 0.0)),
        (PARTLY, "Springfield Property Holdings", {"min_shared_tokens": 3}, (1.0, 0.0)),
        (MISSPELT, "Springfield Property Holdings", {"fuzzy_threshold": 1.0}, (1.0, 0.0)),
        ("It is 1,230 [a.b].", 1200, {"numeric_tolerance": 0.05}, (0.0, 1.0)),
    ],
    ids=[
        "check_values",
        "window_chars",
        "min_shared_tokens",
        "fuzzy_threshold",
        "numeric_tolerance",
    ],
)
def test_configuration_each_parameter_has_its_effect(
    answer: str, value: Any, parameters: dict[str, Any], scores: tuple[float, float]
) -> None:
    """The score without the parameter, and with it. All but the first are about values that are checked."""
    item = DatasetItem(actual_output=answer, expected_output={"a": {"b": value}})
    without: dict[str, Any] = {} if "check_values" in parameters else {"check_values": True}
    assert (measured(item, **without).score, measured(item, **without, **parameters).score) == scores


# --- Code examples -------------------------------------------------------------------------------


def test_code_example_basic_usage(capsys: pytest.CaptureFixture[str]) -> None:
    async def example() -> None:
        metric = CitationFidelity()
        result = await metric.execute(PREMIUM)
        print(result.pretty())

    asyncio.run(example())
    assert "Score: 1.00 (1 of 1 path citations valid)" in capsys.readouterr().out


def test_code_example_with_value_checking(capsys: pytest.CaptureFixture[str]) -> None:
    async def example() -> None:
        metric = CitationFidelity(check_values=True, window_chars=100)
        result = await metric.execute(COVERAGE)
        print(f"Score: {result.score}")
        print(f"Valid: {result.signals.valid_citations}/{result.signals.total_citations}")

    asyncio.run(example())
    assert capsys.readouterr().out == "Score: 1.0\nValid: 2/2\n"


def test_value_checking_sees_a_path_that_resolves_to_another_value() -> None:
    swapped = saying("Premium is $500,000 [quote.premium] and coverage $1,200 [quote.coverage].")
    assert (measured(swapped).score, measured(swapped, check_values=True).score) == (1.0, 0.0)
    for one in measured(swapped, check_values=True).signals.verdicts:
        assert one.status == "invalid" and one.reason.startswith("value differs")


# --- Metric diagnostics --------------------------------------------------------------------------


def test_diagnostics_every_signal_field_is_there() -> None:
    result = measured(COVERAGE)
    assert isinstance(result.signals, CitationFidelityResult)
    signals = json.loads(msgspec.json.encode(result.signals))
    assert all(one.pop("reason") for one in signals["verdicts"])
    assert signals == {
        "score": 1.0,
        "total_citations": 2,
        "valid_citations": 2,
        "verdicts": [
            {
                "citation": "[quote.premium]",
                "path": "quote.premium",
                "resolved_value": 1200,
                "status": "valid",
            },
            {
                "citation": "[quote.coverage]",
                "path": "quote.coverage",
                "resolved_value": 500000,
                "status": "valid",
            },
        ],
    }


# --- Example scenarios ---------------------------------------------------------------------------


@pytest.mark.parametrize("check_values", [False, True])
def test_scenario_1_all_paths_resolve(check_values: bool) -> None:
    result = measured(BUILDING, check_values=check_values)
    assert (result.score, result.numerator, result.denominator) == (1.0, 2, 2)
    assert [(one.path, one.resolved_value, one.status) for one in result.signals.verdicts] == [
        ("property.building_age", 15, "valid"),
        ("financials.revenue", 2500000, "valid"),
    ]


@pytest.mark.parametrize("check_values", [False, True])
def test_scenario_2_one_path_does_not_exist(check_values: bool) -> None:
    result = measured(DEDUCTIBLE, check_values=check_values)
    assert (result.score, result.numerator, result.denominator) == (0.5, 1, 2)
    found, lost = result.signals.verdicts
    assert (found.resolved_value, found.status) == (1200, "valid")
    assert (lost.resolved_value, lost.status, lost.reason) == (None, "invalid", "path not found")


@pytest.mark.parametrize(
    ("item", "codes"),
    [
        (PREMIUM, []),
        (COVERAGE, []),
        (BUILDING, []),
        (DEDUCTIBLE, ["PIN107"]),
        (saying("Premium is $1,300 [quote.premium]."), ["PIN203"]),
        (
            saying("Premium is $500,000 [quote.premium] and coverage $1,200 [quote.coverage]."),
            ["PIN203", "PIN203"],
        ),
    ],
)
def test_a_check_of_the_same_answers_finds_the_same_faults(item: DatasetItem, codes: list[str]) -> None:
    """A check compares values without being asked to."""
    report = check(item.actual_output or "", {"data.json": item.expected_output})
    assert [finding.code for finding in report.findings] == codes
    assert report.summary.score == 1 - len(codes) / report.summary.targets
