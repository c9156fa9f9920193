"""Citation accuracy: numbers against a list of references."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite import InputError
from pincite.metrics import CitationAccuracy, CitationAccuracyResult
from pincite.records import DatasetItem, Result

LISTED = ("Tea and health", "Tea and sleep")


def measure(answer: str | None, references: Any = None) -> Result:
    item = {"actual_output": answer, "references": references}
    return asyncio.run(CitationAccuracy().execute(item))


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("It is so [1].", [1]),
        ("It is so [1,2].", [1, 2]),
        ("It is so [1-3].", [1, 2, 3]),
        ("It is so [1][2].", [1, 2]),
        ("It is so 【3】.", [3]),
        ("It is known^1.", [1]),
        ("It is healthy².", [2]),
        ("In [2023] it was array[0], see [a link](https://x.org/1) [1].", [1]),
    ],
)
def test_every_form_of_ruling_13_is_read(answer: str, numbers: list[int]) -> None:
    assert [one.number for one in measure(answer, LISTED).signals.verdicts] == numbers


def test_a_number_without_an_entry_is_invalid() -> None:
    result = measure("It is so [1-3].", LISTED)
    assert (result.numerator, result.denominator, result.passed) == (2, 3, False)
    assert [one.status for one in result.signals.verdicts] == ["valid", "valid", "invalid"]
    assert result.signals.verdicts[0].source == "Tea and health"
    assert result.signals.verdicts[2].reason == "the list has no entry 3"
    assert result.threshold == 1.0


def test_a_reference_that_nothing_cites_is_told() -> None:
    result = measure("It is so [1].", LISTED)
    assert result.passed is True
    assert [(one.number, one.source) for one in result.signals.unused_references] == [("2", "Tea and sleep")]
    assert result.counts["unused_references"] == 1


def test_entries_may_bear_numbers_of_their_own() -> None:
    listed = [{"number": 7, "source": "a"}, {"number": "[9]", "source": "b"}]
    result = measure("It is so [7], [9] and [1].", listed)
    assert [one.status for one in result.signals.verdicts] == ["valid", "valid", "invalid"]
    assert measure("It is so [3].", ["[3] Tea", "[4] Coffee"]).score == 1.0
    assert measure("It is so [1].", ["(Smith, 2020) Tea"]).score == 1.0


def test_a_number_that_two_entries_bear_is_told() -> None:
    listed = [{"number": 1, "source": "a"}, {"number": 1, "source": "b"}]
    assert measure("So [1].", listed).signals.repeated_numbers == ("1",)


def test_the_answers_own_list_serves_where_none_is_given() -> None:
    answer = "It is so [1]. And so [3].\n\nReferences\n[1] Tea and health\n[2] Tea and sleep"
    result = measure(answer)
    assert result.score == 0.5
    assert [one.number for one in result.signals.unused_references] == ["2"]


@pytest.mark.parametrize(
    ("answer", "references", "reason", "count"),
    [
        (None, LISTED, "no answer", 1),
        ("Nothing is cited.", LISTED, "no numbered citations", 1),
        ("Nothing is cited.", None, "no numbered citations", 1),
        ("It is so [1, 2].", None, "no list of references", 2),
    ],
)
def test_nothing_to_score_is_none_with_a_reason(
    answer: str | None, references: Any, reason: str, count: int
) -> None:
    result = measure(answer, references)
    assert (result.score, result.reasons, result.not_scorable) == (None, {reason: count}, count)


def test_an_empty_list_has_no_entry_for_anything() -> None:
    assert measure("It is so [1].", []).score == 0.0


def test_a_reference_of_another_kind_is_refused() -> None:
    with pytest.raises(InputError, match="references"):
        measure("It is so [1].", [3])


@given(st.lists(st.integers(1, 30), min_size=1, max_size=12), st.integers(0, 30))
def test_the_score_is_the_share_of_numbers_in_the_list(numbers: list[int], size: int) -> None:
    answer = " ".join(f"It is claim {'x' * 3} here [{number}]." for number in numbers)
    item = DatasetItem(actual_output=answer, references=tuple(f"Work {n}" for n in range(1, size + 1)))
    result = asyncio.run(CitationAccuracy().execute(item))
    assert result.score == sum(number <= size for number in numbers) / len(numbers)
    assert len(result.signals.unused_references) == size - len({n for n in numbers if n <= size})


@pytest.mark.parametrize(
    ("answer", "reason", "count"),
    [(None, "no answer", 1), ("So [1,2].", "no list of references", 2), ("So.", "no numbered citations", 1)],
)
def test_nothing_to_score_has_signals_with_nothing_counted(
    answer: str | None, reason: str, count: int
) -> None:
    result = measure(answer)
    assert (result.score, result.reasons, result.not_scorable) == (None, {reason: count}, count)
    assert result.signals == CitationAccuracyResult(None, 0, 0, (), (), ())
