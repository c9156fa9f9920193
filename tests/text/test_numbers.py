"""Quantities: what is read, as which interval, and what is left alone."""

from __future__ import annotations

import math
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text import Quantity, compare, day_number, find_quantities

INF = math.inf


def one(text: str) -> Quantity:
    found = find_quantities(text)
    assert len(found) == 1, found
    return found[0]


POINTS = [
    ("$2.5M", "money", "USD", 2_500_000),
    ("$2.5 million", "money", "USD", 2_500_000),
    ("$ 2.5 million", "money", "USD", 2_500_000),
    ("2.5 million dollars", "money", "USD", 2_500_000),
    ("US$5bn", "money", "USD", 5e9),
    ("HK$12", "money", "HKD", 12),
    ("€1.234.567", "money", "EUR", 1_234_567),
    ("5 million pounds", "money", "GBP", 5_000_000),
    ("300 EUR", "money", "EUR", 300),
    ("Rs. 500", "money", "INR", 500),
    ("2,500,000", "count", "", 2_500_000),
    ("1 000 000", "count", "", 1_000_000),
    ("1\u00a0000\u202f000", "count", "", 1_000_000),
    ("12,34,567", "count", "", 1_234_567),
    ("1.234,56", "count", "", 1234.56),
    ("0,5", "count", "", 0.5),
    ("10K", "count", "", 10_000),
    ("1.5 × 10^6", "count", "", 1.5e6),
    ("-5", "count", "", -5),
    ("−5", "count", "", -5),
    ("minus 5", "count", "", -5),
    ("(5)", "count", "", -5),
    ("twelve", "count", "", 12),
    ("twenty-one", "count", "", 21),
    ("two hundred and five thousand", "count", "", 205_000),
    ("a dozen", "count", "", 12),
    ("two dozen", "count", "", 24),
    ("half a million", "count", "", 500_000),
    ("two and a half million", "count", "", 2_500_000),
    ("1½ cups", "count", "", 1.5),
    ("3.75%", "share", "%", 0.0375),
    ("56 %", "share", "%", 0.56),
    ("12.5 per cent", "share", "%", 0.125),
    ("half of them", "share", "part", 0.5),
    ("two thirds", "share", "part", 2 / 3),
    ("1/2", "share", "/2", 0.5),
    ("4.5/10", "share", "/10", 0.45),
    ("seven out of 10", "share", "/10", 0.7),
    ("one in five", "share", "/5", 0.2),
    ("five percentage points", "points", "pp", 5),
    ("12 months", "duration", "month", 365.25 * 86400),
    ("5-year-old", "duration", "year", 5 * 365.25 * 86400),
    ("3 km", "length", "km", 3000),
    ("6 feet", "length", "ft", 1.8288),
    ("5'10\"", "length", "ft", 1.778),
    ("5 kg", "mass", "kg", 5),
    ("12 square miles", "area", "sq mi", 12 * 1609.344**2),
    ("5 km²", "area", "km²", 5e6),
    ("120 km/h", "speed", "km/h", 120 / 3.6),
    ("60 miles per hour", "speed", "mph", 26.8224),
    ("70°F", "temperature", "°F", (70 + 459.67) * 5 / 9),
    ("21 degrees Celsius", "temperature", "°C", 294.15),
    ("5GB", "data", "GB", 5e9),
    ("third", "ordinal", "", 3),
    ("21st", "ordinal", "", 21),
    ("4:52 pm", "clock", "", 16 * 60 + 52),
    ("2015 people", "count", "", 2015),
]


@pytest.mark.parametrize(("text", "kind", "unit", "value"), POINTS)
def test_each_notation_gives_its_number(text: str, kind: str, unit: str, value: float) -> None:
    found = one(text)
    assert (found.kind, found.unit) == (kind, unit)
    assert found.is_point
    assert found.low == pytest.approx(value)


INTERVALS = [
    ("over 70,000", 70_000, INF, True, False),
    ("more than $5", 5, INF, True, False),
    ("at least 5", 5, INF, False, False),
    ("70+", 70, INF, False, False),
    ("5 or more", 5, INF, False, False),
    ("no fewer than 5", 5, INF, False, False),
    ("under 5", -INF, 5, False, True),
    ("up to 5", -INF, 5, False, False),
    ("no more than 12", -INF, 12, False, False),
    ("5–10", 5, 10, False, False),
    ("between 5 and 10", 5, 10, False, False),
    ("from 5 to 10", 5, 10, False, False),
    ("5-10 km", 5000, 10_000, False, False),
    ("$5–10 million", 5e6, 1e7, False, False),
    ("nearly 8 million", 7.2e6, 8e6, False, False),
    ("about 100", 95, 105, False, False),
]


