"""How a run begins in the database, is resumed, ends, and is removed when it is old."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from pincite.errors import StoreError
from pincite.records import Run
from pincite.store.database import Database, keep_others_out, now
from pincite.store.leases import is_alive
from pincite.store.lookup import number_of, run_of
from pincite.store.packing import as_text, pack, unpack
from pincite.store.schema import ITEMS, RUNS, SCORES, VERDICTS

_UNFINISHED = ("running", "interrupted")
_AT_ONCE = 50
"""Runs that one transaction removes: others must not wait for all of them."""


def begin(connection: Connection, run: Run, owner: str, resume: bool) -> tuple[int, Run]:
    """The number and the record of a new run, or of an unfinished one that nobody works on.

    Another name is another run: who names one by the day does not want yesterday's answers in it.
    """
    keep_others_out(connection, "begin")
    moment = now(connection)
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
            if not is_alive(row.owner, moment - row.heartbeat):
                return row.number, _go_on(connection, row, run, owner, moment)
    return _new(connection, run, owner, moment)


def _go_on(connection: Connection, row: Any, run: Run, owner: str, moment: float) -> Run:
    """The run keeps its id, its beginning and the time it took; the rest is as the command says now.

    Queries that failed are forgotten, so that they are asked again.
    """
    number, before = row.number, unpack(row.head, Run)
    failed = (ITEMS.c.run == number, ITEMS.c.failed == 1)
    of_failed = VERDICTS.c.position.in_(select(ITEMS.c.position).where(*failed))
    connection.execute(delete(VERDICTS).where(VERDICTS.c.run == number, of_failed))
    connection.execute(delete(ITEMS).where(*failed))
    run = msgspec.structs.replace(
        run, run_id=before.run_id, started_at=before.started_at, seconds=row.seconds, status="running"
    )
    connection.execute(
        update(RUNS)
        .where(RUNS.c.number == number)
        .values(owner=owner, heartbeat=moment, status="running", head=_head(run), **run_columns(run))
    )
    return run


def _number_of_day(run_id: str) -> int:
    """0 for an id that somebody else wrote into the table."""
    number = str(run_id).rpartition("_")[2]
    return int(number) if number.isdecimal() and len(number) < 10 else 0


def _new(connection: Connection, run: Run, owner: str, moment: float) -> tuple[int, Run]:
    started = _moment(run.started_at)
    if started is None:
        started = datetime.fromtimestamp(moment, UTC)
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
            heartbeat=moment,
            seconds=0.0,
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


def release_run(connection: Connection, number: int, owner: str) -> None:
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


# --- old runs ------------------------------------------------------------------------------------


class OldRun(NamedTuple):
    """A run that may go, and who worked on it last."""

    number: int
    owner: str | None
    run: Run


def old_runs(connection: Connection, older_than_days: float, keep: Sequence[str]) -> list[OldRun]:
    """Runs that began before then, the oldest first, but those that are kept or being worked on."""
    moment = now(connection)
    kept: set[int] = set()
    for reference in keep:
        named = list(connection.scalars(select(RUNS.c.number).where(RUNS.c.name == as_text(reference))))
        kept.update(named or [number_of(connection, reference)])
    old = (
        select(RUNS.c.number, RUNS.c.head, RUNS.c.status, RUNS.c.owner, RUNS.c.heartbeat)
        .where(RUNS.c.started < moment - older_than_days * 86_400)
        .order_by(RUNS.c.started, RUNS.c.number)
    )
    return [
        OldRun(row.number, row.owner, run_of(row))
        for row in connection.execute(old)
        if row.number not in kept and not is_alive(row.owner, moment - row.heartbeat)
    ]


def remove(database: Database, runs: Sequence[OldRun]) -> int:
    """Remove the runs with all that belongs to them, and give the room back."""
    removed = 0
    for start in range(0, len(runs), _AT_ONCE):
        removed += database.write(_delete, runs[start : start + _AT_ONCE])
    if removed:
        database.vacuum()
    return removed


def _delete(connection: Connection, some: Sequence[OldRun]) -> int:
    deleted = 0
    for old in some:
        # Only as it was listed: somebody may have resumed it since.
        mine = (RUNS.c.number == old.number, RUNS.c.owner.is_not_distinct_from(old.owner))
        deleted += connection.execute(delete(RUNS).where(*mine)).rowcount
    return deleted
