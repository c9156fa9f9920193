"""The connection to a database, and the patience with one that is locked or has gone away."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple
from weakref import WeakSet

from sqlalchemy import Connection, create_engine, event, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from pincite.errors import MissingExtraError, StoreError
from pincite.store.address import Address
from pincite.store.problems import can_be_tried_again, explained

if TYPE_CHECKING:
    import sqlite3

    from sqlalchemy import Engine

T = TypeVar("T")
Given = TypeVarTuple("Given")

BUSY_SECONDS = 2.0
"""How long one statement of SQLite waits for another process before we are asked again."""
_CONNECTION: dict[str, Any] = {
    "application_name": "pincite",
    "connect_timeout": 10,
    "keepalives_idle": 20,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
_FIRST_WAIT, _LONGEST_WAIT = 0.02, 2.0
_BEGINS = "pincite_begins"
"""The option that says with which statement a transaction of SQLite begins."""


class Database:
    """Runs pieces of work as transactions. Work that is tried again must be fit for it."""

    def __init__(self, address: Address, patience: float) -> None:
        self.address = address
        self.patience = patience
        self._lost_since: float | None = None
        """When the waiting began that was given up last; None once something has worked again."""
        self._file: tuple[int, int] | None = None
        """Which file it is, however its path is called, once something was read or written."""
        self._engine = _sqlite(address) if address.kind == "sqlite" else _postgresql(address)
        _ENGINES.add(self._engine)

    @property
    def is_sqlite(self) -> bool:
        return self.address.kind == "sqlite"

    def read(
        self, work: Callable[[Connection, *Given], T], *given: *Given, patience: float | None = None
    ) -> T:
        return self._tried(lambda connection: work(connection, *given), False, patience)

    def write(
        self,
        work: Callable[[Connection, *Given], T],
        *given: *Given,
        patience: float | None = None,
        again: bool = False,
    ) -> T:
        """One transaction that no other writer comes between.

        Once waiting for a database has failed, it is tried only once each time, unless `again`.
        """
        return self._tried(lambda connection: work(connection, *given), True, patience, again)

    def vacuum(self) -> None:
        """Give free pages back to the disk. That it cannot be done now is no failure."""
        outside = {_BEGINS: ""} if self.is_sqlite else {"isolation_level": "AUTOCOMMIT"}
        with (
            suppress(SQLAlchemyError),
            self._engine.connect().execution_options(**outside) as connection,
        ):
            connection.execute(text("VACUUM"))

    def close(self) -> None:
        self._engine.dispose()
        _ENGINES.discard(self._engine)

    def _tried(
        self, work: Callable[[Connection], T], writes: bool, patience: float | None, again: bool = False
    ) -> T:
        began, wait = time.monotonic(), _FIRST_WAIT
        patience = self.patience if patience is None else patience
        if self._lost_since is not None and not again:
            patience = 0.0
        begins = "BEGIN IMMEDIATE" if writes else "BEGIN"
        while True:
            self._refuse_another_file()
            try:
                with (
                    self._engine.connect().execution_options(**{_BEGINS: begins}) as connection,
                    connection.begin(),
                ):
                    done = work(connection)
                self._lost_since = None
                if writes:  # it may have been gone by then, and what was written with it
                    self._refuse_another_file()
                return done
            except (SQLAlchemyError, OSError, UnicodeDecodeError, MemoryError) as error:
                waited = time.monotonic() - began
                if not can_be_tried_again(error):
                    raise self._explained(error, waited) from None
                if waited >= patience:
                    if self._lost_since is None and patience:
                        self._lost_since = began
                    raise self._explained(error, time.monotonic() - (self._lost_since or began)) from None
            # Several that wait for the same lock must not all come back at the same moment.
            time.sleep(min(wait, max(0.0, patience - waited)) * random.uniform(0.5, 1.0))  # noqa: S311
            wait = min(wait * 2, _LONGEST_WAIT)

    def _refuse_another_file(self) -> None:
        """SQLite goes on with a file that was removed or replaced, and what it writes then is lost."""
        if not self.is_sqlite:
            return
        try:
            found = self.address.file.stat()
        except OSError:
            now = None
        else:
            now = found.st_dev, found.st_ino
        if self._file is None:
            self._file = now
        elif now != self._file:
            became = "removed" if now is None else "replaced"
            raise StoreError(
                f"the history {self.address} was {became} while it was in use: put the file back, or start "
                "the command again"
            )

    def _explained(self, error: Exception, waited: float) -> StoreError:
        if isinstance(error, (DBAPIError, OSError)):
            return explained(error, self.address, waited if can_be_tried_again(error) else 0.0)
        return explained(error, self.address)


def now(connection: Connection) -> float:
    """The time by one clock for all who use this database."""
    if connection.dialect.name == "sqlite":
        return time.time()
    return float(connection.scalar(text("SELECT extract(epoch FROM clock_timestamp())")) or 0.0)


def keep_others_out(connection: Connection, what: str) -> None:
    """Let nobody else do the same until this transaction ends. SQLite has one writer anyway."""
    if connection.dialect.name != "sqlite":
        connection.execute(
            text("SELECT pg_advisory_xact_lock(hashtextextended(:what, 0))"), {"what": f"pincite {what}"}
        )


def _sqlite(address: Address) -> Engine:
    import sqlite3

    def connect() -> sqlite3.Connection:
        _make_private(address.file)
        name, is_address = _name(address.file)
        connection = sqlite3.connect(
            name, uri=is_address, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA cache_size = -32768")
            _use_write_ahead_log(connection)
        except (sqlite3.Error, UnicodeDecodeError, MemoryError):
            connection.close()
            raise
        return connection

    engine = create_engine(
        "sqlite://", creator=connect, poolclass=QueuePool, pool_size=2, max_overflow=8, hide_parameters=True
    )

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A transaction that begins by reading and writes later would fail at once when another wrote between.
        statement = connection.get_execution_options().get(_BEGINS, "BEGIN")
        if statement:
            connection.exec_driver_sql(statement)

    return engine


def _make_private(path: Path) -> None:
    """A new file is readable by its owner only: it holds answers.

    SQLite gives its side files the same mode. A file that is there keeps its mode, since somebody may share
    it on purpose. It is not even opened: closing it would let go of the locks that this process has on it.
    """
    if path.exists():
        return
    with suppress(OSError):  # another process was faster, or it cannot be made, which SQLite will say
        os.close(os.open(os.path.realpath(path), os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


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
    import sqlite3

    try:
        if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF != 8:  # a file that may only be read
            raise


def _postgresql(address: Address) -> Engine:
    assert address.url is not None
    # What the address itself says goes first. A server that vanishes without a word must be noticed too.
    options = {name: value for name, value in _CONNECTION.items() if name not in address.url.query}
    try:
        return create_engine(
            address.url,
            connect_args=options,
            pool_size=2,
            max_overflow=8,
            pool_pre_ping=True,
            hide_parameters=True,
        )
    except ImportError as error:
        raise MissingExtraError(
            "a history in PostgreSQL needs psycopg: pip install 'pincite[postgres]'"
        ) from error


_ENGINES: WeakSet[Engine] = WeakSet()


def _forget_in_child() -> None:
    """A process that was forked must not speak over its parent's connections, nor close them."""
    for engine in list(_ENGINES):
        engine.dispose(close=False)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_in_child)