@pytest.mark.parametrize(("text", "low", "high", "low_open", "high_open"), INTERVALS)
def test_words_around_a_number_make_an_interval(
    text: str, low: float, high: float, low_open: bool, high_open: bool
) -> None:
    found = one(text)
    assert (found.low_open, found.high_open) == (low_open, high_open)
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)


DATES = [
    ("in 2014", (2014, 1, 1), (2015, 1, 1)),
    ("May 1, 2014", (2014, 5, 1), (2014, 5, 2)),
    ("May 1 , 2014", (2014, 5, 1), (2014, 5, 2)),
    ("1 May 2014", (2014, 5, 1), (2014, 5, 2)),
    ("1st of May, 2014", (2014, 5, 1), (2014, 5, 2)),
    ("2014-05-01", (2014, 5, 1), (2014, 5, 2)),
    ("31/12/2014", (2014, 12, 31), (2015, 1, 1)),
    ("May 2014", (2014, 5, 1), (2014, 6, 1)),
    ("Q1 2020", (2020, 1, 1), (2020, 4, 1)),
    ("the first quarter of 2020", (2020, 1, 1), (2020, 4, 1)),
    ("H2 2021", (2021, 7, 1), (2022, 1, 1)),
    ("FY2020", (2020, 1, 1), (2021, 1, 1)),
    ("in the 1990s", (1990, 1, 1), (2000, 1, 1)),
    ("19th century", (1800, 1, 1), (1900, 1, 1)),
    ("from 2005 to 2010", (2005, 1, 1), (2011, 1, 1)),
    ("2009–10", (2009, 1, 1), (2011, 1, 1)),
    ("3–5 May 2014", (2014, 5, 3), (2014, 5, 6)),
    ("the 2012 Olympics", (2012, 1, 1), (2013, 1, 1)),
]


@pytest.mark.parametrize(("text", "first", "after"), DATES)
def test_a_date_is_the_interval_of_its_days(
    text: str, first: tuple[int, int, int], after: tuple[int, int, int]
) -> None:
    found = one(text)
    assert found.kind == "date"
    assert (found.low, found.high) == (day_number(*first), day_number(*after))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("before 2014", -INF, day_number(2014)),
        ("by 2014", -INF, day_number(2015)),
        ("after 2014", day_number(2015), INF),
        ("since 2014", day_number(2014), INF),
        ("later than February 25 , 2020", day_number(2020, 2, 26), INF),
    ],
)
def test_before_and_after_bound_a_date(text: str, low: float, high: float) -> None:
    found = one(text)
    assert (found.low, found.high) == (low, high)


def test_a_day_that_may_be_read_two_ways_keeps_both() -> None:
    found = one("05/01/2014")
    assert (found.low, found.high) == (day_number(2014, 1, 5), day_number(2014, 5, 2))


@pytest.mark.parametrize(
    "text",
    ["v1.2.3", "1.2.3", "COVID-19", "F-16", "3D", "H1N1", "[3]", "one of the best", "the second half",
     "https://a.example/2014/05/01", "x_2", "#42", "a second", "may"],
)  # fmt: skip
def test_names_and_versions_are_no_quantities(text: str) -> None:
    assert [found for found in find_quantities(text) if found.kind != "ordinal"] == []


def test_a_change_from_one_number_to_another_is_two_numbers() -> None:
    assert [found.text for found in find_quantities("It rose from 5% to 10%.")] == ["5%", "10%"]


def test_a_year_does_not_hold_a_smaller_number() -> None:
    assert [found.kind for found in find_quantities("15 of them in 2015")] == ["count", "date"]


FORMATS = [
    lambda n: str(n),
    lambda n: f"{n:,}",
    lambda n: f"{n:,}".replace(",", "\u202f"),
    lambda n: f"{n / 1e6:.6f} million",
    lambda n: f"{n / 1e3:.3f} thousand",
    lambda n: f"{n / 1e6:.6f} × 10^6",
]


@given(st.integers(10_000, 10**9), st.sampled_from(FORMATS), st.booleans())
def test_every_format_of_a_number_is_the_same_quantity(number: int, form: object, money: bool) -> None:
    text = ("$" if money else "") + form(number)  # type: ignore[operator]
    found = one(text)
    assert found.low == pytest.approx(number, rel=1e-12)
    assert found.kind == ("money" if money else "count")


