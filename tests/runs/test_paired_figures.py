"""Whether so many queries as a comparison says are needed find the difference as often as it says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pincite.runs.metric_comparison import Need, figures, group_counts, one_sided, units_of
from pincite.stats import group_tests, pair_up, permutation_tests

RUNS = 300
AT_ONCE = 20
Draw = Callable[[np.random.Generator, int], Any]


def even(random: np.random.Generator, queries: int) -> Any:
    return random.normal(0.1, 0.2, queries)


def strong(random: np.random.Generator, queries: int) -> Any:
    return random.normal(0.24, 0.2, queries)


def seldom(random: np.random.Generator, queries: int) -> Any:
    """Most queries do not change at all, and some of the others for the worse."""
    changes = random.choice([-0.5, 0.5, 1.0], queries, p=[0.2, 0.4, 0.4])
    return np.where(random.random(queries) < 0.4, changes, 0.0)


def grouped(random: np.random.Generator, queries: int) -> Any:
    """Four queries a document, which move together."""
    documents = random.normal(0.1, 0.11, queries // 4)
    return np.repeat(documents, 4) + random.normal(0, 0.17, queries // 4 * 4)


def need_of(draw: Draw, queries_a_group: int) -> Need:
    """From so many queries that nothing is left to chance."""
    many = draw(np.random.default_rng(1), 80_000)
    clusters = (
        None if queries_a_group == 1 else np.repeat(np.arange(80_000 // queries_a_group), queries_a_group)
    )
    ones = np.ones_like(many)
    units = units_of(None if clusters is None else 80_000 // queries_a_group)
    return figures((np.zeros_like(many), ones, many, ones), clusters, units, None)[1]


def share_found(draw: Draw, queries: int, alpha: float, queries_a_group: int) -> float:
    random = np.random.default_rng(2)
    clusters = (
        None if queries_a_group == 1 else np.repeat(np.arange(queries // queries_a_group), queries_a_group)
    )
    found = 0
    for _ in range(RUNS // AT_ONCE):
        differences = np.stack([draw(random, queries) for _ in range(AT_ONCE)], axis=1)
        ones = np.ones_like(differences)
        pairs = pair_up((np.zeros_like(differences), ones), (differences, ones), clusters=clusters)
        found += sum((p or 0) <= alpha for p in permutation_tests(pairs, resamples=4999, seed=3))
    return found / RUNS


@pytest.mark.parametrize("metrics", [1, 6, 31])
@pytest.mark.parametrize(("draw", "queries_a_group"), [(even, 1), (strong, 1), (seldom, 1), (grouped, 4)])
def test_so_many_queries_find_the_difference_about_as_often_as_said(
    draw: Draw, queries_a_group: int, metrics: int
) -> None:
    alpha = 0.05 / metrics
    needed = need_of(draw, queries_a_group).queries(alpha)
    assert needed is not None
    assert 0.70 <= share_found(draw, needed, alpha, queries_a_group) <= 0.92


def test_so_many_of_few_groups_find_the_difference_about_as_often_as_said() -> None:
    """Seven groups of four queries with a mean difference of 0.2: what they are said to need, and get."""
    random = np.random.default_rng(5)
    clusters = np.repeat(np.arange(7), 4)
    said = []
    for _ in range(200):
        seen = np.repeat(random.normal(0.2, 0.15, 7), 4) + random.normal(0, 0.1, 28)
        ones = np.ones(28)
        need = figures((np.zeros(28), ones, seen, ones), clusters, "few groups", None)[1]
        said.append(need.queries(0.05) or 0)
    groups = round(float(np.median(said)) / 4)
    assert 7 <= groups < 12
    shares = random.normal(0.2, 0.15, (groups, 400)) + random.normal(0, 0.05, (groups, 400))
    ones = np.ones((2 * groups, 400))
    pairs = pair_up(
        (np.zeros_like(ones), ones), (np.repeat(shares, 2, axis=0), ones), clusters=np.arange(2 * groups) // 2
    )
    found = np.mean([(one.p_value or 0) <= 0.05 for one in group_tests(pairs)])
    assert 0.70 <= found <= 0.95


def test_no_difference_needs_no_number() -> None:
    ones = np.ones(5)
    found, need = figures((ones, ones, ones, ones), None, "queries", 1.0)
    assert found["difference"] == 0.0
    assert need.queries(0.05) is None


def test_groups_are_counted_among_the_queries_that_have_a_value_in_both_runs() -> None:
    ones = np.ones((6, 3))
    gaps = ones.copy()
    gaps[2:, 1] = np.nan  # leaves the two queries of one group
    gaps[[1, 3, 5], 2] = np.nan  # leaves one query a group
    clusters = np.array([0, 0, 1, 1, 2, 2])
    assert group_counts((ones, ones, gaps, gaps), clusters) == [3, 1, None]
    assert group_counts((ones, ones, gaps, gaps), None) == [None, None, None]


def test_queries_with_a_value_in_one_run_only_are_counted_for_each() -> None:
    a, b = np.array([1.0, np.nan, np.nan, 0.5]), np.array([np.nan, 1.0, 1.0, 0.5])
    assert one_sided((a, np.ones(4), b, np.ones(4))) == (1, 2)
