"""Pairs the spans of a large run, with numpy and scipy."""

from __future__ import annotations

from typing import Any

import numpy as np

from pincite.metrics.spans.arrays import Ints, Side, solve_edges, solve_matrix
from pincite.metrics.spans.matching_items import Item

Pair = tuple[int, int]

DENSE_CELLS = 1_000_000
"""Up to here a full matrix is the fastest way."""
DENSE_CELLS_AT_MOST = 4_000_000
"""Up to here a full matrix fits, if the overlaps fill much of it."""
SPARSE_EDGES = 1_500_000
"""Up to this many overlapping pairs the best assignment is found; above, a good one, and it says so."""


def match_arrays(true: list[Item], predicted: list[Item], mixed: bool) -> tuple[list[Pair], bool]:
    """The pairs of one run, and whether they are surely the best."""
    pages: dict[int | None, int] = {None: -1}
    for item in (*true, *predicted):
        pages.setdefault(item[3], len(pages))
    ours, theirs = Side(true, pages), Side(predicted, pages)
    rows, columns, exact = _choose(ours, theirs, mixed)
    found = list(zip(ours.index[rows].tolist(), theirs.index[columns].tolist(), strict=True))
    return _in_order(_in_order(found, predicted, 1), true, 0), exact


def _choose(ours: Side, theirs: Side, mixed: bool) -> tuple[Ints, Ints, bool]:
    """Positions of the pairs, by the method that the number of overlaps calls for."""
    cells = len(ours) * len(theirs)
    if cells <= DENSE_CELLS:
        return *solve_matrix(ours, theirs, mixed), True
    pairs = _count_overlaps(ours, theirs)
    if cells <= DENSE_CELLS_AT_MOST and pairs > cells // 8:
        return *solve_matrix(ours, theirs, mixed), True
    if pairs <= SPARSE_EDGES:
        return *solve_edges(ours, theirs, *_overlapping(ours, theirs), mixed), True
    from pincite.metrics.spans.matching_bounded import match_in_blocks, match_near

    bounded = match_in_blocks if pairs > cells // 8 else match_near
    return *bounded(ours, theirs, mixed), False


def _count_overlaps(ours: Side, theirs: Side) -> int:
    """How many pairs overlap: all, but those where one ends before the other starts."""
    ended = np.searchsorted(np.sort(theirs.end), ours.start, side="right").sum()
    not_begun = len(theirs) * len(ours) - np.searchsorted(np.sort(theirs.start), ours.end, side="left").sum()
    return int(len(ours) * len(theirs) - ended - not_begun)


def _overlapping(ours: Side, theirs: Side) -> tuple[Ints, Ints]:
    """Every overlapping pair, once: either one starts inside the other, or the other inside the one."""
    rows, columns = _starting_inside(ours, theirs, "left")
    other_columns, other_rows = _starting_inside(theirs, ours, "right")
    return np.concatenate([rows, other_rows]), np.concatenate([columns, other_columns])


def _starting_inside(outer: Side, inner: Side, side: Any) -> tuple[Ints, Ints]:
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
