"""The heaviest matching of a small graph, in whole numbers of any size."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush


def heaviest_matching(rows: Sequence[Sequence[tuple[int, int]]], columns: int) -> list[int | None]:
    """For each row its column in a matching of greatest total weight; weights are positive integers.

    Shortest augmenting paths with potentials `u[row] + v[column] >= weight`, both never negative. A path may
    also end by giving up a row, which costs that row's potential.
    """
    u = [max((weight for _, weight in row), default=0) for row in rows]
    v = [0] * columns
    column_of: list[int | None] = [None] * len(rows)
    row_of: list[int | None] = [None] * columns
    for root, edges in enumerate(rows):
        if edges:
            _augment(root, rows, u, v, column_of, row_of)
    return column_of


def _augment(
    root: int,
    rows: Sequence[Sequence[tuple[int, int]]],
    u: list[int],
    v: list[int],
    column_of: list[int | None],
    row_of: list[int | None],
) -> None:
    """Find the cheapest way to place `root`, move the others along it, and adjust the potentials."""
    row_distance = {root: 0}
    distance: dict[int, int] = {}
    came_from: dict[int, int] = {}
    settled: dict[int, int] = {}
    heap: list[tuple[int, int]] = []
    row, reached = root, 0
    given_up, cost = root, u[root]
    free: int | None = None
    while True:
        for column, weight in rows[row]:
            if column in settled:
                continue
            through = reached + u[row] + v[column] - weight
            if through < cost and through < distance.get(column, cost):
                distance[column] = through
                came_from[column] = row
                heappush(heap, (through, column))
        while heap and heap[0][1] in settled:
            heappop(heap)
        if not heap or heap[0][0] >= cost:
            break
        reached, column = heappop(heap)
        settled[column] = reached
        owner = row_of[column]
        if owner is None:
            free, cost = column, reached
            break
        row = owner
        row_distance[row] = reached
        if reached + u[row] < cost:
            given_up, cost = row, reached + u[row]
    for reached_row, at in row_distance.items():
        u[reached_row] -= cost - at
    for column, at in settled.items():
        v[column] += cost - at
    if free is None:
        free = column_of[given_up]
        column_of[given_up] = None
    while free is not None:
        row = came_from[free]
        row_of[free] = row
        column_of[row], free = free, column_of[row]
        if row == root:
            break
