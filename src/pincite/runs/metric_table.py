"""Every metric's numbers, one row per query: over all queries, and over kinds of queries.

Results are added one by one and packed at once, so that a million of them fit. What comes out does not depend
on the order in which they came.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from math import isfinite
from typing import IO, Any

import msgspec

from pincite.base import np
from pincite.config import Settings
from pincite.metrics import Metric, meets
from pincite.records import ItemResult, Result, Score

SCORED, NOT_SCORABLE, UNJUDGED = 0, 1, 2
AT_ONCE = 1_000_000
"""Values of one kind that are held in memory when a run is summed up."""
MOST_RESAMPLED_IN_A_GROUP = 2_000
"""A breakdown has many groups: the delta method takes over earlier there, and fewer resamples do."""
RESAMPLES_IN_A_GROUP = 2_000
BLOCK = 8_192
"""Rows that are held in memory before they are written away."""
MOST_REASONS = 1_000
MOST_REASONS_SHOWN = 50


def outcome(result: Result | None) -> int:
    """Whether one query has a value in a metric, has nothing to score, or could not be judged."""
    if result is None:
        return NOT_SCORABLE
    if result.score is None:
        return UNJUDGED if result.unjudged else NOT_SCORABLE
    # NaN or infinity must not become the value of the whole run.
    numbers = isfinite(result.score) and isfinite(result.numerator) and isfinite(result.denominator)
    return SCORED if numbers else UNJUDGED


def parts(result: Result, pooled: bool) -> tuple[float, float]:
    """What one query adds to its metric's numerator and denominator over a dataset."""
    assert result.score is not None
    return (result.numerator, result.denominator) if pooled else (result.score, 1.0)


class PackedColumns:
    """Rows of numbers, stored by column and spilled to a file in blocks.

    A column may be begun late; the rows before it hold its gap. A million rows of thirty metrics are some
    hundred megabytes on disk and a few in memory.
    """

    def __init__(self) -> None:
        self.rows = 0
        self._kinds: dict[str, str] = {}
        self._gaps: dict[str, float] = {}
        self._open: dict[str, array[Any]] = {}
        self._written: list[dict[str, int]] = []
        """For each block, the offset of each of its columns in the file."""
        self._file: IO[bytes] | None = None
        self._end = 0

    def begin(self, name: str, kind: str = "d", gap: float = float("nan")) -> None:
        """Begin a column: `d` for floats, `b` for small whole numbers. A row without a value holds `gap`."""
        self._kinds[name] = kind
        self._gaps[name] = gap
        self._open[name] = array(kind, [self._gap(name)]) * (self.rows % BLOCK)

    def append(self, values: dict[str, float]) -> None:
        """Add a row. What is not named holds its column's gap."""
        for name, column in self._open.items():
            column.append(values[name] if name in values else self._gap(name))
        self.rows += 1
        if self.rows % BLOCK == 0:
            self._spill()

    def column(self, name: str) -> Any:
        """The whole column as a numpy array."""
        kind = self._kinds[name]
        whole = np.full(self.rows, self._gap(name), dtype=np.dtype(kind))
        for number, block in enumerate(self._written):
            if name in block:
                assert self._file is not None
                self._file.seek(block[name])
                part = np.frombuffer(self._file.read(BLOCK * whole.itemsize), dtype=whole.dtype)
                whole[number * BLOCK : (number + 1) * BLOCK] = part
        rest = self.rows % BLOCK
        if rest:
            whole[self.rows - rest :] = np.frombuffer(self._open[name], dtype=whole.dtype)
        return whole

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def __del__(self) -> None:
        self.close()

    def _gap(self, name: str) -> Any:
        return self._gaps[name] if self._kinds[name] == "d" else int(self._gaps[name])

    def _spill(self) -> None:
        import tempfile

        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="pincite-")  # noqa: SIM115 - lives as long as this
        self._file.seek(self._end)
        block: dict[str, int] = {}
        for name, column in self._open.items():
            block[name] = self._end
            self._end += self._file.write(column.tobytes())
            self._open[name] = array(self._kinds[name])
        self._written.append(block)


