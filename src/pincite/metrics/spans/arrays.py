"""Spans as arrays: their overlaps, their weights, and the two solvers of scipy.

Overlap and Jaccard are packed into one float that holds an integer below 2**52, so that the sums the solvers
make are exact: no sum of Jaccards can outweigh one character of overlap.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pincite.metrics.spans.matching_items import Item

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

JACCARD_BITS = 30
EXACT_BITS = 52


class Side:
    """One side of a run as arrays. `pages` numbers the pages; -1 is one not given, which fits them all."""

    def __init__(self, items: list[Item], pages: dict[int | None, int]) -> None:
        self.start: Ints = np.fromiter((item[0] for item in items), np.int64, len(items))
        self.end: Ints = np.fromiter((item[1] for item in items), np.int64, len(items))
        self.index: Ints = np.fromiter((item[2] for item in items), np.int64, len(items))
        # A page that is not given fits every page.
        self.page: Ints = np.fromiter(
            (-1 if item[3] is None else item[3] for item in items), np.int64, len(items)
        )

    def __len__(self) -> int:
        return len(self.start)

    def take(self, which: Ints) -> Side:
        part = Side([], {})
        part.start, part.end = self.start[which], self.end[which]
        part.index, part.page = self.index[which], self.page[which]
        return part

    def padded(self, size: int) -> Side:
        """With empty spans added that overlap nothing, so that both sides are equally long."""
        part = Side([], {})
        add = (0, size - len(self))
        part.start, part.end = np.pad(self.start, add), np.pad(self.end, add)
        part.index, part.page = np.pad(self.index, add), np.pad(self.page, add)
        return part


def weigh(shared: Ints, lengths: Ints, smaller_side: int) -> Floats:
    """Overlap, then Jaccard, in one number. `lengths` is the sum of the two spans' lengths."""
    overlap_bits = int(shared.max(initial=1)).bit_length()
    count_bits = (smaller_side + 1).bit_length()
    jaccard_bits = max(0, min(JACCARD_BITS, EXACT_BITS - overlap_bits - count_bits))
    weight: Floats = shared / np.maximum(lengths - shared, 1)
    weight *= float(2**jaccard_bits)
    np.floor(weight, out=weight)
    weight += shared * float(2 ** (jaccard_bits + count_bits))
    return weight


def solve_matrix(ours: Side, theirs: Side, mixed: bool) -> tuple[Ints, Ints]:
    weights, shared = matrix(ours, theirs, mixed)
    rows, columns = assign(weights)
    kept = shared[rows, columns] > 0
    return rows[kept], columns[kept]


def matrix(ours: Side, theirs: Side, mixed: bool) -> tuple[Floats, Ints]:
    """The weight and the overlap of every pair; both 0 where there is none."""
    shared = np.minimum.outer(ours.end, theirs.end)
    shared -= np.maximum.outer(ours.start, theirs.start)
    np.maximum(shared, 0, out=shared)
    if mixed:
        shared[~same_page(ours.page[:, None], theirs.page[None, :])] = 0
    lengths = np.add.outer(ours.end - ours.start, theirs.end - theirs.start)
    return weigh(shared, lengths, min(len(ours), len(theirs))), shared


def assign(weights: Floats) -> tuple[Ints, Ints]:
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(weights, maximize=True)
    return rows, columns


def same_page(pages: Ints, others: Ints) -> npt.NDArray[np.bool_]:
    fits: npt.NDArray[np.bool_] = (pages < 0) | (others < 0) | (pages == others)
    return fits


def solve_edges(ours: Side, theirs: Side, rows: Ints, columns: Ints, mixed: bool) -> tuple[Ints, Ints]:
    """The heaviest matching on the given pairs of positions, all of which overlap."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    if mixed:
        fits = same_page(ours.page[rows], theirs.page[columns])
        rows, columns = rows[fits], columns[fits]
    if not len(rows):
        return rows, columns
    shared = np.minimum(ours.end[rows], theirs.end[columns]) - np.maximum(
        ours.start[rows], theirs.start[columns]
    )
    lengths = (ours.end - ours.start)[rows] + (theirs.end - theirs.start)[columns]
    cost = weigh(shared, lengths, min(len(ours), len(theirs)))
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


def overlap_of(ours: Side, theirs: Side, rows: Ints, columns: Ints) -> Ints:
    """The shared characters of pairs of positions; zero or less where there are none."""
    last: Ints = np.minimum(ours.end[rows], theirs.end[columns])
    return last - np.maximum(ours.start[rows], theirs.start[columns])
