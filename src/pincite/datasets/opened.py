"""A dataset that was opened: what one can ask of it, whether it is held in memory or streamed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pincite.datasets.formats.records import EvaluationDataset, EvaluationQuery, SourceDocument
from pincite.datasets.library import library_of
from pincite.sources.library import Library


class Dataset(ABC):
    """Close it, or use it in a `with`: a large one keeps a file for its documents."""

    in_memory: bool
    """Whether `library` gives all documents at once."""
    path: Path | None
    digest: str
    """The SHA-256 of the bytes that were read, as they are without compression."""

    def __init__(self, head: EvaluationDataset, digest: str, path: Path | None) -> None:
        """`head` tells about the dataset; of a large one it holds neither queries nor documents."""
        self.head = head
        self.digest = digest
        self.path = path
        self.dataset_id = head.dataset_id
        self.name = head.name
        self.version = head.version
        self.metadata: dict[str, Any] = head.metadata
        self.offsets: str | None = head.offsets
        """`document` or `page` where the dataset says what its offsets count from."""

    @abstractmethod
    def queries(self) -> Iterator[EvaluationQuery]:
        """The queries in order, one by one; may be called again."""

    @abstractmethod
    def count(self) -> int:
        """How many queries there are."""

    @abstractmethod
    def documents(self) -> Iterator[SourceDocument]:
        """The documents in order, one by one; may be called again."""

    @abstractmethod
    def library(self) -> Library:
        """All documents, where `in_memory` says that they can be held at once."""

    @abstractmethod
    def library_for(self, names: Iterable[str]) -> Library:
        """Only the documents that these names may mean, in the order of the dataset."""

    @abstractmethod
    def close(self) -> None:
        """Give back what was kept open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class MemoryDataset(Dataset):
    """A dataset that fits into memory."""

    in_memory = True

    def __init__(self, content: EvaluationDataset, digest: str, path: Path | None = None) -> None:
        super().__init__(content, digest, path)
        self._library: Library | None = None

    def queries(self) -> Iterator[EvaluationQuery]:
        return iter(self.head.queries)

    def count(self) -> int:
        return len(self.head.queries)

    def documents(self) -> Iterator[SourceDocument]:
        return iter(self.head.documents)

    def library(self) -> Library:
        if self._library is None:
            self._library = library_of(self.head.documents)
        return self._library

    def library_for(self, names: Iterable[str]) -> Library:
        library = self.library()
        wanted = {source.name for name in names for source in library.find(name)}
        named = [source for source in library.sources if source.name in wanted]
        return Library(named, ordered=False, given=library.given)

    def close(self) -> None:
        self._library = None
