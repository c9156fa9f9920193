"""One metric over time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Select, select

from pincite.store.packing import as_text
from pincite.store.schema import RUNS, SCORES


class TrendPoint(Struct, frozen=True, kw_only=True):
    """The metric in one run."""

    run_id: str
    name: str | None
    started: float
    """Seconds since 1970, UTC."""
    dataset_id: str
    value: float | None
    confidence_interval: tuple[float, float] | None
    n: int
    not_scorable: int
    unjudged: int


def trend(
    connection: Connection, metric: str, dataset: str | None, since: datetime | None, name: str | None
) -> list[TrendPoint]:
    wanted: Select[Any] = (
        select(
            RUNS.c.run_id,
            RUNS.c.name,
            RUNS.c.started,
            RUNS.c.dataset_id,
            SCORES.c.value,
            SCORES.c.low,
            SCORES.c.high,
            SCORES.c.n,
            SCORES.c.not_scorable,
            SCORES.c.unjudged,
        )
        .join(RUNS, RUNS.c.number == SCORES.c.run)
        .where(SCORES.c.metric == as_text(metric), RUNS.c.status == "finished")
    )
    if dataset is not None:
        wanted = wanted.where(RUNS.c.dataset_id == as_text(dataset))
    if since is not None:
        wanted = wanted.where(RUNS.c.started >= since.timestamp())
    if name is not None:
        wanted = wanted.where(RUNS.c.name == as_text(name))
    return [
        TrendPoint(
            run_id=row.run_id,
            name=row.name,
            started=row.started,
            dataset_id=row.dataset_id,
            value=row.value,
            confidence_interval=None if row.low is None or row.high is None else (row.low, row.high),
            n=row.n,
            not_scorable=row.not_scorable,
            unjudged=row.unjudged,
        )
        for row in connection.execute(wanted.order_by(RUNS.c.started, RUNS.c.number))
    ]


def metrics(connection: Connection, dataset: str | None) -> list[str]:
    wanted = select(SCORES.c.metric).distinct().join(RUNS, RUNS.c.number == SCORES.c.run)
    wanted = wanted.where(RUNS.c.status == "finished")
    if dataset is not None:
        wanted = wanted.where(RUNS.c.dataset_id == as_text(dataset))
    return sorted(connection.scalars(wanted))
