"""Agreement between people against other packages, published figures and the definitions themselves."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.records import Span
from pincite.stats import (
    alpha_of,
    bootstrap_interval,
    category_counts,
    cohen_kappa,
    cohen_kappas,
    fleiss_of,
    mean_jaccard,
    rating_matrix,
    span_jaccard,
)

Level = Literal["nominal", "interval"]

# --- spans -----------------------------------------------------------------------------------------

SPANS = st.lists(
    st.builds(lambda start, size: Span(start, start + size), st.integers(0, 40), st.integers(0, 15))
)
MARKED = st.dictionaries(st.sampled_from("ab"), SPANS, max_size=2)


def fleiss_kappa(ratings: Any) -> float | None:
    return fleiss_of(category_counts(ratings))


def krippendorff_alpha(ratings: Any, level: Level = "nominal") -> float | None:
    return alpha_of(rating_matrix(ratings, level), level)


@given(MARKED, MARKED)
def test_span_jaccard_counts_characters(first: dict[str, list[Span]], second: dict[str, list[Span]]) -> None:
    one, other = (
        {(name, at) for name, spans in marked.items() for span in spans for at in range(span.start, span.end)}
        for marked in (first, second)
    )
    expected = len(one & other) / len(one | other) if one | other else None
    assert span_jaccard(first, second) == (pytest.approx(expected) if expected is not None else None)


def test_the_same_offsets_of_another_document_do_not_agree() -> None:
    assert span_jaccard({"a": [Span(0, 10)]}, {"b": [Span(0, 10)]}) == 0.0


def test_spans_longer_than_any_text_have_a_jaccard() -> None:
    assert span_jaccard({"a": [Span(0, 2**65)]}, {"a": [Span(0, 2**64)]}) == 0.5


def test_two_people_who_marked_nothing_have_no_jaccard() -> None:
    assert span_jaccard({}, {"a": [Span(3, 3)]}) is None


@settings(max_examples=40, deadline=None)
@given(st.lists(MARKED, max_size=7), st.booleans())
def test_the_mean_jaccard_is_that_of_every_two(people: list[Any], far: bool) -> None:
    if far:
        people = [
            {name: [Span(span.start, span.end + 2**60) for span in spans] for name, spans in one.items()}
            for one in people
        ]
    assert mean_jaccard(people) == mean_of_pairs(people)


def test_the_mean_jaccard_of_very_many_spans_is_that_of_every_two() -> None:
    random = np.random.default_rng(3)
    people = [
        {"a": [Span(int(start), int(start) + 9) for start in random.integers(0, 20_000, 700)]}
        for _ in range(4)
    ]
    assert mean_jaccard(people) == pytest.approx(mean_of_pairs(people))


def mean_of_pairs(people: list[Any]) -> float | None:
    values = [span_jaccard(one, other) for one, other in combinations(people, 2)]
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=20), st.integers(0, 99))
def test_kappas_of_many_samples_are_those_of_each_and_give_the_same_interval(
    rows: list[tuple[int, int]], seed: int
) -> None:
    first, second = np.array(rows).T
    drawn = np.random.default_rng(seed).integers(0, len(rows), (20, len(rows)))
    single = [cohen_kappa(first[one], second[one]) for one in drawn]
    assert cohen_kappas(first[drawn], second[drawn], 4) == pytest.approx(
        [np.nan if one is None else one for one in single], nan_ok=True
    )

    def statistic(chosen: Any) -> float | None:
        return cohen_kappa(first[chosen], second[chosen])

    intervals = [
        bootstrap_interval(statistic, len(rows), seed=seed, resamples=50, of_many=of_many)
        for of_many in (None, lambda chosen: cohen_kappas(first[chosen], second[chosen], 4))
    ]
    assert intervals[0] == (None if intervals[1] is None else pytest.approx(intervals[1]))


# --- Fleiss and Cohen -------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 5).flatmap(
        lambda n: st.lists(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n), min_size=1, max_size=25)
    )
)
def test_fleiss_kappa_equals_statsmodels(ratings: list[list[str]]) -> None:
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    ours = fleiss_kappa(ratings)
    if len({value for item in ratings for value in item}) < 2:
        assert ours is None
        return
    table = [[item.count(value) for value in "xyz"] for item in ratings]
    assert ours == pytest.approx(float(inter_rater.fleiss_kappa(table)), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("xyz")), min_size=2, max_size=30))
def test_cohen_kappa_equals_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    from sklearn.metrics import cohen_kappa_score

    one, other = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    ours = cohen_kappa(one, other)
    if ours is not None:
        assert ours == pytest.approx(float(cohen_kappa_score(one, other)), abs=1e-12)


def test_fleiss_kappa_refuses_items_with_fewer_ratings() -> None:
    with pytest.raises(ValueError, match="as many ratings"):
        fleiss_kappa([["x", "y"], ["x"]])


def test_one_rater_or_no_item_has_no_kappa() -> None:
    assert fleiss_kappa([]) is None
    assert fleiss_kappa([["x"], ["y"]]) is None


# --- Krippendorff -----------------------------------------------------------------------------------

PUBLISHED = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
"""Four observers and twelve units, from Krippendorff's own account of how to compute alpha."""


