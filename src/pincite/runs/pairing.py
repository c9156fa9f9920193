"""Two runs read side by side: their numbers packed, their texts on disk, their queries paired."""

from __future__ import annotations

import json
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from pincite.base import np
from pincite.errors import InputError
from pincite.metrics import known_metric
from pincite.records import ItemResult, Run
from pincite.runs.metric_table import NOT_SCORABLE, UNJUDGED, Clusters, MetricColumns, text_number
from pincite.runs.results_files import canonical

IN_MEMORY = 32 * 1024 * 1024


class ShownQuery(Struct, frozen=True):
    """What is kept of a query to show it."""

    query_id: str
    query_text: str
    answer: str | None
    failure: str | None


@contextmanager
def read_side(items: Iterable[ItemResult]) -> Iterator[RunSide]:
    """One run, read once; what it holds on disk goes at the end."""
    side = RunSide()
    try:
        for item in items:
            side.add(item)
        yield side
    finally:
        side.close()


def items_of(run: Run) -> Iterator[ItemResult]:
    """The items of a run; the error for anything else says how to get a run."""
    if not isinstance(run, Run) or run.items is None:
        raise InputError(
            "runs are compared by their queries, and this has none: give what pincite.evaluate returned, or "
            "a run of a history, as store.find('latest'); for results files use `pincite runs compare`"
        )
    items: Iterator[ItemResult] = run.items()
    return items


class RunSide:
    """The queries of one run."""

    def __init__(self) -> None:
        self.failed = 0
        self.values = MetricColumns()
        self._positions = array("q")
        self._ids = array("q")
        self._texts = array("q")
        self._clusters = Clusters()
        self._told = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY, prefix="pincite-")  # noqa: SIM115
        self._places = array("q", [0])

    def add(self, item: ItemResult) -> None:
        self.failed += item.failure is not None
        for result in item.results:
            if result.metric not in self.values.pooled:
                self.values.begin(result.metric, known_metric(result.metric).pooled)
        self.values.add(item.results)
        self._positions.append(item.position)
        self._ids.append(text_number(item.query_id))
        self._texts.append(text_number(" ".join(item.query_text.split())))
        self._clusters.add(item.cluster)
        # Escaped, since an answer may hold half a surrogate pair, which no encoding has.
        told = json.dumps([item.query_id, item.query_text, item.answer, item.failure]).encode("ascii")
        self._places.append(self._places[-1] + self._told.write(told))

    def __len__(self) -> int:
        return len(self._ids)

    def ids(self) -> tuple[Any, Any]:
        """A number for each different id, and the row where it came first: what repeats counts once."""
        numbers, rows = np.unique(np.frombuffer(self._ids, dtype=np.int64), return_index=True)
        return numbers, rows

    def positions(self, rows: Any) -> Any:
        return np.frombuffer(self._positions, dtype=np.int64)[rows]

    def texts(self, rows: Any) -> Any:
        """A number for each query's text, 0 where it has none."""
        return np.frombuffer(self._texts, dtype=np.int64)[rows]

    def clusters(self, rows: Any) -> Any | None:
        return self._clusters.codes(rows) if len(rows) else None

    def told(self, row: int) -> ShownQuery:
        self._told.seek(self._places[row])
        return ShownQuery(*json.loads(self._told.read(self._places[row + 1] - self._places[row])))

    def close(self) -> None:
        self.values.close()
        self._told.close()


class Paired(Struct, frozen=True):
    """The queries that two runs share, in the order of the first."""

    first: Any
    """Their rows in the first run."""
    second: Any
    clusters: Any | None
    changed_text: tuple[str, ...]
    """Queries that have the same id in both and another text; they are not compared."""
    only_first: int
    only_second: int
    repeated: tuple[int, int]
    """Queries whose id came before, in each run; the first of each counts."""


def pair_queries(first: RunSide, second: RunSide, names: tuple[str, str] = ("A", "B")) -> Paired:
    """Queries with the same id and the same text; a missing text matches any."""
    (a_ids, a_rows), (b_ids, b_rows) = first.ids(), second.ids()
    _, in_a, in_b = np.intersect1d(a_ids, b_ids, assume_unique=True, return_indices=True)
    rows = np.stack([a_rows[in_a], b_rows[in_b]], axis=1)
    rows = rows[np.argsort(first.positions(rows[:, 0]), kind="stable")]
    one, other = first.texts(rows[:, 0]), second.texts(rows[:, 1])
    same = (one == other) | (one == 0) | (other == 0)
    changed = tuple(first.told(int(row)).query_id for row in rows[~same, 0])
    kept = rows[same]
    if not len(kept):
        raise InputError(
            f"{names[0]} and {names[1]} share no query: they have {len(first):,} and "
            f"{len(second):,} queries, none with the same id and text"
        )
    clusters = first.clusters(kept[:, 0])
    return Paired(
        kept[:, 0],
        kept[:, 1],
        second.clusters(kept[:, 1]) if clusters is None else clusters,
        changed,
        len(a_ids) - len(rows),
        len(b_ids) - len(rows),
        (len(first) - len(a_ids), len(second) - len(b_ids)),
    )


def shared_metrics(first: RunSide, second: RunSide, asked: Sequence[str]) -> list[str]:
    """The metrics that were asked for, spelled as the runs spell them, or all that both runs have."""
    both = [name for name in first.values.pooled if name in second.values.pooled]
    if not asked:
        return both
    spelled = {name.lower(): name for name in both}
    found = []
    for name in asked:
        spelling = spelled.get(name.lower()) or spelled.get(canonical(name).lower())
        if spelling is None:
            raise InputError(f"no metric {name!r:.60} in both runs: they share {', '.join(both) or 'none'}")
        found.append(spelling)
    return list(dict.fromkeys(found))


def count_outcomes(outcomes: Any) -> tuple[int, int]:
    """How many queries have nothing to score, and how many could not be judged."""
    left_out = int((outcomes == NOT_SCORABLE).sum())
    return left_out, int((outcomes == UNJUDGED).sum())
