"""The journal of one run in a database: what the harness hands over is on disk a moment later.

One thread writes what waits as one transaction, so that the harness continues while a database is locked or
gone, and sends a heartbeat that other machines can see.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import suppress

from sqlalchemy import ColumnElement, Connection, update

from pincite.errors import StoreError
from pincite.records import ItemResult
from pincite.store import items
from pincite.store.database import Database, now
from pincite.store.leases import BEAT_SECONDS
from pincite.store.schema import RUNS

BATCH = 50
"""As soon as so many items wait, they are written."""
LINGER_SECONDS = 0.02
"""Fewer are written after this long: a kill loses the items in flight and those of so short a time. To write
each at once costs the harness a sixth of its speed."""
MOST_AT_ONCE = 500
"""Items of one transaction."""
RETRY_SECONDS = 1.0
"""How long a database is waited for that was given up before."""
MOST_WAITING = 2_000
"""Items that may wait while the database does not answer; then the harness waits too."""


class StoreJournal:
    """Implements `pincite.runs.journal.Journal`.

    When the database cannot be written, the next `append` or `flush` raises `StoreError`, once. From then on
    items are kept in memory: `done` and `results` still know all of them, and `flush` tries to write them.
    """

    def __init__(
        self, database: Database, run: int, owner: str, kept: set[int], seconds: float = 0.0
    ) -> None:
        self._database = database
        self._run = run
        self._owner = owner
        self._kept = kept
        self.waited = 0.0
        """Seconds for which the database blocked our caller."""
        self._begun = time.monotonic() - seconds
        """When the run would have begun, had the parts of it before been without a break between them."""
        self._waiting: list[items.ItemRow] = []
        self._changed = threading.Condition()
        self._writing = threading.Lock()
        self._hurry = False
        self._closed = False
        self._problem: StoreError | None = None
        self._untold: StoreError | None = None
        self._doubtful = False
        """Whether a write was begun of which is not known how it ended."""
        self._thread = threading.Thread(target=self._work, name="pincite-journal", daemon=True)
        self._thread.start()

    @property
    def failed(self) -> bool:
        """Whether the last write failed, and the caller knows."""
        return self._problem is not None and self._untold is None

    def done(self, key: str) -> bool:
        """Whether an item with this key was kept before."""
        return items.key_number(items.key_hash(key)) in self._kept

    def append(self, result: ItemResult) -> None:
        """Keep one result; the same key twice is kept once."""
        row = items.row_of(self._run, result)
        with self._changed:
            if self._closed:
                raise StoreError("the run was finished or its history closed: nothing more can be kept")
            number = items.key_number(row["item"]["key"])
            if number not in self._kept:
                self._kept.add(number)
                self._waiting.append(row)
                if len(self._waiting) in (1, BATCH):
                    self._changed.notify_all()  # in between the thread lingers, and would wake for nothing
            while len(self._waiting) > MOST_WAITING and self._problem is None and not self._closed:
                self._wait(None)
            self._tell()

    def flush(self) -> None:
        """Write what waits, and say if that cannot be done."""
        with self._changed:
            self._hurry = True
            self._changed.notify_all()
            while self._waiting and self._problem is None and self._thread.is_alive():
                self._wait(0.5)
            self._hurry = False
            if self._problem is None or not self._waiting:
                self._tell()
                return
        # The thread has given up and stays away until this has worked.
        try:
            self._write_all(RETRY_SECONDS)
        except Exception as error:
            with self._changed:
                self._problem, self._untold = _as_store_error(error), None
            raise self._problem from None
        with self._changed:
            self._problem = self._untold = None

    def results(self) -> Iterator[ItemResult]:
        """Every kept item, by its position in the dataset, read piece by piece."""
        if not self.failed:
            try:
                self.flush()
            except StoreError as problem:  # what could not be written is added from memory
                self._untold = problem
        with self._changed:
            waiting = sorted(self._waiting, key=lambda row: row["item"]["position"])
        yield from items.merged(items.read(self._database, self._run), waiting)

    def close(self) -> None:
        """End the thread. What waits must have been flushed before."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()

    def _wait(self, most: float | None) -> None:
        began = time.monotonic()
        self._changed.wait(most)
        self.waited += time.monotonic() - began

    def _tell(self) -> None:
        """Raise what the thread met, once."""
        problem, self._untold = self._untold, None
        if problem is not None:
            raise StoreError(str(problem))

    def _work(self) -> None:
        beaten = time.monotonic()
        while True:
            with self._changed:
                if not self._waiting or self._problem is not None:
                    if self._closed:
                        return
                    self._changed.wait(BEAT_SECONDS / 2)
                deadline = time.monotonic() + LINGER_SECONDS
                while self._waiting and len(self._waiting) < BATCH and not (self._hurry or self._closed):
                    left = deadline - time.monotonic()
                    if left <= 0:
                        break
                    self._changed.wait(left)
                pending = bool(self._waiting) and self._problem is None
            if pending:
                try:
                    self._write_all()
                except Exception as error:  # whatever it is, the caller must hear of it
                    with self._changed:
                        self._problem = self._untold = _as_store_error(error)
                        self._changed.notify_all()
            if time.monotonic() - beaten > BEAT_SECONDS:
                beaten = time.monotonic()
                self._beat()

    def _write_all(self, patience: float | None = None) -> None:
        with self._writing:
            while True:
                with self._changed:
                    batch = self._waiting[:MOST_AT_ONCE]
                if not batch:
                    return
                self._write(batch, patience)
                with self._changed:
                    del self._waiting[: len(batch)]
                    self._changed.notify_all()

    def _write(self, batch: list[items.ItemRow], patience: float | None) -> None:
        def write(connection: Connection) -> None:
            again, self._doubtful = self._doubtful, True
            items.write(connection, batch, again)
            # Beside the items, so that a run that is killed knows how long it took to get there.
            taken = time.monotonic() - self._begun - self.waited
            connection.execute(update(RUNS).where(*self._mine()).values(seconds=taken))

        self._database.write(write, patience=patience, again=patience is not None)
        self._doubtful = False

    def _mine(self) -> tuple[ColumnElement[bool], ...]:
        return RUNS.c.number == self._run, RUNS.c.owner == self._owner

    def _beat(self) -> None:
        def beat(connection: Connection) -> None:
            connection.execute(update(RUNS).where(*self._mine()).values(heartbeat=now(connection)))

        with suppress(StoreError):  # the next one may get through
            self._database.write(beat, patience=0.0)


def _as_store_error(error: Exception) -> StoreError:
    if isinstance(error, StoreError):
        return error
    return StoreError(f"the history cannot be written: {type(error).__name__}: {str(error)[:200]}")


def open_journal(database: Database, run: int, owner: str, seconds: float = 0.0) -> StoreJournal:
    """A journal that knows what was kept of this run before, and how many seconds that took."""
    return StoreJournal(database, run, owner, items.kept_keys(database, run), seconds)
