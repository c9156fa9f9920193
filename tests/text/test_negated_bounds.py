"""A comparison that is denied sets the other bound."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text import find_quantities

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
