"""Where the rows of an A/B test come from: two runs, or a file."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from msgspec import Struct

from pincite.base import np, open_named
from pincite.errors import InputError
from pincite.records import ItemResult
from pincite.runs.comparison.ab import PairedScore
from pincite.runs.comparison.pairing import pair_queries, read_side, shared_metrics

MOST_BYTES = 200 * 1024 * 1024


class PairedRows(Struct, frozen=True):
    """The rows that two runs share, and how many queries are left out."""

    rows: tuple[PairedScore, ...]
    without_value: int
    """Paired queries with nothing to score, or unjudged, in one of the runs or in both."""
    unpaired: int
    one_sided: tuple[int, int] = (0, 0)
    """Those of them with a value in A only, in B only."""


def rows_of_runs(a: Iterable[ItemResult], b: Iterable[ItemResult], metric: str) -> PairedRows:
    """Each shared query's score in both runs."""
    with read_side(a) as first, read_side(b) as second:
        (name,) = shared_metrics(first, second, [metric])
        paired = pair_queries(first, second)
        one = first.values.scores(name, paired.first)
        other = second.values.scores(name, paired.second)
        scored = ~(np.isnan(one) | np.isnan(other))
        rows = tuple(
            PairedScore(first.told(int(paired.first[place])).query_id, float(one[place]), float(other[place]))
            for place in np.flatnonzero(scored)
        )
        unpaired = paired.only_first + paired.only_second + len(paired.changed_text)
        a_only = int((~np.isnan(one) & np.isnan(other)).sum())
        b_only = int((np.isnan(one) & ~np.isnan(other)).sum())
        return PairedRows(rows, int((~scored).sum()), unpaired, (a_only, b_only))


def spread_of(rows: Iterable[PairedScore]) -> float | None:
    """The standard deviation of the paired differences; None where there are too few or they do not vary."""
    return _spread([row.b - row.a for row in rows])


def spread_of_run(items: Iterable[ItemResult], metric: str) -> float | None:
    """The same, guessed from one run: that of its scores.

    Two systems' scores on the same query go together by about a half, and then their differences vary just
    as the scores do.
    """
    wanted = metric.lower()
    found = [
        result.score
        for item in items
        for result in item.results
        if result.metric.lower() == wanted and result.score is not None
    ]
    return _spread(found)


def _spread(values: list[float]) -> float | None:
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return spread if 0 < spread < math.inf else None


def rows_of_file(path: Path) -> Iterator[PairedScore]:
    """Rows from JSON Lines or CSV with `query_id`, `a` and `b`."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path} is larger than {MOST_BYTES // 2**20} MB")
        with TextIOWrapper(open_named(path), encoding="utf-8-sig", newline="") as file:
            rows = enumerate(csv.DictReader(file), start=2)
            records = rows if path.suffix.lower() == ".csv" else _json_lines(file, path)
            for line, record in records:
                yield _row(record, path, line)
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8") from None
    except csv.Error as error:
        raise InputError(f"{path} is not CSV: {error}") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None


def _json_lines(file: Iterable[str], path: Path) -> Iterator[tuple[int, Any]]:
    for line, text in enumerate(file, start=1):
        if not text.strip():
            continue
        try:
            yield line, json.loads(text)
        except (ValueError, RecursionError):
            raise InputError(f"{path}:{line}: not JSON; write one row per line") from None


def _row(record: Any, path: Path, line: int) -> PairedScore:
    shape = '{"query_id": "q1", "a": 0.5, "b": 0.75}'
    if not isinstance(record, Mapping) or not all(name in record for name in ("query_id", "a", "b")):
        raise InputError(f"{path}:{line}: expected query_id, a and b, as in {shape}")
    name = record["query_id"]
    scores = [_score(record[side], path, line, side) for side in ("a", "b")]
    if not isinstance(name, str | int) or isinstance(name, bool) or name == "":
        raise InputError(f"{path}:{line}: query_id is a text, not {name!r:.40}")
    return PairedScore(str(name), scores[0], scores[1])


def _score(value: Any, path: Path, line: int, side: str) -> float:
    try:
        score = float(value) if not isinstance(value, bool) else float("nan")
    except (TypeError, ValueError, OverflowError):
        score = float("nan")
    if not math.isfinite(score):
        raise InputError(f"{path}:{line}: {side} is a number between 0 and 1, not {value!r:.40}")
    return score