@pytest.mark.parametrize(("level", "published"), [("nominal", 0.743), ("interval", 0.849)])
def test_alpha_gives_the_published_figures(level: Level, published: float) -> None:
    units = list(zip(*PUBLISHED, strict=True))
    assert krippendorff_alpha(units, level) == pytest.approx(published, abs=5e-4)


def defined(units: list[list[float | None]], level: Level) -> float | None:
    """Alpha as it is defined: every ordered pair of ratings, one by one."""
    kept = [[value for value in unit if value is not None] for unit in units]
    kept = [unit for unit in kept if len(unit) > 1]
    values = [value for unit in kept for value in unit]

    def distance(one: float, other: float) -> float:
        return float(one != other) if level == "nominal" else (one - other) ** 2

    n = len(values)
    if not n:
        return None
    observed = (
        sum(sum(distance(*pair) for pair in permutations(unit, 2)) / (len(unit) - 1) for unit in kept) / n
    )
    expected = sum(distance(*pair) for pair in permutations(values, 2)) / (n * (n - 1))
    return 1 - observed / expected if expected else None


RATING = st.none() | st.integers(0, 5)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 4).flatmap(lambda n: st.lists(st.lists(RATING, min_size=n, max_size=n), max_size=10)),
    st.sampled_from(["nominal", "interval"]),
)
def test_alpha_equals_its_definition(units: list[list[Any]], level: Level) -> None:
    expected, ours = defined(units, level), krippendorff_alpha(units, level)
    if expected is None:
        assert ours is None
    else:
        assert ours == pytest.approx(expected, abs=1e-9)


def test_alpha_of_very_many_different_values_is_as_defined() -> None:
    units = [[number, number if number % 3 else -1] for number in range(1200)]
    counts = Counter(value for unit in units for value in unit)
    n = 2 * len(units)
    observed = sum(one != other for one, other in units) / len(units)
    expected = 1 - sum(count * (count - 1) for count in counts.values()) / (n * (n - 1))
    assert krippendorff_alpha(units) == pytest.approx(1 - observed / expected)


def test_alpha_takes_any_categories_at_the_nominal_level() -> None:
    assert krippendorff_alpha([["good", "good"], ["bad", "bad"]]) == 1.0


def test_alpha_of_one_value_throughout_is_none() -> None:
    for level in ("nominal", "interval"):
        assert krippendorff_alpha([[0.1, 0.1], [0.1, 0.1]], level) is None
    assert krippendorff_alpha([[1, None], [None, 2]]) is None
    assert krippendorff_alpha([]) is None


def test_alpha_refuses_what_is_no_rating() -> None:
    with pytest.raises(ValueError, match="finite"):
        krippendorff_alpha([[float("inf"), 1.0]], "interval")
