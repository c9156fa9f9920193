"""The connection to a database, and the patience with one that is locked or has gone away."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple
from weakref import WeakSet

from sqlalchemy import Connection, create_engine, event, func, insert, inspect, select, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from pincite.errors import MissingExtraError, StoreError, StorePlaceError
from pincite.store.address import Address
from pincite.store.problems import can_be_tried_again, explained, was_interrupted
from pincite.store.schema import METADATA, RUNS, SCHEMA, VERSION
from pincite.store.sqlite_file import APPLICATION_ID, BEGINS, limit_of, older_history, sqlite_engine

if TYPE_CHECKING:
    from sqlalchemy import Engine

PATIENCE_SECONDS = 30.0
"""How long a database that is locked or has gone away is waited for, before what was wanted is given up.

Nothing waits longer than the patience with which a history was opened; some of it waits less.
"""
STATEMENT_SECONDS = 60.0
"""How long one question may take: a file can be built so that it never ends."""

T = TypeVar("T")
Given = TypeVarTuple("Given")

_CONNECTION: dict[str, Any] = {
    "application_name": "pincite",
    "connect_timeout": 10,
    "keepalives_idle": 20,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
_FIRST_WAIT, _LONGEST_WAIT = 0.02, 2.0


class Database:
    """Runs pieces of work as transactions. Work that is tried again must be fit for it."""

    def __init__(
        self, address: Address, patience: float, statement_seconds: float = STATEMENT_SECONDS
    ) -> None:
        self.address = address
        self.patience = patience
        self._statement_seconds = statement_seconds
        self._lost_since: float | None = None
        """When the waiting began that was given up last; None once something has worked again."""
        self._file: tuple[int, int] | None = None
        """Which file it is, however its path is called, once something was read or written."""
        if address.kind == "sqlite":
            self._engine = sqlite_engine(address, statement_seconds, patience)
        else:
            self._engine = _postgresql(address, statement_seconds)
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
        outside = {BEGINS: ""} if self.is_sqlite else {"isolation_level": "AUTOCOMMIT"}
        with (
            suppress(SQLAlchemyError),
            self._engine.connect().execution_options(**outside) as connection,
            _limited(connection),
        ):
            connection.execute(text("VACUUM"))

    def close(self) -> None:
        self._engine.dispose()
        _ENGINES.discard(self._engine)

    def _tried(
        self, work: Callable[[Connection], T], writes: bool, patience: float | None, again: bool = False
    ) -> T:
        began, wait = time.monotonic(), _FIRST_WAIT
        patience = self.patience if patience is None else min(patience, self.patience)
        if self._lost_since is not None and not again:
            patience = 0.0
        begins = "BEGIN IMMEDIATE" if writes else "BEGIN"
        while True:
            self._refuse_another_file()
            try:
                with (
                    self._engine.connect().execution_options(**{BEGINS: begins}) as connection,
                    _limited(connection),
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
        if was_interrupted(error):
            return StoreError(
                f"the history {self.address} took more than {self._statement_seconds:g} s over one question: "
                "it is damaged, or so large that store.statement_seconds has to be raised"
            )
        if isinstance(error, (DBAPIError, OSError)):
            return explained(error, self.address, waited if can_be_tried_again(error) else 0.0)
        return explained(error, self.address)


@contextmanager
def _limited(connection: Connection) -> Iterator[None]:
    """What is done inside may take so long. What a signal ends there ends as the signal wants it.

    SQLite turns an exception that a signal raised while it worked into an error of its own.
    """
    limit = limit_of(connection)
    if limit is not None:
        limit.begin()
    try:
        yield
    except DBAPIError as error:
        if limit is not None and was_interrupted(error) and not limit.expired:
            raise KeyboardInterrupt from None
        raise


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


def _postgresql(address: Address, statement_seconds: float) -> Engine:
    assert address.url is not None
    # What the address itself says goes first. A server that vanishes without a word must be noticed too.
    options = {name: value for name, value in _CONNECTION.items() if name not in address.url.query}
    try:
        engine = create_engine(
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
    if "options" not in address.url.query:

        @event.listens_for(engine, "connect")
        def limit(connection: Any, _: object) -> None:
            # Said afterwards and not as an option: a pooler in between may refuse those.
            connection.execute(f"SET statement_timeout = {max(1, round(statement_seconds * 1000))}")
            connection.commit()

    return engine


_ENGINES: WeakSet[Engine] = WeakSet()


def _forget_in_child() -> None:
    """A process that was forked must not speak over its parent's connections, nor close them."""
    for engine in list(_ENGINES):
        engine.dispose(close=False)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_in_child)


# --- made where there are none, and refused where they are of another version ----------------------

OPENING_SECONDS = 5.0


def prepare(database: Database) -> None:
    """Make the tables where there are none yet, all of them or none."""
    # Little patience here: a server that does not answer now was probably never meant.
    if database.read(_is_empty, str(database.address), patience=OPENING_SECONDS):
        database.write(_make, str(database.address))


def _make(connection: Connection, shown: str) -> None:
    keep_others_out(connection, "schema")
    if not _is_empty(connection, shown):  # another process was faster
        return
    METADATA.create_all(connection)
    connection.execute(insert(SCHEMA).values(version=VERSION))
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")


def _is_empty(connection: Connection, shown: str) -> bool:
    """Whether there is no history yet; a `StorePlaceError` where there is one of another version."""
    tables = inspect(connection).get_table_names()
    if SCHEMA.name not in tables:
        if RUNS.name in tables:
            raise older_history(shown)
        return True
    version = connection.scalar(select(func.max(SCHEMA.c.version)))
    if version != VERSION:
        raise StorePlaceError(
            f"the history {shown} was written by another Pincite (schema {version}, not "
            f"{VERSION}): use that version, or give another location with --store"
        )
    return False
