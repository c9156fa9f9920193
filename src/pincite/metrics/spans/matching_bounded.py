"""Good assignments in bounded time, for runs where too many spans overlap to find the best one."""

from __future__ import annotations

import numpy as np

from pincite.metrics.spans.arrays import Ints, Side, assign, matrix, overlap_of, same_page, solve_edges

BLOCK = 256
ROUNDS = 4
NEIGHBOURS = 24


def match_near(ours: Side, theirs: Side, mixed: bool) -> tuple[Ints, Ints]:
    """The best assignment among pairs where one span is among the nearest neighbours of the other.

    Between spans that overlap, the most overlap is the least difference of starts and ends, so the pairs of
    the best assignment are near one another; that all of them are among the nearest is not sure.
    """
    from scipy.spatial import KDTree

    points = np.column_stack([ours.start, ours.end]).astype(np.float64)
    others = np.column_stack([theirs.start, theirs.end]).astype(np.float64)
    keys = []
    for tree, asked, flipped in ((others, points, False), (points, others, True)):
        count = min(NEIGHBOURS, len(tree))
        near = KDTree(tree).query(asked, k=count, p=1)[1].reshape(-1)
        asking = np.repeat(np.arange(len(asked)), count)
        rows, columns = (near, asking) if flipped else (asking, near)
        keys.append(rows * len(theirs) + columns)
    rows, columns = np.divmod(np.unique(np.concatenate(keys)), len(theirs))
    overlap = overlap_of(ours, theirs, rows, columns) > 0
    return solve_edges(ours, theirs, rows[overlap], columns[overlap], mixed)


def match_in_blocks(ours: Side, theirs: Side, mixed: bool) -> tuple[Ints, Ints]:
    """A good assignment in bounded time: improve a first one block by block.

    Each round sorts the pairs by another measure of place and length, and solves every block of
    neighbouring pairs exactly, so that the total never falls from one round to the next.
    """
    size = max(len(ours), len(theirs))
    padded_ours, padded_theirs = ours.padded(size), theirs.padded(size)
    partner = np.empty(size, np.int64)
    partner[np.argsort(padded_ours.start, kind="stable")] = np.argsort(padded_theirs.start, kind="stable")
    for round_number in range(ROUNDS):
        near = _measure(padded_ours, round_number) + _measure(padded_theirs, round_number)[partner]
        order = np.argsort(near, kind="stable")
        for first in range(0, size, BLOCK):
            rows = order[first : first + BLOCK]
            columns = partner[rows]
            weights, _ = matrix(padded_ours.take(rows), padded_theirs.take(columns), mixed)
            partner[rows] = columns[assign(weights)[1]]
    rows = np.arange(size)
    kept = overlap_of(padded_ours, padded_theirs, rows, partner) > 0
    if mixed:
        kept &= same_page(padded_ours.page, padded_theirs.page[partner])
    return rows[kept], partner[kept]


def _measure(side: Side, round_number: int) -> Ints:
    if round_number % 4 == 0:
        return side.end
    if round_number % 4 == 1:
        return side.start + side.end
    if round_number % 4 == 2:
        return side.end - side.start
    return side.start
