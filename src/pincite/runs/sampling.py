"""A part of a dataset, drawn so that the same seed draws the same queries whatever else the dataset holds."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from hashlib import blake2b

from pincite.datasets.formats.records import EvaluationQuery


def chosen_positions(queries: Iterable[EvaluationQuery], limit: int, seed: int) -> list[int]:
    """The places of `limit` queries, in order: those whose hash with the seed is least. One pass."""
    worst: list[tuple[int, int]] = []  # the least hashes so far as a heap, the greatest of them on top
    for position, query in enumerate(queries):
        rank = _rank(query, seed)
        if len(worst) < limit:
            heapq.heappush(worst, (-rank, -position))
        elif worst and (-rank, -position) > worst[0]:
            heapq.heapreplace(worst, (-rank, -position))
    return sorted(-position for _, position in worst)


def sampled(
    queries: Iterable[EvaluationQuery], positions: list[int] | None
) -> Iterator[tuple[int, EvaluationQuery]]:
    """The queries with their places: all, or those at the chosen places."""
    if positions is None:
        yield from enumerate(queries)
        return
    wanted = iter(positions)
    following = next(wanted, None)
    for position, query in enumerate(queries):
        if following is None:
            return
        if position == following:
            yield position, query
            following = next(wanted, None)


def _rank(query: EvaluationQuery, seed: int) -> int:
    content = f"{seed}\0{query.query_id}\0{query.query_text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "big")
