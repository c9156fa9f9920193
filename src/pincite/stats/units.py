"""The units that statistics resample: queries, or clusters of queries that share a document or conversation.

Every metric over a dataset is a ratio of sums. One that is a mean has 1 in every denominator. A sum over a
cluster's queries is as good as the queries themselves, so clusters need no method of their own: they are
just fewer and larger units.
"""

from __future__ import annotations

from typing import Any

PIECE = 250_000
"""Multiplications that numeric libraries do not split over threads."""


def as_columns(values: Any) -> Any:
    """An n × m array of floats; one column may be given without its second axis."""
    import numpy as np

    columns = np.asarray(values, dtype=float)
    return columns[:, None] if columns.ndim == 1 else columns


def cluster_codes(clusters: Any, rows: int) -> Any | None:
    """Each row's cluster as a number, or None when every row stands alone. A cluster None is a row's own.

    Rows that are all of one cluster stand alone too: what is said is then about that document alone.
    """
    import numpy as np

    if clusters is None:
        return None
    if len(clusters) != rows:
        raise ValueError(f"{len(clusters)} clusters for {rows} rows")
    if isinstance(clusters, np.ndarray) and clusters.dtype.kind in "iu":
        numbers, codes = np.unique(clusters, return_inverse=True)
        return codes if 1 < len(numbers) < rows else None
    seen: dict[Any, int] = {}
    codes = np.empty(rows, dtype=np.int64)
    for row, cluster in enumerate(clusters):
        key = ("row", row) if cluster is None else ("cluster", cluster)
        codes[row] = seen.setdefault(key, len(seen))
    return codes if 1 < len(seen) < rows else None


def summed(columns: Any, codes: Any | None) -> Any:
    """The columns' sums a unit. What is NaN (a query that has no value) adds nothing."""
    import numpy as np

    filled = np.nan_to_num(columns, nan=0.0)
    if codes is None:
        return filled
    units = int(codes.max()) + 1 if len(codes) else 0
    return np.stack(
        [np.bincount(codes, weights=column, minlength=units) for column in filled.T], axis=1
    ).reshape(units, filled.shape[1])


def product(lines: Any, columns: Any) -> Any:
    """`lines @ columns`, in pieces that a numeric library computes on one thread.

    For products of this shape threads gain little, and on a busy machine they wait for each other many times
    longer than the work takes. The order of the sums does not depend on the number of cores either.
    """
    import numpy as np

    columns = np.ascontiguousarray(columns)
    at_once = 64
    piece = max(16, PIECE // (at_once * max(1, columns.shape[1])))
    total = np.zeros((len(lines), columns.shape[1]))
    for line in range(0, len(lines), at_once):
        for start in range(0, len(columns), piece):
            total[line : line + at_once] += (
                lines[line : line + at_once, start : start + piece] @ columns[start : start + piece]
            )
    return total