@given(st.integers(0, 999))
def test_number_words_are_read_as_their_digits(number: int) -> None:
    assert [f.low for f in find_quantities(f"{spell(number)} apples")] == [number] or number == 0


SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen"""
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety"


def spell(number: int) -> str:
    small, tens = SMALL.split(), TENS.split()
    if number < 20:
        return small[number]
    if number < 100:
        return tens[number // 10] + (f"-{small[number % 10]}" if number % 10 else "")
    rest = f" and {spell(number % 100)}" if number % 100 else ""
    return f"{small[number // 100]} hundred{rest}"


@given(
    st.text(
        alphabet="0123456789.,-–/:%$€°'\" ()[]+~abmkMKtosdforeinthyuMay½²２٣\ud800\u202e\0\n", max_size=60
    )
)
def test_spans_are_true_in_order_and_apart(text: str) -> None:
    end = 0
    for found in find_quantities(text):
        assert found.text == text[found.start : found.end]
        assert end <= found.start < found.end
        end = found.end


@given(st.text(max_size=200))
def test_any_text_is_read_without_a_crash(text: str) -> None:
    find_quantities(text)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("310 MWh", "310 megawatt-hours"),
        ("5 kWh", "5 kilowatt hours"),
        ("$1,200", "1200 USD"),
        ("$2,000", "USD 2000"),
    ],
)
def test_one_measure_in_two_spellings_is_the_same(claim: str, source: str) -> None:
    (claimed,), (found,) = find_quantities(claim), find_quantities(source)
    assert compare(claimed, found) == "inside"


def test_the_cells_of_a_comma_separated_line_are_numbers_of_their_own() -> None:
    text = 'Acme,$10M,50,2020\nGlobex,"1,234",200,300\nIn all, 1,500 people came.'
    found = find_quantities(text)
    assert [quantity.text for quantity in found] == ["$10M", "50", "2020", "1,234", "200", "300", "1,500"]
    assert all(text[quantity.start : quantity.end] == quantity.text for quantity in found)


@pytest.mark.parametrize("text", ["0'²", "5'²\"", "5 ft ² in", "Q²", "1:²³", "2014-²", "1³th"])
def test_raised_digits_are_no_reason_to_fail(text: str) -> None:
    assert all(found.text == text[found.start : found.end] for found in find_quantities(text))


# --- a comparison that is denied sets the other bound --------------------------------------------

AT_MOST = (
    "No vessel may go faster than 4 kg.",
    "Vessels may not exceed 4 kg.",
    "A crate must not be heavier than 4 kg.",
    "A crate mustn’t be heavier than 4 kg.",
    "The load is not more than 4 kg.",
    "The load should be no heavier than 4 kg.",
    "It cannot carry more than 4 kg.",
    "It never carries more than 4 kg.",
    "Drivers are not allowed to load more than 4 kg.",
    "No one in the port may lift over 4 kg.",
    "Nothing here is heavier than 4 kg.",
    "It isn't heavier than 4 kg.",
)
AT_LEAST = (
    "No crate may be lighter than 4 kg.",
    "No fewer than 4 kg were sold.",
    "A crate must not weigh less than 4 kg.",
    "It is never less than 4 kg.",
)
ABOVE = (
    "Vessels may carry more than 4 kg.",
    "It did not buy over 4 kg.",
    "It didn't sell the more than 4 kg.",
    "No firm with more than 4 kg was fined.",
    "There is no doubt that crates may weigh more than 4 kg.",
    "It was not fined, and sold more than 4 kg.",
)
BELOW = ("No crate under 4 kg may enter.", "Crates under 4 kg may not enter.")


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        *((text, -inf, 4.0) for text in (*AT_MOST, *BELOW)),
        *((text, 4.0, inf) for text in (*AT_LEAST, *ABOVE)),
    ],
)
def test_a_denied_comparison_is_the_other_bound(text: str, low: float, high: float) -> None:
    (quantity,) = find_quantities(text)
    assert (quantity.low, quantity.high) == (low, high)
    assert quantity.text == text[quantity.start : quantity.end]


WORDS = (
    "no",
    "not",
    "never",
    "may",
    "must",
    "be",
    "is",
    "more",
    "than",
    "faster",
    "exceed",
    "4 kg",
    ".",
    "isn't",
)


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_whatever_stands_before_a_number_its_text_is_where_it_says(text: str) -> None:
    for quantity in find_quantities(text):
        assert quantity.text == text[quantity.start : quantity.end]
        assert quantity.low <= quantity.high
