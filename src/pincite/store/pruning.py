"""Old runs that may go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, delete, select

from pincite.records import Run
from pincite.store.database import Database
from pincite.store.finding import number_of, run_of
from pincite.store.owners import is_alive
from pincite.store.packing import as_text
from pincite.store.schema import RUNS

_AT_ONCE = 50
"""Runs of one transaction: others must not wait for all of them."""


class OldRun(NamedTuple):
    """A run that may go, and who worked on it last."""

    number: int
    owner: str | None
    run: Run


def old_runs(
    connection: Connection, database: Database, older_than_days: float, keep: Sequence[str]
) -> list[OldRun]:
    """Runs that began before then, the oldest first, but those that are kept or being worked on."""
    now = database.now(connection)
    kept: set[int] = set()
    for reference in keep:
        named = list(connection.scalars(select(RUNS.c.number).where(RUNS.c.name == as_text(reference))))
        kept.update(named or [number_of(connection, reference)])
    old = (
        select(RUNS.c.number, RUNS.c.head, RUNS.c.status, RUNS.c.owner, RUNS.c.heartbeat)
        .where(RUNS.c.started < now - older_than_days * 86_400)
        .order_by(RUNS.c.started, RUNS.c.number)
    )
    return [
        OldRun(row.number, row.owner, run_of(row))
        for row in connection.execute(old)
        if row.number not in kept and not is_alive(row.owner, now - row.heartbeat)
    ]


def remove(database: Database, runs: Sequence[OldRun]) -> int:
    """Remove the runs with all that belongs to them, and give the room back."""
    removed = 0
    for start in range(0, len(runs), _AT_ONCE):
        some = runs[start : start + _AT_ONCE]

        def delete_them(connection: Connection, some: Sequence[OldRun] = some) -> int:
            # Only as they were listed: somebody may have resumed one of them since.
            return sum(
                connection.execute(
                    delete(RUNS).where(
                        RUNS.c.number == old.number, RUNS.c.owner.is_not_distinct_from(old.owner)
                    )
                ).rowcount
                for old in some
            )

        removed += database.write(delete_them)
    if removed:
        database.vacuum()
    return removed
