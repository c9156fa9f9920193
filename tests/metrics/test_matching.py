"""Who is paired with whom: the greatest overlap, then the greatest sum of Jaccards."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from pincite.metrics import score_spans
from pincite.records import Place

Stretch = tuple[int, int]
Item = tuple[int, int, int, int | None]
"""Start, end, index and page."""

ends = st.tuples(st.integers(0, 30), st.integers(1, 12)).map(lambda pair: (pair[0], pair[0] + pair[1]))
pages = st.sampled_from([None, None, 1, 2])


def items(places: list[Stretch], on: list[int | None] | None = None) -> list[Item]:
    return [(start, end, i, on[i] if on else None) for i, (start, end) in enumerate(places)]


def match(true: list[Item], predicted: list[Item]) -> tuple[list[tuple[int, int]], bool]:
    """The pairs that are found, and whether they are surely the best."""
    ours, theirs = (
        [Place("a.txt", page, start, end) for start, end, _, page in side] for side in (true, predicted)
    )
    scores = score_spans(ours, theirs)
    return [(pair.true, pair.predicted) for pair in scores.matched], scores.exact_assignment


def shared(one: Item, other: Item) -> int:
    if one[3] is not None and other[3] is not None and one[3] != other[3]:
        return 0
    return max(0, min(one[1], other[1]) - max(one[0], other[0]))


def worth(pairs: list[tuple[int, int]], true: list[Item], predicted: list[Item]) -> tuple[int, Fraction]:
    overlap, jaccard = 0, Fraction(0)
    for i, j in pairs:
        both = shared(true[i], predicted[j])
        overlap += both
        jaccard += Fraction(both, true[i][1] - true[i][0] + predicted[j][1] - predicted[j][0] - both)
    return overlap, jaccard


def brute_force(true: list[Item], predicted: list[Item]) -> tuple[int, Fraction]:
    """What the best of all assignments is worth: most overlap, then most Jaccard."""
    best = (0, Fraction(0))
    slots = [*range(len(predicted)), *[-1] * len(true)]
    for chosen in set(permutations(slots, len(true))):
        pairs = [(i, j) for i, j in enumerate(chosen) if j >= 0]
        if all(shared(true[i], predicted[j]) for i, j in pairs):
            best = max(best, worth(pairs, true, predicted))
    return best


@settings(max_examples=150, deadline=None)
# 5/12 + 7/12 are as much as 12/12.
@example([((0, 5), 2), ((0, 12), None)], [((0, 7), 1), ((0, 12), None)])
@given(st.lists(st.tuples(ends, pages), max_size=4), st.lists(st.tuples(ends, pages), max_size=4))
def test_small_runs_get_an_assignment_as_good_as_brute_force_finds(true, predicted):
    ours = items([place for place, _ in true], [page for _, page in true])
    theirs = items([place for place, _ in predicted], [page for _, page in predicted])
    found, exact = match(ours, theirs)
    assert exact
    assert len({i for i, _ in found}) == len({j for _, j in found}) == len(found)
    assert all(shared(ours[i], theirs[j]) for i, j in found)
    assert worth(found, ours, theirs) == brute_force(ours, theirs)


def dense_overlap(true: list[Item], predicted: list[Item]) -> int:
    table = np.array([[shared(one, other) for other in predicted] for one in true])
    rows, columns = linear_sum_assignment(table, maximize=True)
    return int(table[rows, columns].sum())


def random_items(
    draw: random.Random, count: int, document: int, longest: int, paged: bool = False
) -> list[Item]:
    found: list[Item] = []
    for index in range(count):
        start = draw.randrange(document)
        page = draw.choice([None, 1, 2, 3]) if paged else None
        found.append((start, start + draw.randint(1, longest), index, page))
    return found


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("paged", [False, True])
def test_larger_runs_reach_the_overlap_of_a_dense_solver(seed, paged):
    draw = random.Random(seed)
    ours = random_items(draw, draw.randint(20, 150), draw.choice([300, 3000, 10_000]), 300, paged)
    theirs = random_items(draw, draw.randint(20, 150), 3000, 300, paged)
    found, exact = match(ours, theirs)
    assert exact
    assert len({i for i, _ in found}) == len({j for _, j in found}) == len(found)
    assert all(shared(ours[i], theirs[j]) for i, j in found)
    assert worth(found, ours, theirs)[0] == dense_overlap(ours, theirs)


def test_many_small_runs_are_each_matched_as_they_are_alone():
    draw = random.Random(7)
    ours, theirs, expected = [], [], []
    for run in range(700):
        sides = [random_items(draw, draw.randint(2, 6), 40, 40) for _ in range(2)]
        expected.append(worth(match(*sides)[0], *sides))
        for items_of_all, side in zip((ours, theirs), sides, strict=True):
            items_of_all += [
                (start + 100 * run, end + 100 * run, len(items_of_all) + n, None)
                for n, (start, end, _, _) in enumerate(side)
            ]
    overlap, jaccard = worth(match(ours, theirs)[0], ours, theirs)
    assert overlap == sum(one for one, _ in expected)
    assert float(jaccard) == pytest.approx(float(sum(other for _, other in expected)), abs=1e-6)


@pytest.mark.thorough
def test_too_many_overlaps_give_a_good_assignment_that_says_it_may_not_be_the_best():
    draw = random.Random(3)
    ours, theirs = (
        [(draw.randrange(5000), 5001 + draw.randrange(5000), i, None) for i in range(2100)] for _ in range(2)
    )
    found, exact = match(ours, theirs)
    assert not exact
    assert len({i for i, _ in found}) == len({j for _, j in found}) == len(found)
    starts, stops = (np.array([one[n] for one in ours])[:, None] for n in (0, 1))
    others, other_stops = (np.array([one[n] for one in theirs])[None, :] for n in (0, 1))
    table = np.minimum(stops, other_stops) - np.maximum(starts, others)
    best = linear_sum_assignment(table, maximize=True)
    assert worth(found, ours, theirs)[0] >= 0.99 * table[best].sum()


def test_an_equal_overlap_goes_to_the_greater_jaccard():
    ours = items([(0, 100), (10, 110)])
    theirs = items([(10, 110), (20, 120)])
    # 90 + 90 in order, 80 + 100 crossed: the crossed pairs share as much and hit one span exactly.
    assert match(ours, theirs)[0] == [(0, 1), (1, 0)]


@pytest.mark.parametrize(("true", "predicted"), [(40, 60), (60, 40), (3, 2), (2, 3)])
def test_equal_spans_are_matched_in_order(true, predicted):
    pairs, _ = match(items([(0, 10)] * true), items([(0, 10)] * predicted))
    assert pairs == [(i, i) for i in range(min(true, predicted))]


@pytest.mark.parametrize(
    ("true", "predicted", "pairs"),
    [
        (items([(0, 10)]), items([(10, 20)]), []),
        (items([(0, 10)], [1]), items([(0, 10)], [2]), []),
        (items([(0, 10)], [1]), items([(0, 10)], [None]), [(0, 0)]),
        (items([(0, 10), (0, 10)], [1, None]), items([(0, 10), (0, 10)], [2, 1]), [(0, 1), (1, 0)]),
    ],
    ids=["spans that only touch", "two pages", "a page on one side", "pages on some"],
)
def test_only_what_shares_a_character_and_no_other_page_matches(true, predicted, pairs):
    assert match(true, predicted)[0] == pairs
