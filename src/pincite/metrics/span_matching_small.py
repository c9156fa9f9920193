"""Pairs true spans with predicted ones, one to one, for the greatest total overlap.

Among assignments with the same overlap the one with the greatest sum of Jaccards wins, and among those the
one that gives the first true span the earliest prediction, then the second, and so on.

Spans fall apart into runs that share no character with one another. A run with one span on a side needs no
search; a small run is solved here, in integers; a large one goes to `matching_arrays`, which needs scipy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from math import lcm
from operator import itemgetter

from pincite.metrics.span_records import Item

SMALL_RUN = 64
"""Spans in a run that is still solved without numpy."""
SMALL_EDGES = 512
TINY_EDGES = 48
PYTHON_EDGES = 4096
"""Overlaps solved here in all. Past that only tiny runs are: many runs are worth loading scipy for."""
JACCARD_BITS = 40
EXACT_JACCARD_BITS = 512
"""Up to this size Jaccards get a common denominator, so that equal sums are equal; past it, rounding."""

Edges = list[list[tuple[int, int]]]
"""For each truth, (prediction, shared characters)."""


def match(groups: Iterable[tuple[list[Item], list[Item]]]) -> tuple[list[tuple[int, int]], bool]:
    """The best pairs of true and predicted index within each document, and whether they must be the best."""
    pairs: list[tuple[int, int]] = []
    exact = True
    left = PYTHON_EDGES
    for true, predicted in groups:
        for run_true, run_predicted in _runs(true, predicted):
            found, spent, is_exact = _match_run(run_true, run_predicted, left)
            pairs += found
            left -= spent
            exact = exact and is_exact
    return sorted(pairs), exact


def _runs(true: list[Item], predicted: list[Item]) -> Iterable[tuple[list[Item], list[Item]]]:
    """Runs of overlapping spans, each side sorted by start, where both sides have one."""
    true.sort()
    predicted.sort()
    places = [(item[0], item[1], 0, item) for item in true]
    places += [(item[0], item[1], 1, item) for item in predicted]
    places.sort(key=itemgetter(0))
    runs: list[tuple[list[Item], list[Item]]] = []
    sides: tuple[list[Item], list[Item]] = ([], [])
    reach = places[0][0] if places else 0
    for start, end, side, item in places:
        if start >= reach:
            if sides[0] and sides[1]:
                runs.append(sides)
            sides = ([], [])
        sides[side].append(item)
        if end > reach:
            reach = end
    if sides[0] and sides[1]:
        runs.append(sides)
    return runs


def _match_run(true: list[Item], predicted: list[Item], left: int) -> tuple[list[tuple[int, int]], int, bool]:
    """The pairs of one run, how many of the overlaps `left` it took, and whether the pairs are the best."""
    if len(true) == 1 and len(predicted) == 1:
        one, other = true[0], predicted[0]
        if min(one[1], other[1]) > max(one[0], other[0]) and not _apart(one[3], other[3]):
            return [(one[2], other[2])], 0, True
        return [], 0, True
    if len(true) + len(predicted) <= SMALL_RUN:
        edges = _overlaps(true, predicted)
        count = sum(map(len, edges))
        if count <= TINY_EDGES or count <= min(SMALL_EDGES, left):
            return _match_small(true, predicted, edges), count if count > TINY_EDGES else 0, True
    from pincite.metrics.span_matching import match_arrays

    found, exact = match_arrays(true, predicted)
    return found, 0, exact


def _apart(page: int | None, other: int | None) -> bool:
    return page is not None and other is not None and page != other


def _overlaps(true: Sequence[Item], predicted: Sequence[Item]) -> Edges:
    edges: Edges = []
    for start, end, _, page in true:
        row: list[tuple[int, int]] = []
        for j, (other_start, other_end, _, other_page) in enumerate(predicted):
            if other_start >= end:
                break
            shared = (end if end < other_end else other_end) - (start if start > other_start else other_start)
            if shared > 0 and not _apart(page, other_page):
                row.append((j, shared))
        edges.append(row)
    return edges


def _match_small(true: list[Item], predicted: list[Item], edges: Edges) -> list[tuple[int, int]]:
    """The exact best pairs of one run."""
    best = _best_of_each(predicted, edges)
    if best is None:
        weights = _weights(true, predicted, edges)
        best = heaviest_matching(weights, len(predicted))
    return [(true[i][2], predicted[j][2]) for i, j in enumerate(best) if j is not None]


def _best_of_each(predicted: list[Item], edges: Edges) -> list[int | None] | None:
    """Each truth's own best prediction, if no two want the same one: then nothing can be better."""
    taken: set[int] = set()
    best: list[int | None] = []
    for row in edges:
        if not row:
            best.append(None)
            continue
        if len(row) == 1:
            choice = row[0][0]
        else:
            most = max(shared for _, shared in row)
            ties = [j for j, shared in row if shared == most]
            # With the same overlap the shorter prediction has the greater Jaccard.
            choice = min(ties, key=lambda j: (predicted[j][1] - predicted[j][0], predicted[j][2]))
        if choice in taken:
            return None
        taken.add(choice)
        best.append(choice)
    return best


def _weights(true: list[Item], predicted: list[Item], edges: Edges) -> list[list[tuple[int, int]]]:
    """One integer an edge: overlap first, then Jaccard, then order, none able to outweigh the one before."""
    ranks = {item[2]: rank for rank, item in enumerate(sorted(predicted, key=lambda item: item[2]))}
    order = sorted(range(len(true)), key=lambda i: true[i][2])
    base = len(predicted) + 1
    place = [0] * len(true)
    for rank, i in enumerate(order):
        place[i] = base ** (len(true) - 1 - rank)
    order_total = base ** len(true)
    unit = _common_denominator(true, predicted, edges)
    jaccard_total = (min(len(true), len(predicted)) + 1) * unit
    weights = []
    for i, row in enumerate(edges):
        length = true[i][1] - true[i][0]
        weighted = []
        for j, shared in row:
            union = length + predicted[j][1] - predicted[j][0] - shared
            jaccard = shared * unit // union
            early = (base - 1 - ranks[predicted[j][2]]) * place[i]
            weighted.append((j, (shared * jaccard_total + jaccard) * order_total + early))
        weights.append(weighted)
    return weights


def _common_denominator(true: list[Item], predicted: list[Item], edges: Edges) -> int:
    unit = 1
    for (start, end, *_), row in zip(true, edges, strict=True):
        for j, shared in row:
            unit = lcm(unit, end - start + predicted[j][1] - predicted[j][0] - shared)
        if unit.bit_length() > EXACT_JACCARD_BITS:
            return 1 << JACCARD_BITS
    return unit


# --- the heaviest matching of a small graph, in whole numbers of any size -------------------------


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
