"""Results as CSV, for a spreadsheet: what a query scored in a column a metric, and all else at the right.

`individual_metrics` stands there as JSON too, and is what is read back; the columns `metrics.…` repeat it.
What belongs to the whole run is one JSON text in the column `results_document`, cut into numbered parts that
stand one a row: a spreadsheet holds no cell of over 32,767 characters, and its rows may come back sorted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from pincite.datasets.files.plain_json import parse_json
from pincite.errors import InputError

METRIC = "metrics."
WHOLE = "results_document"
PART = 30_000
_PART = re.compile(r"(\d+)/(\d+) (.*)", re.S)

Row = dict[str, Any]


def are_results(header: Sequence[str]) -> bool:
    """Whether a header is that of results; older files have a column `results.…` for each group."""
    return WHOLE in header or any(column.startswith((METRIC, "results.")) for column in header)


def spread(value: dict[str, Any], rows: list[Row], fields: list[str]) -> tuple[list[Row], list[str]]:
    """The rows with their further columns, and the columns in order: plain fields, metrics, nested fields."""
    rows = [dict(row) for row in rows] or [{}]
    metrics: dict[str, None] = {}
    for row in rows:
        scores = row.get("individual_metrics")
        for name, score in (scores if isinstance(scores, dict) else {}).items():
            metrics[f"{METRIC}{name}"] = None
            if score is not None and f"{METRIC}{name}" not in fields:
                row[f"{METRIC}{name}"] = score
    nested = [name for name in fields if any(isinstance(row.get(name), dict | list) for row in rows)]
    plain = [name for name in fields if name not in nested]
    own = [name for name in metrics if name not in fields]
    whole = {name: held for name, held in value.items() if name != "query_results"}
    text = json.dumps(whole)
    # The last row takes what is left where there are fewer rows than parts.
    parts = [text[at : at + PART] for at in range(0, len(text), PART)]
    parts[len(rows) - 1 :] = ["".join(parts[len(rows) - 1 :])] if len(parts) >= len(rows) else []
    for number, (row, part) in enumerate(zip(rows, parts, strict=False), 1):
        row[WHOLE] = f"{number}/{len(parts)} {part}"
    return rows, [*plain, *own, *nested, WHOLE]


def whole_of(rows: list[Row], name: str) -> dict[str, Any]:
    """What belongs to the run, put together from its parts, which the rows lose."""
    parts: dict[int, str] = {}
    count = 0
    for row in rows:
        found = _PART.fullmatch(row[WHOLE]) if isinstance(row.get(WHOLE), str) else None
        if found is not None:
            parts[int(found[1])] = found[3]
            count = int(found[2])
            del row[WHOLE]
    if not count:
        return {}
    missing = [number for number in range(1, count + 1) if number not in parts]
    if missing:
        raise InputError(f"{name}: part {missing[0]} of {count} is missing in the column {WHOLE!r}")
    text = "".join(parts[number] for number in range(1, count + 1))
    whole = parse_json(text.encode(), f"{name}: column {WHOLE!r}")
    if not isinstance(whole, dict):
        raise InputError(f"{name}: the column {WHOLE!r} holds no JSON object")
    return whole


def gathered(row: Row) -> Row:
    """The row without the columns that repeat its metrics; where nothing else has them, they are read."""
    shown = {column: held for column, held in row.items() if column.startswith(METRIC)}
    if not shown:
        return row
    scores = row.get("individual_metrics")
    if scores is None:
        kept = {column: held for column, held in row.items() if column not in shown}
        return {**kept, "individual_metrics": {c.removeprefix(METRIC): held for c, held in shown.items()}}
    known = scores if isinstance(scores, dict) else {}
    return {
        column: held
        for column, held in row.items()
        if column not in shown or known.get(column.removeprefix(METRIC)) != held
    }
