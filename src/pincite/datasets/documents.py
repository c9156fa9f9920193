"""The documents of a dataset as sources: held in memory, or kept in a file and found by name.

The index finds the documents that a name could mean, in the order of the rules of `pincite.sources`; which of
them it means is decided by a library of just these. Where a hundred fit alike, the name is ambiguous and more
of them would not help. Its file is SQLite's own temporary database: it vanishes with its connection, however
the process ends.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import structs

from pincite.datasets.formats import SourceDocument
from pincite.datasets.record import from_plain, to_plain
from pincite.errors import InputError
from pincite.records import Source, UnreadSource
from pincite.sources import (
    Library,
    document_source,
    file_name,
    fold,
    identities,
    path_parts,
    stem,
    unique_names,
)


def source_of(document: SourceDocument, number: int) -> Source:
    """A document as a source; `number` counts from 1 and names one that has no name of its own."""
    source = document_source(to_plain(document), f"document {number}")
    if source.page_starts is None and page_count(source) == 1:
        return structs.replace(source, page_starts=(0,))
    return source


def document_of(source: Source) -> dict[str, Any]:
    """A source as a document of a dataset: its text as it was read, with a form feed after each page."""
    made: dict[str, Any] = {
        "document_id": source.name,
        "title": source.title or source.name,
        "content": source.text,
    }
    if source.file_path:
        made["file_path"] = source.name  # as it is listed: the full path is nobody else's business
    if source.page_starts is not None:
        made["metadata"] = {"page_count": len(source.page_starts)}  # a single page has no break to show it
    return made


def page_count(source: Source) -> int | None:
    """How many pages a document says that it has. A text without a page break does not show it."""
    count = source.metadata.get("page_count")
    return count if isinstance(count, int) and not isinstance(count, bool) and count > 0 else None


def library_of(documents: Iterable[SourceDocument], given: bool | None = None) -> Library:
    """A library of documents. Their order means nothing: `[2]` in an answer is not the dataset's second.

    `given` says whether the dataset has documents at all; None where these are all that it has. In a dataset
    without any, nothing that is cited can be looked up, which says nothing against the citations.
    """
    entries: list[Source | UnreadSource] = [source_of(one, i) for i, one in enumerate(documents, start=1)]
    return Library(unique_names(entries), ordered=False, given=bool(entries) if given is None else given)


_BATCH = 500
_BATCH_CHARACTERS = 4_000_000
_MOST_ALIKE = 100
_LISTED, _OTHER, _STEM, _PATH = range(4)
"""How a document is known by a name: as it is listed, otherwise, without the ending, by the end of a path."""


class DocumentIndex:
    """Documents by name, in a temporary file. Several threads may ask at once."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect("", check_same_thread=False)
        self._lock = threading.Lock()
        self._rows: list[tuple[int, str]] = []
        self._names: list[tuple[str, int, int, str]] = []
        self._waiting = 0
        self.count = 0
        self.characters = 0
        """Of the documents' texts, all together."""
        self._connection.executescript(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
            "CREATE TABLE documents (position INTEGER PRIMARY KEY, content TEXT);"
            "CREATE TABLE names (name TEXT, known_as INTEGER, position INTEGER, path TEXT)"
        )

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
        self._connection.execute("CREATE INDEX by_name ON names (name, known_as)")

    def library_for(self, names: Iterable[str]) -> Library:
        """The documents that these names could mean, in the order of the dataset."""
        found = {position for name in set(names) for position in self._positions(name.strip())}
        return library_of(map(self._document, sorted(found)), given=self.count > 0)

    def __iter__(self) -> Iterator[SourceDocument]:
        """Every document, one by one."""
        return map(self._document, range(self.count))

    def close(self) -> None:
        """Remove the file."""
        self._connection.close()

    def _positions(self, name: str) -> list[int]:
        """The documents of the first rule that fits, with all that this rule must choose from."""
        found = self._look_up(_whole_keys(name), _LISTED, _OTHER) or self._look_up([fold(name)], _STEM, _STEM)
        if not found:
            cited = path_parts(name)
            paths = self._look_up(cited[-1:], _PATH, _PATH)
            found = self._look_up([fold(file_name(name))], _STEM, _STEM)
            found += [row for row in paths if _same_end(row[1], cited)]
        return [position for position, _ in found]

    def _look_up(self, keys: Iterable[str], first: int, last: int) -> list[tuple[int, str]]:
        wanted = [_storable(key) for key in keys]
        return self._ask(
            f"SELECT position, path FROM names WHERE name IN ({', '.join('?' * len(wanted))}) "  # noqa: S608
            "AND known_as BETWEEN ? AND ? ORDER BY known_as, position LIMIT ?",
            (*wanted, first, last, _MOST_ALIKE if last != _PATH else -1),
        )

    def _document(self, position: int) -> SourceDocument:
        ((content,),) = self._ask("SELECT content FROM documents WHERE position = ?", (position,))
        return from_plain(SourceDocument, json.loads(content))

    def _ask(self, question: str, given: tuple[Any, ...]) -> list[Any]:
        with self._lock:
            return self._connection.execute(question, given).fetchall()

    def _write(self) -> None:
        try:
            self._connection.executemany("INSERT INTO documents VALUES (?, ?)", self._rows)
            self._connection.executemany("INSERT INTO names VALUES (?, ?, ?, ?)", self._names)
            self._connection.commit()
        except sqlite3.Error as error:
            raise InputError(
                f"cannot keep the documents in {tempfile.gettempdir()}: {error}; "
                "set TMPDIR to a folder with more room"
            ) from error
        self._rows.clear()
        self._names.clear()
        self._waiting = 0


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
