"""The documents of a large dataset, kept in a file and found by name as `sources/names` finds them.

The index finds the documents that a name could mean, in the order in which the rules try; which of them it
means is decided by a library of just these. Where a hundred fit alike, the name is ambiguous and more of
them would not help.

The file is in a temporary folder whose owner holds a lock. What a killed process left behind has no lock any
more, and the next index removes it.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from msgspec import structs

from pincite.datasets.formats.base import from_plain, to_plain
from pincite.datasets.formats.records import SourceDocument
from pincite.datasets.library import library_of, source_of
from pincite.errors import InputError
from pincite.records import Source
from pincite.sources.library import Library
from pincite.sources.names import file_name, fold, identities, path_parts, stem

if TYPE_CHECKING:
    from sqlite3 import Connection

_PREFIX, _LOCK = "pincite-documents-", "in-use"
_BATCH = 500
_BATCH_CHARACTERS = 4_000_000
_MOST_ALIKE = 100
_LISTED, _OTHER, _STEM, _PATH = range(4)
"""How a document is known by a name: as it is listed, otherwise, without the ending, by the end of a path."""


class DocumentIndex:
    """Documents by name, in a temporary SQLite file that is removed at the end."""

    def __init__(self) -> None:
        folder, lock = _own_folder()
        self._file = folder / "documents.sqlite"
        # Removed when nobody uses it any more, and also when the interpreter ends without closing it.
        self._remove = weakref.finalize(self, _remove_folder, folder, lock, os.getpid())
        self._rows: list[tuple[int, str]] = []
        self._names: list[tuple[str, int, int, str]] = []
        self._waiting = 0
        self.count = 0
        self.characters = 0
        """Of the documents' texts, all together."""
        self._writer = self._connect()
        self._writer.execute("PRAGMA journal_mode = OFF")
        self._writer.execute("PRAGMA synchronous = OFF")
        self._writer.execute("CREATE TABLE documents (position INTEGER PRIMARY KEY, content TEXT)")
        self._writer.execute("CREATE TABLE names (name TEXT, known_as INTEGER, position INTEGER, path TEXT)")

    def add(self, document: SourceDocument) -> None:
        """Take the next document."""
        position = self.count
        self.count += 1
        self.characters += len(document.content)
        self._rows.append((position, json.dumps(to_plain(document))))
        # Names alone: what a document says has no part in them.
        known = source_of(structs.replace(document, content=""), position + 1)
        self._names.extend((name, how, position, path) for name, how, path in _known_names(known))
        self._waiting += len(document.content)
        if len(self._rows) >= _BATCH or self._waiting > _BATCH_CHARACTERS:
            self._write()

    def finish(self) -> None:
        """Make what was added findable."""
        self._write()
        self._writer.execute("CREATE INDEX by_name ON names (name, known_as)")
        self._writer.commit()
        self._writer.close()

    def library_for(self, names: Iterable[str]) -> Library:
        """The documents that these names could mean, in the order of the dataset."""
        # A connection per call: SQLite's must not be shared by threads, nor carried into a forked process.
        with closing(self._connect()) as connection:
            found = {position for name in set(names) for position in _positions(connection, name.strip())}
            return library_of(_read(connection, sorted(found)), given=self.count > 0)

    def __iter__(self) -> Iterator[SourceDocument]:
        """Every document, one by one."""
        with closing(self._connect()) as connection:
            yield from _read(connection, range(self.count))

    def close(self) -> None:
        """Remove the file."""
        self._writer.close()
        self._remove()

    def _write(self) -> None:
        import sqlite3

        try:
            self._writer.executemany("INSERT INTO documents VALUES (?, ?)", self._rows)
            self._writer.executemany("INSERT INTO names VALUES (?, ?, ?, ?)", self._names)
            self._writer.commit()
        except sqlite3.Error as error:
            raise InputError(
                f"cannot keep the documents in {self._file.parent}: {error}; "
                "set TMPDIR to a folder with more room"
            ) from error
        self._rows.clear()
        self._names.clear()
        self._waiting = 0

    def _connect(self) -> Connection:
        import sqlite3

        return sqlite3.connect(self._file, check_same_thread=False)


