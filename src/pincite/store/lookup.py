"""Which run is meant."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, func, select

from pincite.base import did_you_mean
from pincite.errors import InputError
from pincite.records import ResultsDocument, Run
from pincite.store.database import now
from pincite.store.leases import is_alive
from pincite.store.packing import as_text, unpack
from pincite.store.schema import HAS_FAILED, ITEMS, RUNS, SCORES, VERDICTS

_LATEST = re.compile(r"latest(?:~([0-9]{1,9}))?")
_MOST_NAMED = 10
_NEAR = 1000
"""Runs, the newest, among which a mistyped name is looked for."""
_NEWEST_FIRST = (RUNS.c.started.desc(), RUNS.c.number.desc())
OF_A_RUN = (RUNS.c.number, RUNS.c.head, RUNS.c.status, RUNS.c.seconds, RUNS.c.owner, RUNS.c.heartbeat)


def find(connection: Connection, reference: str) -> Run:
    number = number_of(connection, reference)
    row = connection.execute(select(*OF_A_RUN, RUNS.c.document).where(RUNS.c.number == number)).one()
    run = counted(connection, row)
    if row.document is None:
        return run
    return msgspec.structs.replace(run, document=unpack(row.document, ResultsDocument))


def number_of(connection: Connection, reference: str) -> int:
    """The number of the run that is meant; otherwise an `InputError` with what might have been."""
    latest = _LATEST.fullmatch(reference)
    if latest:
        return _latest(connection, int(latest[1] or 0), reference)
    wanted = as_text(reference) or ""
    for condition in (RUNS.c.run_id == wanted, RUNS.c.name == wanted):
        number = connection.scalar(select(RUNS.c.number).where(condition).order_by(*_NEWEST_FIRST).limit(1))
        if number is not None:
            return int(number)
    if not wanted:
        raise InputError("no run was named: give an id, the beginning of one, a name, or `latest`")
    # Not LIKE: the underscores of an id would match any character, and SQLite ignores case there.
    begins = select(RUNS.c.number, RUNS.c.run_id).where(func.substr(RUNS.c.run_id, 1, len(wanted)) == wanted)
    found = connection.execute(begins.order_by(*_NEWEST_FIRST).limit(_MOST_NAMED + 1)).all()
    if len(found) == 1:
        return int(found[0].number)
    if found:
        more = " and more" if len(found) > _MOST_NAMED else ""
        named = ", ".join(row.run_id for row in found[:_MOST_NAMED])
        raise InputError(f"{reference!r} fits several runs: {named}{more}; give more of the id")
    newest = connection.execute(
        select(RUNS.c.run_id, RUNS.c.name).order_by(*_NEWEST_FIRST).limit(_NEAR)
    ).all()
    listed = ", ".join(f"{row.run_id} ({row.name:.40})" if row.name else row.run_id for row in newest[:3])
    others = f"; the newest are {listed}" if listed else "; there are none yet: `pincite eval` makes one"
    known = [name for row in newest for name in (row.name, row.run_id) if name]
    raise InputError(f"there is no run {reference!r:.100}{did_you_mean(wanted, known, others)}")


def _latest(connection: Connection, back: int, reference: str) -> int:
    """Counts finished runs only: one that is still running must not be compared with by mistake."""
    finished = select(RUNS.c.number).where(RUNS.c.status == "finished").order_by(*_NEWEST_FIRST)
    number = connection.scalar(finished.offset(back).limit(1))
    if number is not None:
        return int(number)
    count = connection.scalar(select(func.count()).select_from(RUNS).where(RUNS.c.status == "finished")) or 0
    raise InputError(
        f"there is no run {reference}: the history holds {count} finished runs"
        if count
        else "there is no finished run yet: `pincite eval` makes one"
    )


def verdicts(connection: Connection, reference: str) -> dict[str, dict[str, int]]:
    counted = (
        select(VERDICTS.c.question, VERDICTS.c.outcome, func.count())
        .where(VERDICTS.c.run == number_of(connection, reference))
        .group_by(VERDICTS.c.question, VERDICTS.c.outcome)
        .order_by(VERDICTS.c.question, VERDICTS.c.outcome)
    )
    counts: dict[str, dict[str, int]] = {}
    for question, outcome, count in connection.execute(counted):
        counts.setdefault(question, {})[outcome] = count
    return counts


def runs(
    connection: Connection, dataset: str | None, metric: str | None, since: datetime | None, limit: int | None
) -> list[Run]:
    wanted: Select[Any] = select(*OF_A_RUN)
    if metric is not None:
        wanted = wanted.join(SCORES, SCORES.c.run == RUNS.c.number).where(SCORES.c.metric == as_text(metric))
    if dataset is not None:
        wanted = wanted.where(RUNS.c.dataset_id == as_text(dataset))
    if since is not None:
        wanted = wanted.where(RUNS.c.started >= since.timestamp())
    rows = connection.execute(wanted.order_by(*_NEWEST_FIRST).limit(limit)).all()
    with _no_collecting():
        return [counted(connection, row) for row in rows]


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Keep the garbage collector still while thousands of runs are read.

    Nothing is thrown away meanwhile, yet the collector would look through all of them again and again, and
    take longer than the reading.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def counted(connection: Connection, row: Any) -> Run:
    """The run; one that is running or was cut off is counted by its items."""
    run = run_of(row)
    if run.status == "running":
        # One whose process is gone runs no more, though nobody was left to say so.
        goes_on = is_alive(row.owner, now(connection) - row.heartbeat)
        run = msgspec.structs.replace(
            run, status="running" if goes_on else "interrupted", seconds=row.seconds
        )
    if run.status == "finished" or run.successful or run.failed:
        return run
    # Two questions that an index answers each; in one, every item would have to be read.
    count = select(func.count()).select_from(ITEMS).where(ITEMS.c.run == row.number)
    done = connection.scalar(count) or 0
    failed = connection.scalar(count.where(HAS_FAILED)) or 0
    return msgspec.structs.replace(run, successful=done - failed, failed=failed)


def run_of(row: Any) -> Run:
    """The column knows better than the record when a run was cut off before it could say so itself."""
    run = unpack(row.head, Run)
    return run if run.status == row.status else msgspec.structs.replace(run, status=row.status)
