"""The shape of the database over time. A new change gets the next number and one line of history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    bindparam,
    func,
    insert,
    inspect,
    select,
    text,
    update,
)

from pincite.errors import StorePlaceError
from pincite.records import ItemResult, Run
from pincite.runs import timestamp
from pincite.store.beginning import run_columns
from pincite.store.database import Database, keep_others_out
from pincite.store.items import add_rows, verdict_rows
from pincite.store.packing import unpack
from pincite.store.schema import (
    ALERTED_RUNS,
    FAILED_ITEMS,
    ITEMS,
    METADATA,
    RUN_NOTES,
    RUN_TAGS,
    RUNS,
    SCHEMA_VERSION,
    VERDICTS,
    WRONG_ITEMS,
)
from pincite.store.sqlite_file import APPLICATION_ID


class Migration(NamedTuple):
    """`apply` takes a database of the version before to this one."""

    version: int
    change: str
    apply: Callable[[Connection], None]


def _add_verdicts(connection: Connection) -> None:
    """Rows for the verdicts that older items hold, too."""
    VERDICTS.create(connection)
    for rows in _pages(connection, ITEMS, ITEMS.c.run, ITEMS.c.body):
        items = ((row.run, unpack(row.body, ItemResult)) for row in rows)
        add_rows(
            connection, VERDICTS, [verdict for run, item in items for verdict in verdict_rows(run, item)]
        )


def _pages(connection: Connection, table: Table, *columns: ColumnElement[Any]) -> Iterator[Sequence[Any]]:
    """Some hundred rows at a time, by their number, which is beside the columns."""
    last = -1
    page = select(table.c.number, *columns).order_by(table.c.number).limit(500)
    while rows := connection.execute(page.where(table.c.number > last)).all():
        yield rows
        last = rows[-1].number


def _add_seconds(connection: Connection) -> None:
    kind = RUNS.c.seconds.type.compile(connection.dialect)
    connection.execute(text(f"ALTER TABLE {RUNS.name} ADD COLUMN seconds {kind} DEFAULT '0' NOT NULL"))


def _add_browsing(connection: Connection) -> None:
    """What runs and items are listed by, read from the records that older rows hold."""
    for table, names in ((RUNS, ("judge", "system", "alerts")), (ITEMS, ("wrong",))):
        for name in names:
            column = table.columns[name]
            kind = column.type.compile(connection.dialect)
            empty = "''" if kind == "TEXT" else "0"
            added = f"ALTER TABLE {table.name} ADD COLUMN {name} {kind} DEFAULT {empty} NOT NULL"
            connection.execute(text(added))
    for made in (RUN_TAGS, RUN_NOTES, WRONG_ITEMS, ALERTED_RUNS):
        made.create(connection)
    _fill_in(connection, RUNS, RUNS.c.head, lambda body: run_columns(unpack(body, Run)))
    _fill_in(connection, ITEMS, ITEMS.c.body, lambda body: {"wrong": len(unpack(body, ItemResult).failures)})


def _mark(connection: Connection) -> None:
    """The mark in the head of the file; a server needs none."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")


def _fill_in(
    connection: Connection,
    table: Table,
    packed: ColumnElement[bytes],
    values: Callable[[bytes], dict[str, Any]],
) -> None:
    """Set columns of every row by what its packed record says."""
    changed = update(table).where(table.c.number == bindparam("of"))
    for rows in _pages(connection, table, packed.label("packed")):
        given = [{"of": row.number, **values(row.packed)} for row in rows]
        given = [one for one in given if any(value for name, value in one.items() if name != "of")]
        if given:
            connection.execute(
                changed.values({name: bindparam(name) for name in given[0] if name != "of"}), given
            )


MIGRATIONS = (
    Migration(1, "runs, items, scores and documents", METADATA.create_all),
    Migration(2, "a row for each verdict", _add_verdicts),
    Migration(3, "an index of the failed items", FAILED_ITEMS.create),
    Migration(4, "the seconds that a run has taken so far", _add_seconds),
    Migration(5, "columns, tags and notes to list runs and items by", _add_browsing),
    Migration(6, "a mark by which the file is known as a history", _mark),
)
DOOR_SECONDS = 5.0
NEWEST = MIGRATIONS[-1].version


def prepare(database: Database) -> None:
    """Make the tables, or bring those of an older Pincite up to date: all of it or nothing."""
    # Little patience at the door: a server that does not answer now was probably never meant.
    patience = min(DOOR_SECONDS, database.patience)
    if database.read(_version, database, patience=patience) != NEWEST:
        database.write(_bring_up_to_date, database)


def _bring_up_to_date(connection: Connection, database: Database) -> None:
    keep_others_out(connection, "schema")
    version = _version(connection, database)  # another process may have been faster
    if version == NEWEST:
        return
    if version == 0:
        METADATA.create_all(connection)
        _mark(connection)
    for migration in MIGRATIONS[version:]:
        if version:
            migration.apply(connection)
        connection.execute(
            insert(SCHEMA_VERSION).values(
                version=migration.version, applied_at=timestamp(), change=migration.change
            )
        )


def _version(connection: Connection, database: Database) -> int:
    """The version of the database, 0 for a new one. One that we must not touch is a `StoreError`."""
    if SCHEMA_VERSION.name not in inspect(connection).get_table_names():
        return 0
    version = connection.scalar(select(func.max(SCHEMA_VERSION.c.version))) or 0
    if version > NEWEST:
        raise StorePlaceError(
            f"the history {database.address} was written by a newer Pincite (schema {version}; this one "
            f"knows up to {NEWEST}): upgrade Pincite, or give another location with --store"
        )
    return int(version)
