"""The SQLite file of a history: whether it is one, and how it is opened.

Before anything is written, the file is a plain one, belongs to Pincite, and holds tables that do nothing but
keep rows: a history may have come with a download.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.dialects import sqlite
from sqlalchemy.pool import QueuePool
from sqlalchemy.schema import CreateIndex, CreateTable

from pincite.base import StatementLimit, link_out, odd_object, why_not_plain, words_of
from pincite.errors import StorePlaceError
from pincite.store.address import Address
from pincite.store.problems import was_interrupted
from pincite.store.schema import METADATA, RUNS, SCHEMA

if TYPE_CHECKING:
    from sqlalchemy import Engine

BUSY_SECONDS = 0.5
"""How long one statement waits for another process, and hears no signal, before we are asked again."""
APPLICATION_ID = 0x50434831
"""Written into the file's head, so that the database of another program is never taken for a history."""
BEGINS = "pincite_begins"
"""The option that says with which statement a transaction begins."""


class HistoryConnection(sqlite3.Connection):
    """A connection with the limit of its statements."""

    limit: StatementLimit


def sqlite_engine(address: Address, statement_seconds: float, patience: float) -> Engine:
    def connect() -> HistoryConnection:
        return _connect(address, statement_seconds, min(BUSY_SECONDS, patience))

    engine = create_engine(
        "sqlite://", creator=connect, poolclass=QueuePool, pool_size=2, max_overflow=8, hide_parameters=True
    )

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A transaction that begins by reading and writes later would fail at once when another wrote between.
        statement = connection.get_execution_options().get(BEGINS, "BEGIN")
        if statement:
            connection.exec_driver_sql(statement)

    return engine


def limit_of(connection: Connection) -> StatementLimit | None:
    """The limit of an open connection; a server has one of its own."""
    own = connection.connection.dbapi_connection
    return own.limit if isinstance(own, HistoryConnection) else None


def refuse_place(address: Address) -> None:
    """A `StorePlaceError` for a path that is a link or no file, or that a link leads out of the project."""
    link = link_out(address.file)
    if link is not None:
        place = os.path.realpath(address.file)
        raise StorePlaceError(
            f"the history {address} cannot be opened: {link} is a link out of the current folder; "
            f"if that is meant, give the place itself: --store {place}"
        )
    why = why_not_plain(address.file)
    if why is None:
        return
    # Who wants a history at the other end of a link can say so by its own path.
    remedy = (
        "give the path of the file itself with --store"
        if "is a link" in why
        else "give the path of a file with --store, or move it away"
    )
    raise StorePlaceError(f"the history {address} cannot be opened: {why}; {remedy}")


def _connect(address: Address, statement_seconds: float, busy_seconds: float) -> HistoryConnection:
    refuse_place(address)
    _make_private(address.file)
    name, is_uri = _name(address.file)
    connection = sqlite3.connect(
        name,
        uri=is_uri,
        timeout=busy_seconds,
        isolation_level=None,
        check_same_thread=False,
        factory=HistoryConnection,
    )
    try:
        connection.limit = StatementLimit(connection, statement_seconds)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -32768")
        _refuse_foreign(connection, address)
        _use_write_ahead_log(connection)
    except BaseException as error:
        connection.close()
        if was_interrupted(error) and not connection.limit.expired:
            raise KeyboardInterrupt from None
        raise
    return connection


def _refuse_foreign(connection: sqlite3.Connection, address: Address) -> None:
    """A `StorePlaceError` for a file that is no history of ours, or one with more in it than tables."""
    mark = int(connection.execute("PRAGMA application_id").fetchone()[0])
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    others = [name for name in tables if name not in METADATA.tables and not name.startswith("sqlite_")]
    made = connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (SCHEMA.name,)).fetchone()
    if RUNS.name in tables and not made:
        raise older_history(str(address))
    if mark != APPLICATION_ID and (mark or tables):
        held = f"it holds {others[0]!r:.80}" if others else f"its application id is {mark:#x}"
        raise StorePlaceError(
            f"{address} is a database of something else ({held}); give another path with --store"
        )
    odd = odd_object(connection, METADATA.tables, _words())
    if odd is not None:
        raise StorePlaceError(
            f"the history {address} was not made by Pincite: {odd}; "
            "restore a copy, or move the file away to start a new one"
        )


@cache
def _words() -> frozenset[str]:
    """What the definitions of our tables and indexes are made of."""
    dialect = sqlite.dialect()
    tables = METADATA.sorted_tables
    made = [CreateTable(table).compile(dialect=dialect) for table in tables]
    made += [CreateIndex(index).compile(dialect=dialect) for table in tables for index in table.indexes]
    return words_of(map(str, made))


def _make_private(path: Path) -> None:
    """A new file is readable by its owner only: it holds answers.

    SQLite gives its side files the same mode. A file that is there keeps its mode, since somebody may share
    it on purpose. It is not even opened: closing it would let go of the locks that this process has on it.
    """
    if path.exists():
        return
    with suppress(OSError):  # another process was faster, or it cannot be made, which SQLite will say
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _name(path: Path) -> tuple[str, bool]:
    """The file's name for SQLite: its path, in which any character is allowed.

    One in a folder that may not be written is opened as one that nobody changes, since SQLite could not
    make the side files there that it needs for reading.
    """
    if path.is_file() and not os.access(path.parent, os.W_OK) and not Path(f"{path}-shm").exists():
        return f"{path.absolute().as_uri()}?mode=ro&immutable=1", True
    return str(path), False


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Readers then never wait for a writer. A file system or a folder that does not allow it goes without."""
    try:
        if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF != 8:  # a file that may only be read
            raise


def older_history(shown: str) -> StorePlaceError:
    return StorePlaceError(
        f"the history {shown} was written by an older Pincite, which this one does not read: give another "
        "location with --store, or move it away; `pincite runs export` of the older version writes its runs "
        "as results files, which `pincite runs compare` takes"
    )
