"""Pairs the spans of a large run, with numpy and scipy.

Overlap and Jaccard are packed into one float that holds an integer below 2**52, so that the sums the solvers
make are exact: no sum of Jaccards can outweigh one character of overlap.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Pair = tuple[int, int]
Item = tuple[int, int, int, int | None]

DENSE_CELLS = 1_000_000
"""Up to here a full matrix is the fastest way."""
DENSE_CELLS_AT_MOST = 4_000_000
"""Up to here a full matrix fits, if the overlaps fill much of it."""
SPARSE_EDGES = 3_000_000
"""Above this many overlapping pairs only the nearest neighbours of each span are considered."""
NEIGHBOURS = 24
JACCARD_BITS = 30
EXACT_BITS = 52


class _Side:
    """One side of a run as arrays."""

    def __init__(self, items: list[Item]) -> None:
        self.start: Ints = np.fromiter((item[0] for item in items), np.int64, len(items))
        self.end: Ints = np.fromiter((item[1] for item in items), np.int64, len(items))
        self.index: Ints = np.fromiter((item[2] for item in items), np.int64, len(items))
        # A page that is not given fits every page.
        self.page: Ints = np.fromiter((-1 if item[3] is None else item[3] for item in items), np.int64, len(items))

    def __len__(self) -> int:
        return len(self.start)

    def take(self, which: Ints) -> _Side:
        part = _Side([])
        part.start, part.end = self.start[which], self.end[which]
        part.index, part.page = self.index[which], self.page[which]
        return part


def match_arrays(true: list[Item], predicted: list[Item], mixed: bool) -> tuple[list[Pair], bool]:
    """The pairs of one run, and whether they are surely the best."""
    ours, theirs = _Side(true), _Side(predicted)
    cells = len(ours) * len(theirs)
    exact = True
    if cells <= DENSE_CELLS:
        chosen = _solve_matrix(ours, theirs, mixed)
    else:
        pairs = _count_overlaps(ours, theirs)
        if cells <= DENSE_CELLS_AT_MOST and pairs > cells // 8:
            chosen = _solve_matrix(ours, theirs, mixed)
        elif pairs <= SPARSE_EDGES:
            chosen = _solve_edges(ours, theirs, *_overlapping(ours, theirs), mixed)
        else:
            chosen, exact = _solve_near(ours, theirs, mixed), False
    rows, columns = chosen
    found = list(zip(ours.index[rows].tolist(), theirs.index[columns].tolist(), strict=True))
    return _in_order(_in_order(found, predicted, 1), true, 0), exact


def _weigh(shared: Ints, lengths: Ints, smaller_side: int) -> Floats:
    """Overlap, then Jaccard, in one number. `lengths` is the sum of the two spans' lengths."""
    overlap_bits = int(shared.max(initial=1)).bit_length()
    count_bits = (smaller_side + 1).bit_length()
    jaccard_bits = max(0, min(JACCARD_BITS, EXACT_BITS - overlap_bits - count_bits))
    weight = shared / np.maximum(lengths - shared, 1)
    weight *= float(2**jaccard_bits)
    np.floor(weight, out=weight)
    weight += shared * float(2 ** (jaccard_bits + count_bits))
    return weight


def _solve_matrix(ours: _Side, theirs: _Side, mixed: bool) -> tuple[Ints, Ints]:
    from scipy.optimize import linear_sum_assignment

    shared = np.minimum.outer(ours.end, theirs.end)
    shared -= np.maximum.outer(ours.start, theirs.start)
    np.maximum(shared, 0, out=shared)
    if mixed:
        pages, others = ours.page[:, None], theirs.page[None, :]
        shared[(pages >= 0) & (others >= 0) & (pages != others)] = 0
    lengths = np.add.outer(ours.end - ours.start, theirs.end - theirs.start)
    weights = _weigh(shared, lengths, min(len(ours), len(theirs)))
    rows, columns = linear_sum_assignment(weights, maximize=True)
    kept = shared[rows, columns] > 0
    return rows[kept], columns[kept]


