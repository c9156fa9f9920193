"""A claim against one JSON value."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.judges import find_numbers, judge_value
from pincite.records import Passage


def outcome(value: str, near: str, context: str = "") -> str:
    verdict = judge_value((Passage(text=value, context=context),), near, near)
    assert verdict is not None
    return verdict.outcome


@pytest.mark.parametrize(
    ("value", "near"),
    [
        ("1200", "The premium is $1,200"),
        ("15", "Building age is 15 years"),
        ("2500000", "Revenue: $2.5M"),
        ("2500000", "Revenue was 2.5 million dollars"),
        ("-5", "a change of (5)"),
        ("-5", "a change of -5%"),
        ("-5", "minus 5 degrees"),
        ("0.0375", "a rate of 3.75%"),
        ("3.75", "a rate of 3.75%"),
        ("1234.5678", "about 1,234.57"),
        ("true", "the roof is covered"),
        ("false", "the roof is not covered"),
        ('"Lisbon"', "the office is in Lisbon"),
        ("null", "no date was given"),
    ],
)
def test_a_value_that_the_claim_states_is_supported(value: str, near: str) -> None:
    assert outcome(value, near) == "supported"


@pytest.mark.parametrize(
    ("value", "near"),
    [
        ("1200", "The premium is $1,201"),
        ("1200", "The premium is $12,000"),
        ("2015", "an age of 15"),
        ("12000000", "12 months"),
        ("5", "a change of -5"),
        ("true", "the roof is not covered"),
        ("false", "the roof is covered"),
    ],
)
def test_another_value_is_contradicted(value: str, near: str) -> None:
    assert outcome(value, near) == "contradicted"


def test_the_reason_names_both_numbers() -> None:
    verdict = judge_value((Passage(text="1200"),), "The premium is $1,300", "The premium is $1,300")
    assert verdict is not None
    assert verdict.reason == "number differs: 1,300 in the claim, 1200 in the source"


def test_a_name_that_the_claim_does_not_state_is_not_enough() -> None:
    assert outcome('"Lisbon"', "the office is in Porto") == "not_enough"


def test_a_marker_may_name_a_number_without_stating_it() -> None:
    assert outcome("1200", "The premium is due monthly", context="quote.premium") == "supported"
    assert outcome("1200", "The roof was mended", context="quote.premium") == "not_enough"


def test_prose_and_objects_are_left_to_the_judge() -> None:
    prose = json.dumps("The roof was mended in spring by a firm from the next town over.")
    assert judge_value((Passage(text=prose),), "The roof was mended.", "") is None
    assert judge_value((Passage(text='{"a": 1}'),), "a is 1", "") is None


@given(st.integers(-(10**12), 10**12))
def test_an_integer_written_with_commas_is_read_back(value: int) -> None:
    assert find_numbers(f"it is {value:,} now")[0].value == value
    assert outcome(str(value), f"it is {value:,} now") == "supported"


@given(st.integers(0, 10**9), st.integers(1, 9))
def test_a_changed_last_digit_is_always_seen(value: int, change: int) -> None:
    other = value - value % 10 + (value % 10 + change) % 10
    assert outcome(str(value), f"it is {other:,} now") == "contradicted"


@given(st.text(max_size=200), st.text(max_size=200))
def test_nothing_that_is_written_breaks_it(value: str, near: str) -> None:
    judge_value((Passage(text=value),), near, near)


def test_the_figure_of_a_name_is_no_number() -> None:
    verdict = judge_value((Passage(text="236"),), "South sold 250 units in Q2", "South sold 250 units in Q2")
    assert verdict is not None
    assert (verdict.outcome, verdict.claim_text) == ("contradicted", "250")


@pytest.mark.parametrize(
    ("near", "expected"),
    [
        ("The holder is insured since April 2019", "supported"),
        ("The holder is insured since April 2018", "contradicted"),
        ("The policy began on 1 April 2019", "supported"),
        ("The policy began on 2 April 2019", "contradicted"),
        ("The policy began before 2020", "supported"),
    ],
)
def test_a_date_is_compared_as_a_date(near: str, expected: str) -> None:
    assert outcome('"2019-04-01"', near) == expected