def _positions(connection: Connection, name: str) -> list[int]:
    """The documents of the first rule that fits, with all that this rule must choose from."""
    found = _look_up(connection, _whole_keys(name), _LISTED, _OTHER)
    found = found or _look_up(connection, [fold(name)], _STEM, _STEM)
    if not found:
        cited = path_parts(name)
        found = _look_up(connection, [fold(file_name(name))], _STEM, _STEM)
        paths = _look_up(connection, cited[-1:], _PATH, _PATH)
        found += [row for row in paths if _same_end(row[1], cited)]
    return [position for position, _ in found]


def _look_up(connection: Connection, keys: Iterable[str], first: int, last: int) -> list[tuple[int, str]]:
    wanted = [_storable(key) for key in keys]
    rows = connection.execute(
        f"SELECT position, path FROM names WHERE name IN ({', '.join('?' * len(wanted))}) "  # noqa: S608
        "AND known_as BETWEEN ? AND ? ORDER BY known_as, position LIMIT ?",
        (*wanted, first, last, _MOST_ALIKE if last != _PATH else -1),
    )
    return rows.fetchall()


def _read(connection: Connection, positions: Iterable[int]) -> Iterator[SourceDocument]:
    for position in positions:
        row = connection.execute("SELECT content FROM documents WHERE position = ?", (position,))
        yield from_plain(SourceDocument, json.loads(row.fetchone()[0]))


def _known_names(source: Source) -> Iterator[tuple[str, int, str]]:
    """Every key that a document is found by, how it is known by it, and its path for the last rule."""
    found = dict.fromkeys((key, _LISTED) for key in _whole_keys(source.name))
    for name in identities(source):
        found.update(dict.fromkeys((key, _OTHER) for key in _whole_keys(name)))
        if name != source.title:
            found[fold(stem(name)), _STEM] = None
    for key, how in found:
        if key:
            yield _storable(key), how, ""
    parts = path_parts(source.file_path or source.name)
    if parts:
        yield _storable(parts[-1]), _PATH, _storable("/".join(parts))


def _whole_keys(name: str) -> tuple[str, ...]:
    """What the rules compare of a whole name, from the strictest to the most lenient."""
    return tuple(dict.fromkeys((name.casefold(), fold(name))))


def _same_end(path: str, cited: tuple[str, ...]) -> bool:
    known = path.split("/")
    shorter = min(len(known), len(cited))
    return known[-shorter:] == [_storable(part) for part in cited[-shorter:]]


def _storable(key: str) -> str:
    # SQLite keeps UTF-8, which has no form for a lone surrogate.
    return key.encode("utf-8", "backslashreplace").decode()


# --- the temporary folder --------------------------------------------------------------------------


def _own_folder() -> tuple[Path, BinaryIO]:
    """A new folder and the lock that says that it is in use."""
    with suppress(OSError):
        for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
            # Another user's folder cannot be removed, and one that is just being made has no lock yet.
            with suppress(OSError), (left / _LOCK).open("r+b") as lock:
                if not left.is_symlink() and _try_lock(lock):
                    shutil.rmtree(left, ignore_errors=True)
    try:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        held = (folder / _LOCK).open("wb")
        _try_lock(held)
    except OSError as error:
        raise InputError(
            f"cannot make a folder for temporary files: {error.strerror or error}; "
            "set TMPDIR to a folder with room"
        ) from error
    return folder, held


def _remove_folder(folder: Path, lock: BinaryIO, owner: int) -> None:
    """Remove the folder, unless this is a forked process: the one that made it still needs it."""
    if os.getpid() == owner:
        lock.close()
        shutil.rmtree(folder, ignore_errors=True)


def _try_lock(file: BinaryIO) -> bool:
    """Whether nobody else has the lock; false where the system has no such locks."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True
