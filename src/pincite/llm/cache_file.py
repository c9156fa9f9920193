"""The SQLite file of the cache: where it lies, how it is opened, and what happens to one that cannot be used.

Only the hash of what was asked and the reply stand in it. The name of the file holds the version of its
shape, so that two versions of Pincite do not take each other's file for a foreign one.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.base import SIDE_FILES, StatementLimit, odd_object, why_not_plain, words_of

if TYPE_CHECKING:
    from sqlite3 import Connection


NAME = "replies-1.sqlite3"
BUSY_SECONDS = 1.5
"""How long one statement waits for another process before it is tried again."""

STATEMENT_SECONDS = 20.0
"""How long one question may take: a file can be built so that it never ends."""

LOCK_SECONDS = 10.0
"""How long to wait for another process that opens the file; one that was stopped must not stop the others."""

_OURS = 0x50434331
"""Written into the file's head, so that another program's database is never taken for ours."""
_VERSION = 1
_SCHEMA = """
CREATE TABLE replies (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, reply TEXT NOT NULL, seal TEXT NOT NULL,
    made REAL NOT NULL, used REAL NOT NULL
);
CREATE INDEX by_made ON replies (made);
"""
_MOST_SET_ASIDE = 20
_BUSY, _LOCKED, _CORRUPT, _NOT_A_DATABASE = 5, 6, 11, 26
_MOVED, _INTERRUPTED = 1032, 9


class UnusableFile(Exception):
    """What lies at the path is no cache of ours, or no longer one; `kind` is `damaged` or `foreign`."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def default_folder() -> Path | None:
    """The folder for what Pincite may keep and anybody may delete; None where a user has no home."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    if Path(given).is_absolute():
        return Path(given, "pincite")
    # Read as a plain text: the type checker would take the platform that it runs on for the only one.
    platform = str(sys.platform)
    if platform == "win32" and os.environ.get("LOCALAPPDATA"):
        return Path(os.environ["LOCALAPPDATA"], "pincite", "Cache")
    # The method of Path raises where there is no home; this function gives its argument back.
    home = Path(os.environ.get("HOME") or os.path.expanduser("~"))  # noqa: PTH111
    if not home.is_absolute():
        return None
    if platform == "darwin":
        return home / "Library" / "Caches" / "pincite"
    return home / ".cache" / "pincite"


def open_file(path: Path, condemned: int | None = None) -> tuple[Connection, str]:
    """A connection to the file, made anew where there is none, and a note where one had to be set aside.

    `condemned` is the inode of a file that was found damaged in use: if it still lies there, it goes.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    # The folder may be one of a download, and a link in it lead anywhere.
    why = why_not_plain(path, (*SIDE_FILES, ".lock"))
    if why is not None:
        raise OSError(f"{why}; move it away")
    with _alone(path):
        note = ""
        if condemned is not None and inode(path) == condemned:
            note = _set_aside(path, "damaged")
        try:
            return _connect(path), note
        except UnusableFile as problem:
            note = _set_aside(path, problem.kind)
        return _connect(path), note


def inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None


def is_damage(error: Exception) -> bool:
    return _code(error) & 0xFF in (_CORRUPT, _NOT_A_DATABASE)


def is_busy(error: Exception) -> bool:
    return _code(error) & 0xFF in (_BUSY, _LOCKED)


def is_interrupted(error: Exception) -> bool:
    """Whether a statement was ended before it was done: by its limit, or by a signal."""
    return _code(error) == _INTERRUPTED


def is_moved(error: Exception) -> bool:
    """Whether somebody deleted the file, or set it aside, while it was open here."""
    return _code(error) == _MOVED


def _code(error: Exception) -> int:
    return int(getattr(error, "sqlite_errorcode", 0) or 0)


def _connect(path: Path) -> Connection:
    import sqlite3

    _make_private(path)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    StatementLimit(connection, STATEMENT_SECONDS)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        _prepare(connection)
    except (sqlite3.Error, UnusableFile) as error:
        connection.close()
        if is_damage(error):
            raise UnusableFile("damaged") from error
        raise
    return connection


