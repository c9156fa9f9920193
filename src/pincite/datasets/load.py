"""Open a dataset: held in memory where it is small, read from its file each time where it is not."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Self

from msgspec import structs

from pincite.base import did_you_mean, within_memory
from pincite.config import Settings
from pincite.datasets.documents import DocumentIndex, library_of
from pincite.datasets.files.json_stream import Reader, elements, scan
from pincite.datasets.files.plain import is_large, read_plain
from pincite.datasets.files.streams import open_bytes
from pincite.datasets.formats import EvaluationDataset, EvaluationQuery, SourceDocument
from pincite.datasets.paths import file_kind
from pincite.datasets.record import T, from_plain, to_plain
from pincite.datasets.schema import Problem
from pincite.errors import InputError
from pincite.sources import Library

MOST_TEXT = 16 * 1024 * 1024
"""Characters of documents up to which all of them make one library, however many queries there are.

Searched for claims, a library takes about nine bytes per character.
"""
_SHOWN = 5
"""Problems that are listed when a dataset cannot be opened."""


class Dataset:
    """An opened dataset. Close it, or use it in a `with`: a large one keeps a file for its documents."""

    def __init__(
        self,
        head: EvaluationDataset,
        digest: str,
        path: Path | None = None,
        count: int | None = None,
        index: DocumentIndex | None = None,
    ) -> None:
        """A large dataset comes with its count and its index; its `head` has no queries or documents."""
        self.head = head
        self.digest = digest
        """The SHA-256 of the bytes that were read, as they are without compression."""
        self.path = path
        self.dataset_id = head.dataset_id
        self.name = head.name
        self.version = head.version
        self.metadata: dict[str, Any] = head.metadata
        self.offsets: str | None = head.offsets
        """`document` or `page` where the dataset says what its offsets count from."""
        self.streamed = index is not None
        """Whether the file is read again each time its queries are asked for."""
        self.in_memory = index is None or index.characters <= MOST_TEXT
        """Whether `library` gives all documents at once."""
        self._count = len(head.queries) if count is None else count
        self._index = index
        self._library: Library | None = None

    def queries(self) -> Iterator[EvaluationQuery]:
        """The queries in order, one by one; may be called again."""
        if self._index is None or self.path is None:
            yield from self.head.queries
            return
        with open_bytes(self.path) as stream:
            for value in elements(stream, "queries", str(self.path)):
                yield from_plain(EvaluationQuery, value)

    def count(self) -> int:
        """How many queries there are."""
        return self._count

    def documents(self) -> Iterator[SourceDocument]:
        """The documents in order, one by one; may be called again."""
        return iter(self.head.documents if self._index is None else self._index)

    def library(self) -> Library:
        """All documents, where `in_memory` says that they can be held at once."""
        if not self.in_memory:
            raise InputError(
                f"{self.path}: there are too many documents to hold at once; ask for library_for(names)"
            )
        if self._library is None:
            self._library = library_of(self.documents())
        return self._library

    def library_for(self, names: Iterable[str]) -> Library:
        """Only the documents that these names may mean, in the order of the dataset."""
        if self._index is not None:
            return self._index.library_for(names)
        library = self.library()
        wanted = {source.name for name in names for source in library.find(name)}
        named = [source for source in library.sources if source.name in wanted]
        return Library(named, ordered=False, given=library.given)

    def close(self) -> None:
        """Give back what was kept open."""
        self._library = None
        if self._index is not None:
            self._index.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_dataset(
    given: Path | str | Mapping[str, Any] | EvaluationDataset, settings: Settings | None = None
) -> Dataset:
    """Open a dataset by its path, by the name `sample` for the one that comes with Pincite, or as it is."""
    if isinstance(given, EvaluationDataset):
        return Dataset(given, _digest_of(to_plain(given)))
    if isinstance(given, Mapping):
        return Dataset(_read(given, "the dataset"), _digest_of(given))
    if not isinstance(given, str | Path):
        raise InputError(f"a dataset is a path, a dict or an EvaluationDataset, not a {type(given).__name__}")
    path = dataset_path(given)
    if is_large(path):
        return open_streamed(path)
    value, _, digest = read_plain(path, "dataset")
    return Dataset(_read(value, str(path)), digest, path)


def dataset_path(given: Path | str) -> Path:
    """The file of a dataset that is named by its path, by its folder or as `sample`."""
    path = Path(given)
    if given == "sample" and not path.exists():
        from pincite.datasets.sample import sample_path

        path = sample_path()
    if path.is_dir():
        path = _only_dataset(path)
    if not path.is_file():
        raise InputError(f"{path}: the dataset does not exist{did_you_mean(str(given), ['sample'])}")
    found = file_kind(path)
    if found.kind not in (None, "dataset"):
        raise InputError(f"{path}: the ending says that this is a {found.kind} file, not a dataset")
    return path


def first_problem(path: Path) -> Problem | None:
    """What `validate` says first of a file that can still be read. A large file is not looked at again."""
    from pincite.datasets.validate import validate_file

    return None if is_large(path) else next(validate_file(path, "dataset"), None)


def _only_dataset(folder: Path) -> Path:
    """The dataset in a folder, where there is just one."""
    found = [file for file in sorted(folder.iterdir()) if file.is_file() and _is_dataset(file)]
    if len(found) != 1:
        names = ", ".join(file.name for file in found[:5])
        held = f"{len(found)} datasets ({names}{', …' if len(found) > 5 else ''})" if found else "no dataset"
        raise InputError(f"{folder}: the folder has {held}; name the dataset's file, such as NAME.eval.json")
    return found[0]


def _is_dataset(file: Path) -> bool:
    try:
        return file_kind(file).kind == "dataset"
    except InputError:
        return False


def open_streamed(path: Path) -> Dataset:
    """Read a dataset's file once: count its queries, index its documents, and see that all of it is sound."""
    index = DocumentIndex()
    count = 0
    try:
        with within_memory(path), open_bytes(path) as stream:
            reader = Reader(stream)
            for name, number, value in scan(reader, ("queries", "documents"), str(path)):
                if name == "queries":
                    _fit(EvaluationQuery, value, f"{path}: /queries/{number}")
                    count += 1
                elif name == "documents":
                    index.add(_fit(SourceDocument, value, f"{path}: /documents/{number}"))
                else:
                    head = _fit(EvaluationDataset, value, str(path))
            digest = reader.digest()
        index.finish()
    except BaseException:
        index.close()
        raise
    return Dataset(structs.replace(head, queries=(), documents=()), digest, path, count, index)


def _fit(kind: type[T], value: Any, where: str) -> T:
    try:
        return from_plain(kind, value)
    except InputError as error:
        raise InputError(
            f"{where}: this is not an evaluation dataset: {error}\n`pincite data check` lists every problem"
        ) from None


def _read(value: Any, name: str) -> EvaluationDataset:
    try:
        return from_plain(EvaluationDataset, value)
    except InputError as error:
        from pincite.datasets.validate import validate_value

        problems = list(islice(validate_value(value, "dataset"), _SHOWN + 1))
        listed = [str(problem) for problem in problems[:_SHOWN]] or [str(error)]
        more = ["`pincite data check` lists every problem"] if len(problems) > _SHOWN else []
        raise InputError("\n".join([f"{name}: this is not an evaluation dataset:", *listed, *more])) from None


def _digest_of(value: Any) -> str:
    """The SHA-256 of a plain value that came from no file."""
    try:
        raw = json.dumps(value, sort_keys=True).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"the dataset holds what has no form in JSON: {error}") from None
    return hashlib.sha256(raw).hexdigest()
