"""Citation fidelity: paths that lead to a value, and values that the answer states.

The examples of document 004 are in `tests/specification/`.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite import ConfigError, parse
from pincite.metrics import CitationFidelity, CitationFidelityResult, parse_metric
from pincite.records import DatasetItem, Result

QUOTE = {"quote": {"premium": 1200, "coverage": 500000}}


def measure(answer: str | None, data: Any, **parameters: Any) -> Result:
    item = DatasetItem(actual_output=answer, expected_output=data)
    return asyncio.run(CitationFidelity(**parameters).execute(item, judge="rules"))


def states(answer: str, value: Any, **parameters: Any) -> bool:
    """Whether the value is found where the one marker of the answer is."""
    result = measure(f"{answer} [a.b].", {"a": {"b": value}}, check_values=True, **parameters)
    assert result.denominator == 1
    return result.score == 1.0


def test_a_metric_prints_and_parses_as_itself() -> None:
    assert str(CitationFidelity()) == "citation_fidelity"
    other = CitationFidelity(check_values=True, window_chars=100)
    assert parse_metric(str(other)) == other


# --- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("Revenue $2.5M", 2500000),
        ("Revenue $2.5 million", 2500000),
        ("Revenue 2,500,000", 2500000),
        ("A rate of 3.75%", 3.75),
        ("A rate of 3.75%", 0.0375),
        ("A change of -5", -5),
        ("A change of (5)", -5),
        ("A term of 12 months", 12),
        ("Fifteen floors", 15),
        ("About $2.5M", 2512345),
        ("It is 1,205", 1200),
        ("It cost 1,200", "1200"),
        ("It cost 1200 dollars", "$1,200"),
    ],
)
def test_a_number_is_compared_as_a_number(answer: str, value: Any) -> None:
    assert states(answer, value)


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("A term of 12 months", 12000000),
        ("Built in 2015", 15),
        ("A change of 5", -5),
        ("Built in 2016", 2015),
        ("It is 1,300", 1200),
        ("A rate of 37.5%", 3.75),
    ],
)
def test_another_number_differs(answer: str, value: Any) -> None:
    result = measure(f"{answer} [a.b].", {"a": {"b": value}}, check_values=True)
    assert result.score == 0.0
    assert result.signals.verdicts[0].reason.startswith("value differs: the answer says ")


def test_the_tolerance_is_a_share_of_the_value() -> None:
    assert not states("It is 1,230", 1200)
    assert states("It is 1,230", 1200, numeric_tolerance=0.05)
    assert not states("It is 1,205", 1200, numeric_tolerance=0.0)


@pytest.mark.parametrize(
    ("answer", "value", "tolerance", "stated"),
    [
        ("It cost $2M", 1_500_000, 0.01, False),
        ("It cost $2M", 2_490_000, 0.01, False),
        ("It cost $2M", 2_490_000, 0.0, False),
        ("It cost $2M", 2_490_000, 0.25, True),
        ("It cost $2.5M", 2_490_000, 0.01, True),
        ("It cost $2.5M", 2_490_000, 0.0, False),
        ("It cost $2.5M", 2_500_000, 0.0, True),
        ("A rate of 4%", 0.0375, 0.01, False),
        ("A rate of 3.75%", 0.0375, 0.0, True),
        ("There are 0 left", 0, 0.0, True),
        ("There were 12.4 of them", "12.6 units", 0.01, False),
    ],
)
def test_rounding_stays_within_the_tolerance(answer: str, value: Any, tolerance: float, stated: bool) -> None:
    assert states(answer, value, numeric_tolerance=tolerance) is stated


# --- other values --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "value", "stated"),
    [
        ("Sprinklers: yes", True, True),
        ("Sprinklers: true", True, True),
        ("Sprinklers: no", True, False),
        ("There are no sprinklers", False, True),
        ("Sprinklers: yes", False, False),
        ("It is at 12 Main Street, Springfield", "12 Main Street, Springfield", True),
        ("It is at 12 Main St, Springfield", "12 Main Street, Springfield", True),
        ("It is at 456 Main Street, Springfield", "12 Main Street, Springfield", False),
        ("The office is in Lisbon", "Lisbon", True),
        ("The office is in Porto", "Lisbon", False),
        ("The status is open", "closed", False),
        ("Since January 15, 2024", "2024-01-15", True),
        ("Since January 16, 2024", "2024-01-15", False),
        ("No date was given", None, True),
        ("The date was given", None, False),
        ("It has two wings, east and west", ["east", "west"], True),
        ("It has a tower", ["east", "west"], False),
        ("It costs 1,200 a year", {"amount": 1200, "period": "year"}, True),
    ],
)
def test_a_value_must_be_stated(answer: str, value: Any, stated: bool) -> None:
    assert states(answer, value) is stated


def test_shared_words_or_likeness_each_suffice() -> None:
    value = "Springfield Property Holdings of the Northern Counties"
    few_words_alike = "Owned by a property company of holdings"
    assert states(few_words_alike, value)
    assert not states(few_words_alike, value, min_shared_tokens=3)
    misspelt = "Owned by Springfeild Propperty Holdingz"
    assert states(misspelt, "Springfield Property Holdings")
    assert not states(misspelt, "Springfield Property Holdings", fuzzy_threshold=1.0)


def test_how_alike_texts_must_be_can_be_set() -> None:
    value = "Springfield Property Holdings"
    assert not states("Owned by Springfield Partners", value)
    assert states("Owned by Springfield Partners", value, min_shared_tokens=1)
    assert states("Owned by Springfield Partners", value, fuzzy_threshold=0.5)


@pytest.mark.parametrize(
    ("answer", "value"), [("Insured", "fully insured against fire"), ("It is open", "yes, open on Sundays")]
)
def test_one_word_of_a_longer_value_does_not_state_it(answer: str, value: str) -> None:
    assert not states(answer, value)


# --- where a value stands -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Premium and coverage are $1,200 and $500,000 [quote.premium][quote.coverage].", 1.0),
        ("Premium is $500,000 [quote.premium], coverage $1,200 [quote.coverage].", 0.0),
        ("The premium [quote.premium] is $1,200 and the coverage [quote.coverage] is $500,000.", 1.0),
        ("The premium [quote.premium] is $500,000 and the coverage [quote.coverage] is $1,200.", 0.0),
        ("Premium is $1,200 [quote.premium], coverage $500,000 [quote.coverage], both for 2024.", 1.0),
        ("For 2024, the premium [quote.premium] is $1,200.", 1.0),
        ("The premium is $1,200. It is due monthly [quote.premium].", 1.0),
        ("Premium is $500,000 [quote.premium]. Coverage $1,200 [quote.coverage].", 0.0),
        ("The premium is $1,200. [quote.premium] The coverage is $500,000. [quote.coverage]", 1.0),
        ("The premium is $500,000. [quote.premium] The coverage is $1,200. [quote.coverage]", 0.0),
        ("[quote.premium]: $1,200\n[quote.coverage]: $500,000", 1.0),
        ("[quote.premium]: $500,000\n[quote.coverage]: $1,200", 0.0),
        ("- Premium: $1,200 [quote.premium]\n- Coverage: $500,000 [quote.coverage]", 1.0),
        ("- Premium: $500,000 [quote.premium]\n- Coverage: $1,200 [quote.coverage]", 0.0),
    ],
)
def test_the_words_between_two_markers_belong_to_one(answer: str, score: float) -> None:
    assert measure(answer, QUOTE, check_values=True).score == score


def test_a_flag_is_read_in_the_sentence_of_its_marker() -> None:
    data = {"a": {"b": False, "c": True}}
    answer = "Sprinklers are not installed. [a.b] The roof is new. [a.c]"
    assert measure(answer, data, check_values=True).score == 1.0
    assert measure(answer.replace("not ", ""), data, check_values=True).score == 0.5


def test_a_value_further_away_than_the_window_is_not_near() -> None:
    answer = f"The premium is $1,200, {'and so on ' * 10}as said [quote.premium]."
    assert measure(answer, QUOTE, check_values=True).score == 1.0
    far = measure(answer, QUOTE, check_values=True, window_chars=40)
    assert far.score == 0.0
    assert far.signals.verdicts[0].reason == "value not near the marker: 1200"


def test_a_window_never_cuts_a_number() -> None:
    for window in range(1, 30):
        result = measure("It is $51,200 [a.b].", {"a": {"b": 200}}, check_values=True, window_chars=window)
        assert result.score == 0.0


# --- paths and data -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "data", "score"),
    [
        ("It costs 9.99 [items[0].price].", {"items": [{"price": 9.99}]}, 1.0),
        ("It costs 9.99 [items[3].price].", {"items": [{"price": 9.99}]}, 0.0),
        ("It costs 9.99 [items.0.price].", {"items": [{"price": 9.99}]}, 1.0),
        ("It costs 9.99 [[0].price] or 5 [1.price].", [{"price": 9.99}, {"price": 5}], 1.0),
        ("It costs 9.99 [item.price].", [{"other": 1}, {"item": {"price": 9.99}}], 1.0),
        ("It costs 9.99 [a['odd key']].", {"a": {"odd key": 9.99}}, 1.0),
        ("It costs 9.99 [price].", {"price": 9.99}, 1.0),
        ("It costs 1,200 [quote.premium].", json.dumps(QUOTE), 1.0),
        ("It costs 1,200 [quote.premium].", {"quote": {"premium": None}}, 1.0),
    ],
)
def test_paths_lead_into_objects_lists_and_json_text(answer: str, data: Any, score: float) -> None:
    assert measure(answer, data).score == score


@pytest.mark.parametrize(
    ("answer", "data", "reason"),
    [
        (None, QUOTE, "no answer"),
        ("Nothing is cited.", QUOTE, "no path citations"),
        ("[2023], arr[0], [1] and [x](https://a.org/b).", QUOTE, "no path citations"),
        ("It is [quote.premium].", None, "no expected_output"),
        ("It is [quote.premium].", "an expected answer", "expected_output is not JSON data"),
        ("It is [quote.premium].", "[" * 100_000, "expected_output is not JSON data"),
        ("It is [quote.premium].", 7, "expected_output is not JSON data"),
    ],
)
def test_nothing_to_score_is_none_with_a_reason(answer: str | None, data: Any, reason: str) -> None:
    result = measure(answer, data)
    assert (result.score, result.reasons, result.not_scorable) == (None, {reason: 1}, 1)
    assert result.signals == CitationFidelityResult(None, 0, 0, ())


def test_json_sources_serve_where_no_data_is_expected() -> None:
    item = DatasetItem(actual_output="The premium is $1,200 [quote.premium].")
    result = asyncio.run(
        CitationFidelity(check_values=True).execute(item, sources={"q.json": json.dumps(QUOTE)})
    )
    assert result.score == 1.0


def test_citations_that_were_given_keep_their_offsets() -> None:
    answer = "   The premium is $1,200 [quote.premium]."
    item = DatasetItem(actual_output=answer, expected_output=QUOTE, citations=parse(answer).citations)
    assert asyncio.run(CitationFidelity(check_values=True).execute(item)).score == 1.0


@pytest.mark.parametrize(
    "wrong",
    [
        {"window_chars": 0},
        {"fuzzy_threshold": 80},
        {"numeric_tolerance": -1},
        {"min_shared_tokens": 0},
        {"window_chars": "wide"},
        {"window_chars": 20.5},
        {"window_chars": True},
        {"min_shared_tokens": 1.5},
        {"fuzzy_threshold": float("nan")},
        {"check_values": "x"},
        {"check_values": 1},
        {"check_values": None},
    ],
)
def test_a_wrong_parameter_is_refused_by_name(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        CitationFidelity(**wrong)


@given(st.integers(-(10**9), 10**9))
def test_a_number_written_out_is_always_found(value: int) -> None:
    assert states(f"It is {value:,}", value)
    assert states(f"It is {value}", value)


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.text(alphabet="ab [].,0129$%()-\n!", max_size=80), _values)
def test_no_answer_and_no_value_break_it(answer: str, value: Any) -> None:
    result = measure(f"{answer} [a.b] {answer}", {"a": {"b": value}}, check_values=True)
    assert result.score is None or 0.0 <= result.score <= 1.0


@pytest.mark.parametrize(
    ("answer", "data", "score", "count"),
    [
        ("It costs 5 [premium]. It is blue [nothing].", {"premium": 5}, 0.5, 2),
        ("It is blue [nothing].", {"premium": 5}, 0.0, 1),
        ("It costs 5 [premium], they say [sic].", {"premium": 5}, 1.0, 1),
        ("It costs 5 [quote.premium], as a friend [nobody] said.", {"quote": {"premium": 5}}, 1.0, 1),
        ("It costs 5 [premium]; see [figure1.png].", {"premium": 5}, 1.0, 1),
    ],
)
def test_a_name_in_brackets_is_counted_where_the_data_is_flat(
    answer: str, data: dict[str, Any], score: float, count: int
) -> None:
    result = measure(answer, data)
    assert (result.score, result.denominator) == (score, count)


@pytest.mark.parametrize("spelt", ["3, 000", "53, 193, 914"])
def test_a_number_torn_after_its_commas_is_one_number(spelt: str) -> None:
    whole = spelt.replace(" ", "")
    number = int(whole.replace(",", ""))
    assert states(f"It has {whole}", spelt)
    assert states(f"It has {spelt}", number)
    assert not states(f"It has {whole}", spelt.replace("3", "4", 1))


def test_a_list_of_numbers_is_no_number() -> None:
    assert not states("It is on pages 53, 193, 914", 53_193_914)
    assert not states("It has 53, 193, 914 and 999", 53_193_914)
