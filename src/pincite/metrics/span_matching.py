"""Pairs true spans with predicted ones, one to one, for the greatest total overlap.

Among assignments with the same overlap the one with the greatest sum of Jaccards wins; what is still equal is
decided the same way each time, and equal spans in their order. Spans fall apart into runs that share no
character with one another. Where each true span of a run has a best prediction of its own there is nothing to
search; all others are solved with scipy.

Overlap and Jaccard are packed into one float that holds an integer below 2**52, so that the sums the solvers
make are exact: no sum of Jaccards can outweigh one character of overlap. Where too many spans overlap to find
the best assignment, a good one is found in bounded time.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from pincite.base import np
from pincite.metrics.span_records import Item

if TYPE_CHECKING:
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]

Pair = tuple[int, int]

LARGEST_EASY_RUN = 64
"""Up to so many spans a run is looked at for a best prediction of each true span."""
LARGEST_SMALL_RUN = 16
"""Runs of so few spans are solved many at once, since to begin takes longer than to solve one."""
FURTHEST = 2**60
JACCARD_BITS = 30
EXACT_BITS = 52
DENSE_CELLS = 1_000_000
"""Up to here a full matrix is the fastest way."""
DENSE_CELLS_AT_MOST = 4_000_000
"""Up to here a full matrix fits, if the overlaps fill much of it."""
SPARSE_EDGES = 1_500_000
"""Up to this many overlapping pairs the best assignment is found; above, a good one, and it says so."""
BLOCK = 256


def match(groups: Iterable[tuple[list[Item], list[Item]]]) -> tuple[list[Pair], bool]:
    """The best pairs of true and predicted index within each document, and whether they must be the best."""
    pairs: list[Pair] = []
    small: list[tuple[list[Item], list[Item]]] = []
    exact = True
    for true, predicted in groups:
        for run in _runs(true, predicted):
            size = len(run[0]) + len(run[1])
            found = _best_of_each(*run) if size <= LARGEST_EASY_RUN else None
            if found is not None:
                pairs += found
            elif size <= LARGEST_SMALL_RUN:
                small.append(run)
            else:
                found, is_best = _match_arrays(*run)
                pairs += found
                exact = exact and is_best
    for together in _side_by_side(small):
        found, is_best = _match_arrays(*together)
        pairs += found
        exact = exact and is_best
    return sorted(pairs), exact


def _side_by_side(runs: Iterable[tuple[list[Item], list[Item]]]) -> Iterable[tuple[list[Item], list[Item]]]:
    """Small runs moved to where they share nothing with one another, to be solved in one go."""
    sides: tuple[list[Item], list[Item]] = ([], [])
    end = 0
    for run in runs:
        if end > FURTHEST:
            yield sides
            sides, end = ([], []), 0
        shift = end - min(run[0][0][0], run[1][0][0])
        for side, items in zip(sides, run, strict=True):
            side += [(item[0] + shift, item[1] + shift, item[2], item[3]) for item in items]
            end = max(end, *(item[1] + shift for item in items))
    if sides[0]:
        yield sides


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


def _best_of_each(true: list[Item], predicted: list[Item]) -> list[Pair] | None:
    """Each truth with its own best prediction, if no two want the same one: then nothing can be better."""
    taken: dict[int, int] = {}
    for start, end, index, page in true:
        best: tuple[int, int, int] | None = None
        for other_start, other_end, other, other_page in predicted:
            if other_start >= end:
                break
            shared = min(end, other_end) - max(start, other_start)
            apart = page is not None and other_page is not None and page != other_page
            if shared > 0 and not apart:
                # With the same overlap the shorter prediction has the greater Jaccard.
                choice = (-shared, other_end - other_start, other)
                best = choice if best is None else min(best, choice)
        if best is not None:
            if best[2] in taken:
                return None
            taken[best[2]] = index
    return [(index, other) for other, index in taken.items()]


class SpanArrays:
    """The spans of one side of a run, a column each: start, end, index and page, -1 for none."""

    def __init__(self, columns: Ints) -> None:
        self.columns = columns
        self.start, self.end, self.index, self.page = columns

    def __len__(self) -> int:
        return len(self.start)

    def take(self, which: Ints) -> SpanArrays:
        return SpanArrays(self.columns[:, which])

    def padded(self, size: int) -> SpanArrays:
        """With empty spans added that overlap nothing, so that both sides are equally long."""
        return SpanArrays(np.pad(self.columns, ((0, 0), (0, size - len(self)))))


def _match_arrays(true: list[Item], predicted: list[Item]) -> tuple[list[Pair], bool]:
    """The pairs of one run, and whether they are surely the best."""
    ours, theirs = (
        SpanArrays(np.array([(*item[:3], -1 if item[3] is None else item[3]) for item in items], np.int64).T)
        for items in (true, predicted)
    )
    rows, columns, exact = _choose(ours, theirs)
    found = list(zip(ours.index[rows].tolist(), theirs.index[columns].tolist(), strict=True))
    return _in_order(_in_order(found, predicted, 1), true, 0), exact


def _choose(ours: SpanArrays, theirs: SpanArrays) -> tuple[Ints, Ints, bool]:
    """Positions of the pairs, by the method that the number of overlaps calls for."""
    cells = len(ours) * len(theirs)
    if cells <= DENSE_CELLS:
        return *_solve_matrix(ours, theirs), True
    pairs = _count_overlaps(ours, theirs)
    if cells <= DENSE_CELLS_AT_MOST and pairs > cells // 8:
        return *_solve_matrix(ours, theirs), True
    if pairs <= SPARSE_EDGES:
        return *_solve_edges(ours, theirs, *_overlapping(ours, theirs)), True
    return *_match_in_blocks(ours, theirs), False


def _count_overlaps(ours: SpanArrays, theirs: SpanArrays) -> int:
    """How many pairs overlap: all, but those where one ends before the other starts."""
    ended = np.searchsorted(np.sort(theirs.end), ours.start, side="right").sum()
    not_begun = len(theirs) * len(ours) - np.searchsorted(np.sort(theirs.start), ours.end, side="left").sum()
    return int(len(ours) * len(theirs) - ended - not_begun)


def _overlapping(ours: SpanArrays, theirs: SpanArrays) -> tuple[Ints, Ints]:
    """Every overlapping pair, once: either one starts inside the other, or the other inside the one."""
    rows, columns = _starting_inside(ours, theirs, "left")
    other_columns, other_rows = _starting_inside(theirs, ours, "right")
    return np.concatenate([rows, other_rows]), np.concatenate([columns, other_columns])


def _starting_inside(outer: SpanArrays, inner: SpanArrays, side: Any) -> tuple[Ints, Ints]:
    """Pairs where `inner` starts inside `outer`; with side "right" not at its very start."""
    order = np.argsort(inner.start, kind="stable")
    starts = inner.start[order]
    first = np.searchsorted(starts, outer.start, side=side)
    counts = np.maximum(np.searchsorted(starts, outer.end, side="left") - first, 0)
    total = int(counts.sum())
    steps = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(np.arange(len(outer)), counts), order[np.repeat(first, counts) + steps]


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


# --- the best assignment --------------------------------------------------------------------------


def _weigh(shared: Ints, lengths: Ints, smaller_side: int) -> Floats:
    """Overlap, then Jaccard, in one number. `lengths` is the sum of the two spans' lengths."""
    overlap_bits = int(shared.max(initial=1)).bit_length()
    count_bits = (smaller_side + 1).bit_length()
    jaccard_bits = max(0, min(JACCARD_BITS, EXACT_BITS - overlap_bits - count_bits))
    weight: Floats = shared / np.maximum(lengths - shared, 1)
    weight *= float(2**jaccard_bits)
    np.floor(weight, out=weight)
    weight += shared * float(2 ** (jaccard_bits + count_bits))
    return weight