class MetricColumns:
    """The outcome, numerator and denominator of each metric, one row per query."""

    def __init__(self) -> None:
        self.pooled: dict[str, bool] = {}
        self._packed = PackedColumns()

    def __len__(self) -> int:
        return self._packed.rows

    def begin(self, metric: str, pooled: bool) -> None:
        self.pooled[metric] = pooled
        self._packed.begin(f"outcome {metric}", "b", NOT_SCORABLE)
        self._packed.begin(f"score {metric}")
        self._packed.begin(f"top {metric}")
        self._packed.begin(f"bottom {metric}")

    def add(self, results: Iterable[Result]) -> None:
        """Add a query; a metric that it does not have is not scorable."""
        row: dict[str, float] = {}
        for result in results:
            name = result.metric
            row[f"outcome {name}"] = kind = outcome(result)
            if kind == SCORED and result.score is not None:
                row[f"score {name}"] = result.score
                row[f"top {name}"], row[f"bottom {name}"] = parts(result, self.pooled[name])
        self._packed.append(row)

    def column(self, metric: str, rows: Any) -> tuple[Any, Any, Any]:
        """Outcomes, numerators and denominators of a metric in these rows; NaN where there is no value."""
        outcomes, tops, bottoms = (
            self._packed.column(f"{part} {metric}")[rows] for part in ("outcome", "top", "bottom")
        )
        return outcomes, tops, bottoms

    def scores(self, metric: str, rows: Any) -> Any:
        """The queries' own scores in these rows; NaN where there is no value."""
        return self._packed.column(f"score {metric}")[rows]

    def close(self) -> None:
        """Give the disk space back; an object that is dropped does so too."""
        self._packed.close()