def _solve_edges(ours: _Side, theirs: _Side, rows: Ints, columns: Ints, mixed: bool) -> tuple[Ints, Ints]:
    """The heaviest matching on the given pairs of positions, all of which overlap."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    if mixed:
        pages, others = ours.page[rows], theirs.page[columns]
        fits = (pages < 0) | (others < 0) | (pages == others)
        rows, columns = rows[fits], columns[fits]
    if not len(rows):
        return rows, columns
    shared = np.minimum(ours.end[rows], theirs.end[columns]) - np.maximum(ours.start[rows], theirs.start[columns])
    lengths = (ours.end - ours.start)[rows] + (theirs.end - theirs.start)[columns]
    cost = _weigh(shared, lengths, min(len(ours), len(theirs)))
    # The solver wants every row matched and no zero costs: a column of its own lets each row stay alone.
    alone = float(cost.max()) + 1.0
    np.subtract(alone, cost, out=cost)
    count = len(ours)
    every = np.arange(count)
    graph: Any = csr_array(
        (
            np.concatenate([cost, np.full(count, alone)]),
            (np.concatenate([rows, every]), np.concatenate([columns, len(theirs) + every])),
        ),
        shape=(count, len(theirs) + count),
    )
    matched_rows, matched_columns = min_weight_full_bipartite_matching(graph)
    kept = matched_columns < len(theirs)
    return matched_rows[kept].astype(np.int64), matched_columns[kept].astype(np.int64)


def _count_overlaps(ours: _Side, theirs: _Side) -> int:
    """How many pairs overlap: all, but those where one ends before the other starts."""
    ended = np.searchsorted(np.sort(theirs.end), ours.start, side="right").sum()
    not_begun = len(theirs) * len(ours) - np.searchsorted(np.sort(theirs.start), ours.end, side="left").sum()
    return int(len(ours) * len(theirs) - ended - not_begun)


def _overlapping(ours: _Side, theirs: _Side) -> tuple[Ints, Ints]:
    """Every overlapping pair, once: either one starts inside the other, or the other inside the one."""
    rows, columns = _starting_inside(ours, theirs, "left")
    other_columns, other_rows = _starting_inside(theirs, ours, "right")
    return np.concatenate([rows, other_rows]), np.concatenate([columns, other_columns])


def _starting_inside(outer: _Side, inner: _Side, side: Any) -> tuple[Ints, Ints]:
    """Pairs where `inner` starts inside `outer`; with side "right" not at its very start."""
    order = np.argsort(inner.start, kind="stable")
    starts = inner.start[order]
    first = np.searchsorted(starts, outer.start, side=side)
    counts = np.maximum(np.searchsorted(starts, outer.end, side="left") - first, 0)
    total = int(counts.sum())
    steps = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(np.arange(len(outer)), counts), order[np.repeat(first, counts) + steps]


def _solve_near(ours: _Side, theirs: _Side, mixed: bool) -> tuple[Ints, Ints]:
    """Match among each span's nearest neighbours, then match what is left over in the same way.

    Between spans that overlap, the most overlap is the least difference of starts and ends, so the pairs of
    the best assignment are near one another; that all of them are among the nearest is not sure.
    """
    rows_left, columns_left = np.arange(len(ours)), np.arange(len(theirs))
    found_rows: list[Ints] = []
    found_columns: list[Ints] = []
    while len(rows_left) and len(columns_left):
        part, other = ours.take(rows_left), theirs.take(columns_left)
        if len(part) * len(other) <= DENSE_CELLS:
            rows, columns = _solve_matrix(part, other, mixed)
            last = True
        else:
            rows, columns = _solve_edges(part, other, *_near(part, other), mixed)
            last = not len(rows)
        found_rows.append(rows_left[rows])
        found_columns.append(columns_left[columns])
        if last:
            break
        rows_left, columns_left = np.delete(rows_left, rows), np.delete(columns_left, columns)
    return np.concatenate(found_rows), np.concatenate(found_columns)


def _near(ours: _Side, theirs: _Side) -> tuple[Ints, Ints]:
    """Overlapping pairs where one is among the nearest neighbours of the other."""
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
    overlap = np.minimum(ours.end[rows], theirs.end[columns]) > np.maximum(ours.start[rows], theirs.start[columns])
    return rows[overlap], columns[overlap]


def _in_order(pairs: list[Pair], items: list[Item], side: int) -> list[Pair]:
    """Among equal spans of one side the earlier ones are matched first, to earlier partners first."""
    equal: dict[tuple[int, int, int | None], list[int]] = {}
    for start, end, index, page in items:
        equal.setdefault((start, end, page), []).append(index)
    if len(equal) == len(items):
        return pairs
    partner = {pair[side]: pair[1 - side] for pair in pairs}
    renamed: dict[int, int] = {}
    for indexes in equal.values():
        if len(indexes) > 1:
            matched = sorted((index for index in indexes if index in partner), key=partner.__getitem__)
            renamed.update(zip(matched, sorted(indexes), strict=False))
    flip = [(renamed.get(pair[side], pair[side]), pair[1 - side]) for pair in pairs]
    return flip if side == 0 else [(other, own) for own, other in flip]
