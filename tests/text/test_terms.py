from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text import find_terms, stem, term_weights


@pytest.mark.parametrize(
    "words",
    [
        "locate locates located locating location locations",
        "stop stops stopped stopping",
        "country countries country's",
        "release released releases releasing",
        "organise organised organization organizations organisation",
        "produce produces produced producer producers producing",
        "direct directs directed director directors direction",
        "write wrote written writes writing",
        "person people",
        "woman women woman’s",
        "seven 7",
        "naïve naive",
        "1,200 1200",
        "Sept September",
        "U.S. US",
    ],
)
def test_inflections_of_one_word_share_a_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1, {word: stem(word) for word in words.split()}


@pytest.mark.parametrize(
    "pair", ["rose rise2", "nation notion", "police policy2", "hop help", "1999 1998", "B12 B6"]
)
def test_different_words_keep_different_stems(pair: str) -> None:
    left, right = pair.split()
    assert stem(left) != stem(right)


def test_terms_are_words_and_numbers_with_their_places() -> None:
    text = "GitHub’s 1,234.5 well-known users (COVID-19, O'Brien) in the U.S. don't 東京"
    assert [term.text for term in find_terms(text)] == [
        "GitHub’s", "1,234.5", "well", "known", "users", "COVID", "19", "O'Brien", "in", "the", "U.S.",
        "don't", "東", "京",
    ]  # fmt: skip


def test_a_number_keeps_its_decimals_and_its_letters() -> None:
    assert [term.text for term in find_terms("$10.5M, 12% of 1,000km in 2020.")] == [
        "10.5M", "12", "of", "1,000km", "in", "2020",
    ]  # fmt: skip


def test_a_decomposed_accent_stays_in_its_word() -> None:
    (term,) = find_terms("cafe\u0301")
    assert (term.start, term.end, term.stem) == (0, 5, stem("café"))


def test_stop_words_are_marked_and_names_in_capitals_are_not() -> None:
    stops = {term.text: term.stop for term in find_terms("The it IT us US Don’t U.S. Berlin AND")}
    assert stops == {
        "The": True, "it": True, "IT": False, "us": True, "US": False, "Don’t": True, "U.S.": False,
        "Berlin": False, "AND": True,
    }  # fmt: skip


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    weights = term_weights(["the cat sat", "the dog sat", "the bird flew"])
    assert weights["the"] < weights["sat"] < weights[stem("bird")]
    assert all(weight > 0 for weight in weights.values())
    assert term_weights([]) == {}


@given(st.text(st.characters(codec=None)))
def test_each_term_stands_where_it_says(text: str) -> None:
    terms = find_terms(text)
    assert all(text[term.start : term.end] == term.text and term.stem for term in terms)
    assert all(before.end <= after.start for before, after in itertools.pairwise(terms))


@given(st.text(st.characters(codec=None), min_size=1))
def test_stemming_never_leaves_nothing(word: str) -> None:
    assert stem(word)
    assert stem(word) == stem(word)


@pytest.mark.parametrize(
    "text", ["1," * 500_000, "a'" * 500_000, "a." * 500_000, "\ud800" * 1000, "a" * 1_000_000]
)
def test_long_runs_are_read_in_linear_time(text: str) -> None:
    find_terms(text)
