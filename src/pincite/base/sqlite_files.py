"""What a SQLite file that somebody else may have written must be before it is used.

A file of a downloaded project can be a link, carry a view or a trigger under the name of a table, or be built
so that a question about it never ends. Whoever opens one asks these functions first.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite3 import Connection

SIDE_FILES = ("-journal", "-wal", "-shm")
"""What SQLite keeps beside a file, by the end of its name."""
STEPS = 20_000
"""Steps of SQLite between two looks at the clock: some milliseconds."""

_WORD = re.compile(r"[a-z_][a-z_0-9]*|[0-9]+|\S")


def why_not_plain(path: Path, beside: Iterable[str] = SIDE_FILES) -> str | None:
    """Why the file, or one that SQLite would write beside it, is not to be opened; None where it may be.

    The files may be missing. To open a link follows it, and to open a pipe may wait without end.
    """
    for ending in ("", *beside):
        file = f"{path}{ending}"
        try:
            mode = os.lstat(file).st_mode
        except (FileNotFoundError, NotADirectoryError):
            continue
        which = f"{path.name}{ending} beside it" if ending else "it"
        if stat.S_ISLNK(mode):
            return f"{which} is a link to {os.path.realpath(file)}"
        if not stat.S_ISREG(mode):
            return f"{which} is {_kind(mode)}, not a file"
    return None


def link_out(path: Path) -> Path | None:
    """The first folder of a relative path that is a link out of the current folder; None where none is.

    An absolute path is what somebody wrote; a relative one may be ours, and its folders a download's.
    """
    if path.is_absolute():
        return None
    here = Path(os.path.realpath(os.curdir))
    for folder in reversed(path.parents):
        if folder.is_symlink() and not Path(os.path.realpath(folder)).is_relative_to(here):
            return folder
    return None


def words_of(statements: Iterable[str]) -> frozenset[str]:
    """Every word and sign of these statements."""
    return frozenset(word for statement in statements for word in _WORD.findall(statement.lower()))


def odd_object(connection: Connection, tables: Collection[str], words: Collection[str]) -> str | None:
    """The first thing in the file that would do more than keep rows of these tables, in words for a message.

    Only tables and indexes are, made of no other words than our own: so there is no view, no trigger, no
    virtual table, and no expression that is computed for each row. What belongs to none of these tables is
    left to whoever put it there, since nothing of ours touches it.
    """
    for kind, name, table, sql, page in connection.execute(
        "SELECT type, name, tbl_name, sql, rootpage FROM sqlite_master"
    ):
        own = str(name).lower()
        if own not in tables and str(table).lower() not in tables and not own.startswith("sqlite_"):
            continue
        if kind not in ("table", "index") or not isinstance(page, int) or page < 1:
            return f"{name!r:.80} is {'a virtual table' if kind == 'table' else f'a {kind!s:.20}'}"
        if sql is None or own.startswith("sqlite_"):  # made by SQLite itself
            continue
        # An index may have a name of somebody else's; what it is made of comes after it.
        made_of = str(sql).lower().partition(" on ")[2] if kind == "index" else str(sql)
        unknown = words_of([made_of]) - frozenset(words)
        if unknown:
            return f"the {kind} {name!r:.80} is defined with {min(unknown)!r:.40}"
    return None


class StatementLimit:
    """Ends what SQLite is doing after some seconds, and lets a signal through while it does it."""

    def __init__(self, connection: Connection, seconds: float) -> None:
        self.expired = False
        """Whether it was the limit that ended the last statement, and not an exception of a signal."""
        self._seconds = seconds
        self._deadline = time.monotonic() + seconds
        connection.set_progress_handler(self._look, STEPS)

    def begin(self) -> None:
        """Count from now on."""
        self.expired = False
        self._deadline = time.monotonic() + self._seconds

    def _look(self) -> int:
        self.expired = time.monotonic() > self._deadline
        return int(self.expired)


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
    }
    return kinds.get(stat.S_IFMT(mode), "something else")
