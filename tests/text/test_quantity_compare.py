"""How two quantities compare, and what rounding may hide."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text import Quantity, compare, find_quantities

CASES = [
    ("over 70,000 people", "84,115 fans", "inside"),
    ("over 90,000 people", "84,115 fans", "apart"),
    ("$10M", "$10.2 million", "inside"),
    ("$2M", "$2.4 million", "overlap"),
    ("$10.2 million", "$10 million", "overlap"),
    ("$10 million", "$12 million", "apart"),
    ("84 thousand", "84,115", "inside"),
    ("about 84,000", "84,115", "inside"),
    ("84,000", "84,115", "overlap"),
    ("84,115", "84,511", "apart"),
    ("12%", "21%", "apart"),
    ("12%", "12.4%", "inside"),
    ("12%", "12.6%", "apart"),
    ("3.75%", "3.7%", "overlap"),
    ("50%", "half of them", "inside"),
    ("12 months", "one year", "inside"),
    ("12 months", "12 million", "unrelated"),
    ("12 months", "12 years", "apart"),
    ("3 km", "3,000 metres", "inside"),
    ("5 miles", "5 km", "apart"),
    ("100 °C", "212 °F", "inside"),
    ("$5", "€5", "unrelated"),
    ("in 2014", "May 1, 2014", "inside"),
    ("May 1, 2014", "in 2014", "overlap"),
    ("before 2014", "in 2009", "inside"),
    ("before 2014", "in 2014", "apart"),
    ("after 28 January 2020", "29 January 2020", "inside"),
    ("in the 1940s", "in 1947", "inside"),
    ("FY2020", "in 2020", "inside"),
    ("FY2020", "in 2023", "apart"),
    ("March 17", "17 March 2020", "inside"),
    ("17 March 2020", "March 17", "overlap"),
    ("17 March 2020", "March 18", "apart"),
    ("under 23.5 million", "more than 23 million", "overlap"),
    ("more than 5", "at least 6", "inside"),
    ("nearly 8 million", "8 million", "inside"),
    ("third", "fourth", "apart"),
    ("3–1", "1–3", "unrelated"),
    ("3–1", "3–2", "apart"),
    ("15", "in 2015", "unrelated"),
    ("between 5 and 10", "7", "inside"),
    ("7", "between 5 and 10", "overlap"),
    ("two thirds of them", "67%", "inside"),
    ("67%", "two thirds of them", "inside"),
    ("60%", "two thirds of them", "apart"),
    ("one in three people", "33%", "inside"),
    ("33%", "one in three people", "inside"),
    ("a quarter of them", "30%", "apart"),
    ("until 1996", "from 1990 to 1995", "apart"),
    ("until 1995", "from 1990 to 1995", "inside"),
    ("since 1990", "since 1991", "apart"),
    ("since 1990", "1990–1995", "inside"),
    ("since 2014", "since May 2014", "inside"),
    ("since May 2014", "since 2014", "overlap"),
    ("1990–1995", "1990–1996", "apart"),
    ("from 1990 to 1995", "since 1990", "overlap"),
    ("until 1996", "in 1990", "inside"),
    ("since at least 2010", "since 2010", "inside"),
    ("since at least 2010", "since 2012", "inside"),
    ("since at least 2010", "since 2008", "overlap"),
    ("from June 24 to July 8", "June 24 – July 8", "inside"),
]


@pytest.mark.parametrize(("claim", "source", "expected"), CASES)
def test_a_claimed_quantity_against_one_in_a_source(claim: str, source: str, expected: str) -> None:
    (mine,), (theirs,) = find_quantities(claim), find_quantities(source)
    assert compare(mine, theirs) == expected


LEADS = ["", "over ", "at least ", "under ", "up to ", "about ", "nearly "]
UNITS = ["", "%", " km", " miles", " million", " years", " kg"]
quantities = st.builds(
    lambda lead, number, unit: find_quantities(f"{lead}{number:,}{unit}")[0],
    st.sampled_from(LEADS),
    st.one_of(st.integers(1, 10**6), st.decimals(0, 999, places=2)),
    st.sampled_from(UNITS),
)
dates = st.builds(
    lambda lead, year, month: find_quantities(f"{lead} {month} {year}")[0],
    st.sampled_from(["in", "before", "after", "since", "by", "until"]),
    st.integers(1500, 2100),
    st.sampled_from(["", "May", "December", "3 April"]),
)
anything = st.one_of(quantities, dates)


@given(anything)
def test_a_quantity_lies_inside_itself(quantity: Quantity) -> None:
    assert compare(quantity, quantity) == "inside"


@given(anything, anything)
def test_being_apart_or_unrelated_is_symmetric(one: Quantity, two: Quantity) -> None:
    for outcome in ("apart", "unrelated"):
        assert (compare(one, two) == outcome) == (compare(two, one) == outcome)


@given(st.integers(2, 10**6), st.integers(1, 10**5))
def test_a_larger_number_satisfies_more_than_and_a_smaller_one_does_not(number: int, step: int) -> None:
    (claim,) = find_quantities(f"more than {number:,} cases")
    (above,) = find_quantities(f"{number + step:,} cases")
    (below,) = find_quantities(f"{max(0, number - step):,} cases")
    assert compare(claim, above) == "inside"
    assert compare(claim, below) == "apart"
