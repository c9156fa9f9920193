"""The documents of a large dataset, kept in a file and found by name as `sources/names` finds them.

The index finds the documents that a name could mean, in the order in which the rules try; which of them it
means is decided by a library of just these. Where a hundred fit alike, the name is ambiguous and more of
them would not help.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import weakref
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import structs

from pincite.datasets.files.temporary import own_folder, remove_folder
from pincite.datasets.formats.base import from_plain, to_plain
from pincite.datasets.formats.records import SourceDocument
from pincite.datasets.library import library_of, source_of
from pincite.errors import InputError
from pincite.records import Source
from pincite.sources.library import Library
from pincite.sources.names import file_name, fold, identities, path_parts, stem

_BATCH = 500
_BATCH_CHARACTERS = 4_000_000
_MOST_ALIKE = 100
_LISTED, _OTHER, _STEM, _PATH = range(4)
"""How a document is known by a name: as it is listed, otherwise, without the ending, by the end of a path."""


class DocumentIndex:
    """Documents by name, in a temporary SQLite file that is removed at the end."""

    def __init__(self) -> None:
        folder, lock = own_folder("documents")
        self._file = folder / "documents.sqlite"
        # Removed when nobody uses it any more, and also when the interpreter ends without closing it.
        self._remove = weakref.finalize(self, remove_folder, folder, lock, os.getpid())
        self._local = threading.local()
        self._opened: list[tuple[int, sqlite3.Connection]] = []
        self._rows: list[tuple[int, str]] = []
        self._names: list[tuple[str, int, int, str]] = []
        self._waiting = 0
        self.count = 0
        self.characters = 0
        """Of the documents' texts, all together."""
        connection = self._connection()
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("CREATE TABLE documents (position INTEGER PRIMARY KEY, content TEXT)")
        connection.execute("CREATE TABLE names (name TEXT, known_as INTEGER, position INTEGER, path TEXT)")

    def add(self, document: SourceDocument) -> None:
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
        self._connection().execute("CREATE INDEX by_name ON names (name, known_as)")
        self._connection().commit()

    def library_for(self, names: Iterable[str]) -> Library:
        """The documents that these names could mean, in the order of the dataset."""
        positions: set[int] = set()
        for name in dict.fromkeys(names):
            positions.update(self._positions(name))
        return library_of(self._read(sorted(positions)), given=self.count > 0)

    def __iter__(self) -> Iterator[SourceDocument]:
        """Every document, one by one."""
        yield from self._read(range(self.count))

    def close(self) -> None:
        for owner, connection in self._opened:
            if owner == os.getpid():
                connection.close()
        self._opened.clear()
        self._local = threading.local()
        self._remove()

    def _positions(self, name: str) -> list[int]:
        """The documents of the first rule that fits, with all that this rule must choose from."""
        name = name.strip()
        whole = self._look_up(_whole_keys(name), _LISTED, _OTHER) or self._look_up([fold(name)], _STEM, _STEM)
        if whole:
            return [position for position, _ in whole]
        cited = path_parts(name)
        alike = self._look_up([fold(file_name(name))], _STEM, _STEM)
        alike += [row for row in self._look_up(cited[-1:], _PATH, _PATH) if _same_end(row[1], cited)]
        return [position for position, _ in alike]

    def _look_up(self, keys: Iterable[str], first: int, last: int) -> list[tuple[int, str]]:
        wanted = [_storable(key) for key in keys]
        rows = self._connection().execute(
            f"SELECT position, path FROM names WHERE name IN ({', '.join('?' * len(wanted))}) "  # noqa: S608
            "AND known_as BETWEEN ? AND ? ORDER BY known_as, position LIMIT ?",
            (*wanted, first, last, _MOST_ALIKE if last != _PATH else -1),
        )
        return rows.fetchall()

    def _read(self, positions: Iterable[int]) -> Iterator[SourceDocument]:
        for position in positions:
            row = self._connection().execute("SELECT content FROM documents WHERE position = ?", (position,))
            yield from_plain(SourceDocument, json.loads(row.fetchone()[0]))

    def _write(self) -> None:
        connection = self._connection()
        try:
            connection.executemany("INSERT INTO documents VALUES (?, ?)", self._rows)
            connection.executemany("INSERT INTO names VALUES (?, ?, ?, ?)", self._names)
            connection.commit()
        except sqlite3.Error as error:
            raise InputError(
                f"cannot keep the documents in {self._file.parent}: {error}; "
                "set TMPDIR to a folder with more room"
            ) from error
        self._rows.clear()
        self._waiting = 0
        self._names.clear()

    def _connection(self) -> sqlite3.Connection:
        """One a thread, and a new one in a forked process: SQLite's must not be carried across."""
        held: Any = getattr(self._local, "connection", None)
        if held is None or held[0] != os.getpid():
            # Each is used by one thread, but closed by whoever closes the index.
            held = os.getpid(), sqlite3.connect(self._file, check_same_thread=False)
            self._local.connection = held
            self._opened.append(held)
        connection: sqlite3.Connection = held[1]
        return connection


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