def _solve_matrix(ours: SpanArrays, theirs: SpanArrays) -> tuple[Ints, Ints]:
    weights, shared = _matrix(ours, theirs)
    rows, columns = _assign(weights)
    kept = shared[rows, columns] > 0
    return rows[kept], columns[kept]


def _matrix(ours: SpanArrays, theirs: SpanArrays) -> tuple[Floats, Ints]:
    """The weight and the overlap of every pair; both 0 where there is none."""
    shared = np.minimum.outer(ours.end, theirs.end)
    shared -= np.maximum.outer(ours.start, theirs.start)
    np.maximum(shared, 0, out=shared)
    shared[~_same_page(ours.page[:, None], theirs.page[None, :])] = 0
    lengths = np.add.outer(ours.end - ours.start, theirs.end - theirs.start)
    return _weigh(shared, lengths, min(len(ours), len(theirs))), shared


def _assign(weights: Floats) -> tuple[Ints, Ints]:
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(weights, maximize=True)
    return rows, columns


def _same_page(pages: Ints, others: Ints) -> npt.NDArray[np.bool_]:
    fits: npt.NDArray[np.bool_] = (pages < 0) | (others < 0) | (pages == others)
    return fits


def _solve_edges(ours: SpanArrays, theirs: SpanArrays, rows: Ints, columns: Ints) -> tuple[Ints, Ints]:
    """The heaviest matching on the given pairs of positions, all of which overlap."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    fits = _same_page(ours.page[rows], theirs.page[columns])
    rows, columns = rows[fits], columns[fits]
    if not len(rows):
        return rows, columns
    shared = _overlap_of(ours, theirs, rows, columns)
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


def _overlap_of(ours: SpanArrays, theirs: SpanArrays, rows: Ints, columns: Ints) -> Ints:
    """The shared characters of pairs of positions; zero or less where there are none."""
    last = np.minimum(ours.end[rows], theirs.end[columns])
    shared: Ints = last - np.maximum(ours.start[rows], theirs.start[columns])
    return shared


# --- a good assignment ----------------------------------------------------------------------------


def _match_in_blocks(ours: SpanArrays, theirs: SpanArrays) -> tuple[Ints, Ints]:
    """A good assignment in bounded time: improve a first one block by block.

    Each round sorts the pairs by another measure of place and length, and solves every block of
    neighbouring pairs exactly, so that the total never falls from one round to the next.
    """
    size = max(len(ours), len(theirs))
    padded_ours, padded_theirs = ours.padded(size), theirs.padded(size)
    partner = np.empty(size, np.int64)
    partner[np.argsort(padded_ours.start, kind="stable")] = np.argsort(padded_theirs.start, kind="stable")
    for start, end in ((0, 1), (1, 1), (-1, 1), (1, 0)):
        measures = [start * side.start + end * side.end for side in (padded_ours, padded_theirs)]
        order = np.argsort(measures[0] + measures[1][partner], kind="stable")
        for first in range(0, size, BLOCK):
            rows = order[first : first + BLOCK]
            columns = partner[rows]
            weights, _ = _matrix(padded_ours.take(rows), padded_theirs.take(columns))
            partner[rows] = columns[_assign(weights)[1]]
    rows = np.arange(size)
    kept = _overlap_of(padded_ours, padded_theirs, rows, partner) > 0
    kept &= _same_page(padded_ours.page, padded_theirs.page[partner])
    return rows[kept], partner[kept]
