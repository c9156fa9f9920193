from __future__ import annotations

import random
import subprocess
import sys
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from pincite.metrics.span_matching_small import heaviest_matching, match
from pincite.metrics.span_records import Item
from pincite.metrics.spans import matching, matching_arrays

ends = st.tuples(st.integers(0, 30), st.integers(1, 12)).map(lambda pair: (pair[0], pair[0] + pair[1]))
pages = st.sampled_from([None, None, 1, 2])


def items(places: list[tuple[int, int]], on: list[int | None] | None = None) -> list[Item]:
    return [(start, end, i, on[i] if on else None) for i, (start, end) in enumerate(places)]


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


def brute_force(true: list[Item], predicted: list[Item]) -> list[tuple[int, int]]:
    """The best of all assignments: most overlap, then most Jaccard, then the earliest predictions."""
    best: tuple[tuple[int, Fraction], list[int], list[tuple[int, int]]] | None = None
    slots = [*range(len(predicted)), *[-1] * len(true)]
    for chosen in set(permutations(slots, len(true))):
        pairs = [(i, j) for i, j in enumerate(chosen) if j >= 0]
        if any(not shared(true[i], predicted[j]) for i, j in pairs):
            continue
        early = [-(len(predicted) if j < 0 else j) for j in chosen]
        candidate = (worth(pairs, true, predicted), early, pairs)
        if best is None or candidate[:2] > best[:2]:
            best = candidate
    assert best is not None
    return best[2]


@settings(max_examples=150, deadline=None)
# 5/12 + 7/12 ties with 12/12, and then the first truth has a prediction of its own.
@example([((0, 5), 2), ((0, 12), None)], [((0, 7), 1), ((0, 12), None)])
@given(st.lists(st.tuples(ends, pages), max_size=4), st.lists(st.tuples(ends, pages), max_size=4))
def test_small_runs_get_the_assignment_that_brute_force_finds(true, predicted):
    ours = items([place for place, _ in true], [page for _, page in true])
    theirs = items([place for place, _ in predicted], [page for _, page in predicted])
    found, exact = match([(list(ours), list(theirs))])
    assert exact
    assert list(found) == brute_force(ours, theirs)


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
    found, exact = match([(list(ours), list(theirs))])
    assert exact
    assert len({i for i, _ in found}) == len({j for _, j in found}) == len(found)
    assert all(shared(ours[i], theirs[j]) for i, j in found)
    assert worth(list(found), ours, theirs)[0] == dense_overlap(ours, theirs)


@pytest.mark.parametrize("seed", range(8))
def test_every_way_to_solve_a_run_agrees_on_overlap_and_jaccard(seed, monkeypatch):
    draw = random.Random(seed)
    ours = random_items(draw, 60, 1500, 200, seed % 2 == 1)
    theirs = random_items(draw, 50, 1500, 200, seed % 2 == 1)
    by_matrix = match([(list(ours), list(theirs))])[0]
    monkeypatch.setattr(matching_arrays, "DENSE_CELLS", 0)
    monkeypatch.setattr(matching_arrays, "DENSE_CELLS_AT_MOST", 0)
    by_edges = match([(list(ours), list(theirs))])[0]
    monkeypatch.setattr(matching, "SMALL_RUN", 1000)
    monkeypatch.setattr(matching, "SMALL_EDGES", 100_000)
    monkeypatch.setattr(matching, "PYTHON_EDGES", 100_000)
    in_python = match([(list(ours), list(theirs))])[0]
    expected = worth(list(in_python), ours, theirs)
    for found in (by_matrix, by_edges):
        overlap, jaccard = worth(list(found), ours, theirs)
        assert overlap == expected[0]
        assert float(jaccard) == pytest.approx(float(expected[1]), abs=1e-6)


@pytest.mark.parametrize("layout", ["nested", "banded"])
def test_too_many_overlaps_give_a_good_assignment_that_says_it_may_not_be_the_best(layout, monkeypatch):
    monkeypatch.setattr(matching_arrays, "DENSE_CELLS", 0)
    monkeypatch.setattr(matching_arrays, "DENSE_CELLS_AT_MOST", 0)
    monkeypatch.setattr(matching_arrays, "SPARSE_EDGES", 100)
    draw = random.Random(3)
    if layout == "nested":
        ours, theirs = (
            [(draw.randrange(5000), 5001 + draw.randrange(5000), i, None) for i in range(n)]
            for n in (400, 350)
        )
    else:
        ours, theirs = random_items(draw, 400, 60_000, 1500), random_items(draw, 350, 60_000, 1500)
    found, exact = match([(list(ours), list(theirs))])
    assert not exact
    assert len({i for i, _ in found}) == len({j for _, j in found}) == len(found)
    assert worth(list(found), ours, theirs)[0] >= 0.99 * dense_overlap(ours, theirs)


def test_an_equal_overlap_goes_to_the_greater_jaccard():
    ours = items([(0, 100), (10, 110)])
    theirs = items([(10, 110), (20, 120)])
    # 90 + 90 in order, 80 + 100 crossed: the crossed pairs share as much and hit one span exactly.
    assert match([(ours, theirs)])[0] == [(0, 1), (1, 0)]


def test_what_still_ties_goes_to_the_earlier_prediction_and_the_earlier_truth():
    assert match([(items([(10, 20)]), items([(15, 25), (5, 15)]))])[0] == [(0, 0)]
    assert match([(items([(15, 25), (5, 15)]), items([(10, 20)]))])[0] == [(0, 0)]


def test_equal_spans_are_matched_in_order_in_large_runs_too():
    ours = items([(0, 10)] * 40)
    theirs = items([(0, 10)] * 60)
    assert match([(ours, theirs)])[0] == [(i, i) for i in range(40)]


def test_spans_that_only_touch_do_not_match():
    assert match([(items([(0, 10)]), items([(10, 20)]))])[0] == []


def test_pages_keep_apart_only_where_both_sides_have_one():
    assert match([(items([(0, 10)], [1]), items([(0, 10)], [2]))])[0] == []
    assert match([(items([(0, 10)], [1]), items([(0, 10)], [None]))])[0] == [(0, 0)]
    mixed = match([(items([(0, 10), (0, 10)], [1, None]), items([(0, 10), (0, 10)], [2, 1]))])[0]
    assert mixed == [(0, 1), (1, 0)]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.dictionaries(st.integers(0, 5), st.integers(1, 50), max_size=6), min_size=1, max_size=6),
)
def test_the_heaviest_matching_weighs_what_a_dense_solver_finds(rows):
    table = np.zeros((len(rows), 6))
    for i, row in enumerate(rows):
        for j, weight in row.items():
            table[i, j] = weight
    best = linear_sum_assignment(table, maximize=True)
    found = heaviest_matching([list(row.items()) for row in rows], 6)
    taken = [j for j in found if j is not None]
    assert len(taken) == len(set(taken))
    assert sum(rows[i][j] for i, j in enumerate(found) if j is not None) == table[best].sum()


def test_a_handful_of_spans_needs_neither_numpy_nor_scipy():
    code = (
        "import sys\n"
        "from pincite.metrics.span_scores import ScoredSpan, score_spans\n"
        "spans = [ScoredSpan('a', None, i, i + 20) for i in range(0, 60, 5)]\n"
        "score_spans(spans, spans[::-1], texts={'a': 'word ' * 20})\n"
        "assert not {'numpy', 'scipy'} & set(sys.modules), 'heavy import'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
