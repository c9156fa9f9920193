"""A dataset that is too large to be held: its queries are read from the file each time they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import structs

from pincite.datasets.document_index import DocumentIndex
from pincite.datasets.files.scan import Reader, elements, scan
from pincite.datasets.files.streams import open_bytes
from pincite.datasets.formats.base import Record, from_plain
from pincite.datasets.formats.records import EvaluationDataset, EvaluationQuery, SourceDocument
from pincite.datasets.library import library_of
from pincite.datasets.opened import Dataset
from pincite.errors import InputError
from pincite.sources.library import Library

MOST_TEXT = 16 * 1024 * 1024
"""Characters of documents up to which all of them make one library, however many queries there are.

Searched for claims, a library takes about nine bytes a character.
"""


class StreamedDataset(Dataset):
    """Its documents are in an index on disk, which `close` removes."""

    def __init__(
        self, head: EvaluationDataset, digest: str, path: Path, count: int, index: DocumentIndex
    ) -> None:
        super().__init__(head, digest, path)
        self.in_memory = index.characters <= MOST_TEXT
        self._path = path
        self._count = count
        self._index = index
        self._library: Library | None = None

    def queries(self) -> Iterator[EvaluationQuery]:
        with open_bytes(self._path) as stream:
            for value in elements(stream, "queries", str(self._path)):
                yield from_plain(EvaluationQuery, value)

    def count(self) -> int:
        return self._count

    def library(self) -> Library:
        if not self.in_memory:
            raise InputError(
                f"{self.path}: the documents are too many to be held at once; ask for library_for(names)"
            )
        if self._library is None:
            self._library = library_of(self._index)
        return self._library

    def library_for(self, names: Iterable[str]) -> Library:
        return self._index.library_for(names)

    def documents(self) -> Iterator[SourceDocument]:
        return iter(self._index)

    def close(self) -> None:
        self._library = None
        self._index.close()


def open_streamed(path: Path) -> StreamedDataset:
    """Read a dataset's file once: count its queries, index its documents, and see that all of it is sound."""
    index = DocumentIndex()
    count = 0
    try:
        with open_bytes(path) as stream:
            reader = Reader(stream)
            for name, number, value in scan(reader, ("queries", "documents"), str(path)):
                if name == "queries":
                    _fit(EvaluationQuery, value, f"/queries/{number}", path)
                    count += 1
                elif name == "documents":
                    index.add(_fit(SourceDocument, value, f"/documents/{number}", path))
                else:
                    head = _fit(EvaluationDataset, value, "", path)
            digest = reader.digest()
        index.finish()
    except BaseException:
        index.close()
        raise
    return StreamedDataset(structs.replace(head, queries=(), documents=()), digest, path, count, index)


def _fit(kind: type[Any], value: Any, pointer: str, path: Path) -> Any:
    try:
        record: Record = from_plain(kind, value)
    except InputError as error:
        where = f"{path}: {pointer}" if pointer else str(path)
        raise InputError(
            f"{where}: this is not an evaluation dataset: {error}\n"
            "`pincite data validate` lists every problem"
        ) from None
    return record