def _make_private(path: Path) -> None:
    """The file exists and only its owner can read it; SQLite gives its side files the same mode."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        with suppress(OSError):
            path.chmod(0o600)


def _prepare(connection: Connection) -> None:
    import sqlite3

    def value(question: str) -> int:
        return int(connection.execute(question).fetchone()[0])

    stamp = (value("PRAGMA application_id"), value("PRAGMA user_version"))
    if stamp == (0, 0) and value("SELECT count(*) FROM sqlite_master") == 0:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        _use_write_ahead_log(connection)
        connection.execute("BEGIN IMMEDIATE")
        if value("SELECT count(*) FROM sqlite_master") == 0:
            for statement in _SCHEMA.split(";")[:-1]:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_OURS}")
            connection.execute(f"PRAGMA user_version = {_VERSION}")
        connection.execute("COMMIT")
    elif stamp != (_OURS, _VERSION):
        raise UnusableFile("foreign")
    elif odd_object(connection, ("replies",), words_of([_SCHEMA])) is not None:
        raise UnusableFile("foreign")  # with more in it than a table that keeps rows
    else:
        _use_write_ahead_log(connection)
    try:
        connection.execute("SELECT id, key, reply, seal, made, used FROM replies LIMIT 0")
    except sqlite3.OperationalError as error:
        if is_busy(error):
            raise
        raise UnusableFile("damaged") from error


def _use_write_ahead_log(connection: Connection) -> None:
    """Readers then never wait for a writer. A file system without it stays with SQLite's ordinary journal."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA journal_size_limit = 4194304")


def _set_aside(path: Path, kind: str) -> str:
    """Move the file and its side files to a free name beside it, and say so."""
    for number in range(1, _MOST_SET_ASIDE + 1):
        aside = path.with_name(f"{path.name}.{kind}-{number}")
        if aside.exists():
            continue
        path.rename(aside)
        for side in ("-wal", "-shm", "-journal"):
            with suppress(FileNotFoundError):
                path.with_name(path.name + side).rename(aside.with_name(aside.name + side))
        why = "was damaged" if kind == "damaged" else "belongs to something else"
        return f"the cache of replies {path} {why}; it was moved aside to {aside.name}, and a new one started"
    raise OSError(
        f"{_MOST_SET_ASIDE} files were already moved aside in {path.parent}: check them and delete some"
    )


def remove_damaged(path: Path) -> None:
    """Delete what was set aside as damaged. What belongs to somebody else is left alone."""
    for aside in path.parent.glob(f"{path.name}.damaged-*"):
        with suppress(OSError):
            aside.unlink()


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """One process at a time opens the file, so that two that find it damaged do not set two files aside.

    Windows needs no such care: there a file that is open cannot be moved away.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    handle = os.open(path.with_name(f"{path.name}.lock"), os.O_CREAT | os.O_RDWR, 0o600)
    try:
        deadline = time.monotonic() + LOCK_SECONDS
        while time.monotonic() < deadline:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(0.01)
            except OSError:  # a file system without locks
                break
        yield
    finally:
        os.close(handle)


KEPT_SHARE = 0.9
"""What a full cache is cut down to, so that not every reply has to push another one out."""


def seal(key: str, reply: str) -> str:
    """Tells a reply whose bytes were changed on the disk, which SQLite does not notice by itself."""
    return sha256(f"{key}\n{reply}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def trim_cache(connection: Connection, most: int, expired_before: float) -> None:
    """Remove what is too old, then the oldest, until the file is small enough."""
    if _bytes_in_use(connection) <= most:
        return
    connection.execute("DELETE FROM replies WHERE made < ?", (expired_before,))
    goal = int(most * KEPT_SHARE)
    while (excess := _bytes_in_use(connection) - goal) > 0:
        question = "SELECT id, length(reply) FROM replies ORDER BY made, id LIMIT 200"
        oldest = connection.execute(question).fetchall()
        if not oldest:
            return
        doomed = []
        for row, size in oldest:
            doomed.append((row,))
            excess -= size
            if excess <= 0:
                break
        connection.executemany("DELETE FROM replies WHERE id = ?", doomed)


def _bytes_in_use(connection: Connection) -> int:
    def value(name: str) -> int:
        return int(connection.execute(f"PRAGMA {name}").fetchone()[0])

    return (value("page_count") - value("freelist_count")) * value("page_size")
