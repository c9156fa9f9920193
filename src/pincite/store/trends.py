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
    of_run = (RUNS.c.run_id, RUNS.c.name, RUNS.c.started, RUNS.c.dataset_id)
    wanted = _finished(select(*of_run, *SCORES.c), dataset).where(SCORES.c.metric == as_text(metric))
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
    return sorted(connection.scalars(_finished(select(SCORES.c.metric).distinct(), dataset)))


def _finished(wanted: Select[Any], dataset: str | None) -> Select[Any]:
    """Only the scores of finished runs, of one dataset where it is named."""
    wanted = wanted.join(RUNS, RUNS.c.number == SCORES.c.run).where(RUNS.c.status == "finished")
    return wanted if dataset is None else wanted.where(RUNS.c.dataset_id == as_text(dataset))
