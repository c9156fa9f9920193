"""How a run begins, is resumed and ends in the database."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from pincite.errors import StoreError
from pincite.records import Run
from pincite.store.database import Database
from pincite.store.owners import is_alive
from pincite.store.packing import as_text, pack, unpack
from pincite.store.schema import ITEMS, RUNS, SCORES, VERDICTS

_UNFINISHED = ("running", "interrupted")


def begin(connection: Connection, database: Database, run: Run, owner: str, resume: bool) -> tuple[int, Run]:
    """The number and the record of a new run, or of an unfinished one that nobody works on.

    Another name is another run: who names one by the day does not want yesterday's answers in it.
    """
    database.alone(connection, "begin")
    now = database.now(connection)
    mine = connection.execute(select(RUNS.c.number, RUNS.c.head).where(RUNS.c.owner == owner)).first()
    if mine is not None:  # the line was cut after all had been done
        return mine.number, unpack(mine.head, Run)
    if resume and run.fingerprint:
        unfinished = connection.execute(
            select(RUNS.c.number, RUNS.c.head, RUNS.c.owner, RUNS.c.heartbeat, RUNS.c.seconds)
            .where(
                RUNS.c.fingerprint == as_text(run.fingerprint),
                RUNS.c.name.is_not_distinct_from(as_text(run.name)),
                RUNS.c.status.in_(_UNFINISHED),
            )
            .order_by(RUNS.c.number.desc())
        )
        for row in unfinished:
            if not is_alive(row.owner, now - row.heartbeat):
                return row.number, _go_on(connection, row, run, owner, now)
    return _new(connection, run, owner, now)


def _go_on(connection: Connection, row: Any, run: Run, owner: str, now: float) -> Run:
    """The run keeps its id, its beginning and the time it took; the rest is as the command says now.

    Queries that failed are forgotten, so that they are asked again.
    """
    number, before = row.number, unpack(row.head, Run)
    failed = (ITEMS.c.run == number, ITEMS.c.failed == 1)
    of_failed = VERDICTS.c.position.in_(select(ITEMS.c.position).where(*failed))
    connection.execute(delete(VERDICTS).where(VERDICTS.c.run == number, of_failed))
    connection.execute(delete(ITEMS).where(*failed))
    run = msgspec.structs.replace(
        run,
        run_id=before.run_id,
        started_at=before.started_at,
        seconds=row.seconds,
        status="running",
    )
    connection.execute(
        update(RUNS)
        .where(RUNS.c.number == number)
        .values(owner=owner, heartbeat=now, status="running", head=_head(run), **run_columns(run))
    )
    return run


def _number_of_day(run_id: str) -> int:
    """0 for an id that somebody else wrote into the table."""
    number = str(run_id).rpartition("_")[2]
    return int(number) if number.isdecimal() and len(number) < 10 else 0


def _new(connection: Connection, run: Run, owner: str, now: float) -> tuple[int, Run]:
    started = _moment(run.started_at)
    if started is None:
        started = datetime.fromtimestamp(now, UTC)
        run = msgspec.structs.replace(run, started_at=started.strftime("%Y-%m-%dT%H:%M:%SZ"))
    day = started.astimezone(UTC).strftime("%Y%m%d")
    taken = connection.scalars(select(RUNS.c.run_id).where(RUNS.c.day == day))
    number_of_day = 1 + max(map(_number_of_day, taken), default=0)
    run = msgspec.structs.replace(run, run_id=f"eval_run_{day}_{number_of_day:03}", status="running")
    made = connection.execute(
        insert(RUNS).values(
            run_id=run.run_id,
            day=day,
            name=as_text(run.name),
            fingerprint=as_text(run.fingerprint),
            status="running",
            started=started.timestamp(),
            dataset_id=as_text(run.dataset_id),
            owner=owner,
            heartbeat=now,
            head=_head(run),
            **run_columns(run),
        )
    )
    assert made.inserted_primary_key is not None
    return int(made.inserted_primary_key[0]), run


def finish(connection: Connection, run: Run) -> None:
    """Write the run as it came out, with its scores and its document."""
    number = connection.scalar(select(RUNS.c.number).where(RUNS.c.run_id == run.run_id))
    if number is None:
        raise StoreError(f"the run {run.run_id} is not in the history: it was removed while it ran")
    connection.execute(
        update(RUNS)
        .where(RUNS.c.number == number)
        .values(
            name=as_text(run.name),
            status=run.status,
            dataset_id=as_text(run.dataset_id),
            heartbeat=time.time(),
            seconds=run.seconds,
            head=_head(run),
            **run_columns(run),
            document=pack(run.document) if run.document.evaluation_id else None,
        )
    )
    connection.execute(delete(SCORES).where(SCORES.c.run == number))
    rows = {}
    for score in run.scores:
        low, high = score.confidence_interval or (None, None)
        rows[as_text(score.metric)] = {
            "run": number,
            "metric": as_text(score.metric),
            "value": score.value,
            "low": low,
            "high": high,
            "n": score.n,
            "not_scorable": score.not_scorable,
            "unjudged": score.unjudged,
        }
    if rows:
        connection.execute(insert(SCORES), list(rows.values()))


def let_go(connection: Connection, number: int, owner: str) -> None:
    """Nobody works on the run any more; one that was not finished was interrupted."""
    mine = (RUNS.c.number == number, RUNS.c.owner == owner)
    connection.execute(update(RUNS).where(*mine, RUNS.c.status == "running").values(status="interrupted"))
    connection.execute(update(RUNS).where(*mine).values(owner=None))


def run_columns(run: Run) -> dict[str, Any]:
    """What runs are searched and listed by, beside their names and times."""
    system = " ".join(filter(None, (run.target, run.system_version)))
    return {"judge": as_text(run.judge), "system": as_text(system), "alerts": len(run.alerts)}


def _head(run: Run) -> bytes:
    """The run without its document, which is large and read alone."""
    fields = msgspec.structs.asdict(run)
    del fields["document"], fields["items"]
    return pack(fields)


def _moment(written: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