class MetricTable:
    """Every metric's numbers, one row per query."""

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self._metrics = {metric.full_name: metric for metric in metrics}
        self._values = MetricColumns()
        for name, metric in self._metrics.items():
            self._values.begin(name, metric.pooled)
        self._positions = array("q")
        self._clusters = Clusters()
        self._labels = {"query_type": Labels(), "difficulty": Labels(), "document": Labels()}
        self._reasons: dict[str, Counter[str]] = {name: Counter() for name in self._metrics}
        self._counts: dict[str, Counter[str]] = {name: Counter() for name in self._metrics}
        self._unjudged: Counter[str] = Counter()

    def add(self, result: ItemResult) -> None:
        """Add what one query gave."""
        given = {one.metric: one for one in result.results if one.metric in self._metrics}
        for name in self._metrics:
            if name not in given:
                _count(self._reasons[name], "no answer" if result.failure else "not measured", 1)
        for name, one in given.items():
            self._unjudged[name] += one.unjudged
            for reason, count in one.reasons.items():
                _count(self._reasons[name], reason, count)
            for label, amount in one.counts.items():
                self._counts[name][label] += amount  # type: ignore[assignment]
        number = len(self._values)
        self._values.add(given.values())
        self._positions.append(result.position)
        self._clusters.add(result.cluster)
        self._labels["query_type"].add(number, [result.query_type or NOT_GIVEN])
        self._labels["difficulty"].add(number, [result.difficulty or NOT_GIVEN])
        self._labels["document"].add(number, result.documents)

    def scores(self, settings: Settings) -> tuple[Score, ...]:
        """Every metric over all queries, with its interval."""
        order = self._order()
        (found,) = self._scores([np.arange(len(order), dtype=np.int32)], order, settings, whole=True)
        return tuple(self._told(score) for score in found)

    def breakdown(self, settings: Settings) -> dict[str, dict[str, tuple[Score, ...]]]:
        """The same for each query type, difficulty and document; a query counts in each of its documents."""
        order = self._order()
        places = np.empty_like(order)
        places[order] = np.arange(len(order))
        groups = {kind: labels.groups(places) for kind, labels in self._labels.items()}
        groups = {kind: sets for kind, sets in groups.items() if set(sets) - {NOT_GIVEN}}
        flat = [rows for sets in groups.values() for rows in sets.values()]
        found = iter(self._scores(flat, order, settings, whole=False))
        return {kind: {label: tuple(next(found)) for label in sets} for kind, sets in groups.items()}

    def close(self) -> None:
        self._values.close()

    def _order(self) -> Any:
        # Half the size will do: it is held, and each group's rows with it, while all is summed up.
        return np.argsort(np.frombuffer(self._positions, dtype=np.int64), kind="stable").astype(np.int32)

    def _scores(self, sets: list[Any], order: Any, settings: Settings, whole: bool) -> list[list[Score]]:
        """The scores of each set of rows; metrics are read a few at a time, each once."""
        found: list[list[Score]] = [[] for _ in sets]
        codes = self._clusters.codes(order) if len(order) else None
        names = list(self._metrics)
        at_once = max(1, AT_ONCE // max(1, len(order)))
        for start in range(0, len(names), at_once):
            chosen = names[start : start + at_once]
            outcomes, tops, bottoms = self._read(chosen, order)
            for place, rows in enumerate(sets):
                clusters = None if codes is None else codes[rows]
                found[place] += self._rows_scores(
                    chosen, outcomes[rows], tops[rows], bottoms[rows], clusters, settings, whole
                )
        return found

    def _read(self, names: list[str], order: Any) -> list[Any]:
        read = [self._values.column(name, order) for name in names]
        return [np.stack(part, axis=1) for part in zip(*read, strict=True)]

    def _rows_scores(
        self,
        names: list[str],
        outcomes: Any,
        tops: Any,
        bottoms: Any,
        clusters: Any,
        settings: Settings,
        whole: bool,
    ) -> list[Score]:
        from pincite.stats import MOST_RESAMPLED, ratio_intervals

        resamples = settings.evaluation.resamples
        intervals = ratio_intervals(
            tops,
            bottoms,
            clusters=clusters,
            resamples=resamples if whole else min(resamples, RESAMPLES_IN_A_GROUP),
            seed=settings.evaluation.random_seed,
            level=settings.evaluation.confidence_level,
            most_resampled=MOST_RESAMPLED if whole else MOST_RESAMPLED_IN_A_GROUP,
        )
        scores = []
        for place, name in enumerate(names):
            metric, kinds = self._metrics[name], outcomes[:, place]
            scored = kinds == SCORED
            top, bottom = float(tops[scored, place].sum()), float(bottoms[scored, place].sum())
            value = top / bottom if bottom else None
            threshold = metric.threshold_for(settings)
            scores.append(
                Score(
                    metric=name,
                    value=value,
                    confidence_interval=intervals[place].bounds,
                    method=intervals[place].method,
                    n=int(scored.sum()),
                    groups=int(np.count_nonzero(np.bincount(clusters[scored])))
                    if whole and "clustered" in intervals[place].method
                    else None,
                    not_scorable=int((kinds == NOT_SCORABLE).sum()),
                    unjudged=int((kinds == UNJUDGED).sum()),
                    numerator=top,
                    denominator=bottom,
                    threshold=threshold,
                    passed=meets(value, threshold, metric.higher_is_better),
                    higher_is_better=metric.higher_is_better,
                )
            )
        return scores

    def _told(self, score: Score) -> Score:
        """The score with what only the whole run knows: further counts, and why queries were left out."""
        reasons = sorted(self._reasons[score.metric].items(), key=lambda item: (-item[1], item[0]))
        shown, rest = reasons[:MOST_REASONS_SHOWN], sum(count for _, count in reasons[MOST_REASONS_SHOWN:])
        counts = sorted(self._counts[score.metric].items())
        return msgspec.structs.replace(
            score,
            unjudged_units=self._unjudged[score.metric],
            # Twelve digits: the last ones depend on the order in which the results came.
            counts={label: float(f"{amount:.12g}") for label, amount in counts},
            reasons={**dict(shown), **({"other reasons": rest} if rest else {})},
        )


def _count(reasons: Counter[str], reason: str, count: int) -> None:
    reasons[reason if reason in reasons or len(reasons) < MOST_REASONS else "other reasons"] += count


# --- which rows belong together -------------------------------------------------------------------


MOST_SHOWN = 50
MOST_KNOWN = 200_000
"""Different labels that are kept by name; a label that comes later counts as one of the others."""
OTHER = "other"
NOT_GIVEN = "not given"


class Labels:
    """The labels of rows: none, one or several each."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._rows = array("i")
        self._labels = array("i")

    def add(self, row: int, labels: Iterable[str]) -> None:
        for label in dict.fromkeys(labels):
            number = self._numbers.get(label)
            if number is None:
                number = len(self._numbers) if len(self._numbers) < MOST_KNOWN else -1
                if number >= 0:
                    self._numbers[label] = number
            self._rows.append(row)
            self._labels.append(number)

    def groups(self, places: Any) -> dict[str, Any]:
        """The rows of each of the most frequent labels, and of all others together; none without labels.

        `places` maps each row to its place in the order of the dataset; rows are returned by place.
        """
        if not len(self._rows):
            return {}
        numbers = np.frombuffer(self._labels, dtype=np.int32)
        rows = np.frombuffer(self._rows, dtype=np.int32)
        names = list(self._numbers)
        counts = np.bincount(numbers[numbers >= 0], minlength=len(names))
        ranked = sorted(range(len(names)), key=lambda number: (-int(counts[number]), names[number]))
        shown = ranked[:MOST_SHOWN]
        found = {names[number]: np.sort(places[rows[numbers == number]]) for number in shown}
        rest = ~np.isin(numbers, shown)
        if rest.any():
            label = OTHER if OTHER not in found else f"{OTHER} (of the rest)"
            found[label] = np.unique(places[rows[rest]])
        return found


class Clusters:
    """The cluster of each row, as a number that needs no memory of names."""

    def __init__(self) -> None:
        self._hashes = array("q")

    def add(self, cluster: str | None) -> None:
        self._hashes.append(text_number(cluster or ""))

    def codes(self, order: Any) -> Any | None:
        """A number for each row in the order of the dataset, equal where the cluster is; None without any."""
        hashes = np.frombuffer(self._hashes, dtype=np.int64)[order]
        alone = hashes == 0
        if alone.all():
            return None
        _, codes = np.unique(hashes, return_inverse=True)
        codes = codes.astype(np.int32)
        codes[alone] = len(hashes) + np.arange(int(alone.sum()))
        return codes


def text_number(text: str) -> int:
    """A hash of a text, 0 for none: the names of a million queries need not be held."""
    if not text:
        return 0
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True) or 1
