"""Whether a file keeps to its format: all problems at once, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from pincite.datasets.files.kinds import BULK, RECORDS, Kind, file_kind, kind_of_value, known_kind
from pincite.datasets.files.read import is_large, read_plain
from pincite.datasets.files.scan import Reader, scan
from pincite.datasets.files.streams import open_bytes
from pincite.datasets.formats.base import Record, from_plain
from pincite.datasets.formats.problems import Problem, shown
from pincite.datasets.formats.records import (
    BenchmarkEntry,
    EvaluationQuery,
    QueryResult,
    SourceDocument,
    annotation_parts,
)
from pincite.datasets.formats.schema import schema_of
from pincite.datasets.formats.schema_check import Check, Found, Place, compile_schema, pointer_of
from pincite.datasets.formats.validity import UniqueIds, check_element, check_head
from pincite.errors import InputError

__all__ = ["Problem", "validate_file", "validate_value"]


def validate_file(path: Path | str, kind: Kind | None = None) -> Iterator[Problem]:
    """Every problem of a file; none when it is valid. Only one that cannot be opened raises `InputError`.

    A large file is read element by element and never held.
    """
    path = Path(path)
    found = file_kind(path)
    open_bytes(path).close()
    try:
        if found.form == "jsonl":
            yield from _recorded_problems(path)
        elif is_large(path):
            yield from _large_problems(path, kind or found.kind)
        else:
            value, named, _ = read_plain(path, kind)
            yield from validate_value(value, named, str(path))
    except InputError as error:
        told = str(error).removeprefix(f"{path}").lstrip(": ")
        yield Problem(str(path), "", "a file that can be read", told)


def validate_value(value: Any, kind: Kind | None = None, file: str = "") -> Iterator[Problem]:
    """Every problem of a plain value."""
    kind = known_kind(value, kind, file or "the value")
    if not isinstance(value, dict):
        yield Problem(file, "", "an object", shown(value))
        return
    if kind == "ground_truth" and "annotation_id" in value and "annotations" not in value:
        yield from _annotation_problems(value, file)
        return
    checker = _Checker(kind)
    for name in BULK[kind]:
        elements = value.get(name)
        for index, element in enumerate(elements if isinstance(elements, list) else ()):
            yield from _told(checker.element(name, index, element), file)
    emptied = {
        key: [] if key in BULK[kind] and isinstance(held, list) else held for key, held in value.items()
    }
    yield from _told(checker.head(emptied), file)
    yield from _told(checker.repeated(), file)


def _large_problems(path: Path, kind: Kind | None) -> Iterator[Problem]:
    kind = kind or _kind_of_large(path)
    checker = _Checker(kind)
    with open_bytes(path) as stream:
        for name, index, value in scan(Reader(stream), BULK[kind], str(path)):
            if name:
                yield from _told(checker.element(name, index, value), str(path))
            elif isinstance(value, dict):
                yield from _told(checker.head(value), str(path))
            else:
                yield Problem(str(path), "", "an object", shown(value))
    yield from _told(checker.repeated(), str(path))


def _kind_of_large(path: Path) -> Kind:
    """What a large file is, by the names of its fields alone."""
    every = tuple(dict.fromkeys(name for names in BULK.values() for name in names))
    with open_bytes(path) as stream:
        for name, _, value in scan(Reader(stream), every, str(path)):
            if name or isinstance(value, dict):
                found = kind_of_value({name: []} if name else value)
                if found is not None:
                    return found
    return known_kind(None, None, str(path))


def _reader(kind: type[Record]) -> Callable[[Any], Any]:
    def read(value: Any) -> None:
        try:
            msgspec.convert(value, kind)  # nearly every time, and without making what nobody looks at
        except (msgspec.ValidationError, ValueError, OverflowError):
            from_plain(kind, value)

    return read


_READERS: dict[str, Callable[[Any], Any]] = {
    "queries": _reader(EvaluationQuery),
    "documents": _reader(SourceDocument),
    "annotations": annotation_parts,
    "query_results": _reader(QueryResult),
    "entries": _reader(BenchmarkEntry),
}


class _Checker:
    """The schema and the rules of a kind, element by element."""

    def __init__(self, kind: Kind) -> None:
        schema = schema_of(kind)
        self._kind = kind
        self._head = compile_schema(schema)
        self._elements: dict[str, Check] = {
            name: compile_schema(schema["properties"][name].get("items", True), schema)
            if "anyOf" not in schema["properties"][name]
            else compile_schema(schema["properties"][name]["anyOf"][0]["items"], schema)
            for name in BULK[kind]
        }
        self._ids = {name: UniqueIds(name) for name in BULK[kind]}

    def element(self, name: str, index: int, value: Any) -> list[Found]:
        found: list[Found] = []
        place: Place = ((None, name), index)
        self._elements[name](value, place, found)
        check_element(name, value, place, found)
        self._ids[name].add(value)
        if not found:
            _try_to_read(_READERS[name], value, place, found)
        return found

    def head(self, value: dict[str, Any]) -> list[Found]:
        found: list[Found] = []
        self._head(value, None, found)
        check_head(self._kind, value, found)
        if not found:
            _try_to_read(lambda given: from_plain(RECORDS[self._kind], given), value, None, found)
        return found

    def repeated(self) -> Iterator[Found]:
        for ids in self._ids.values():
            yield from ids.repeated()


def _annotation_problems(value: dict[str, Any], file: str) -> Iterator[Problem]:
    """A file that holds one annotation alone, as annotators' folders do."""
    schema = schema_of("ground_truth")
    found: list[Found] = []
    compile_schema(schema["properties"]["annotations"]["items"], schema)(value, None, found)
    check_element("annotations", value, None, found)
    if not found:
        _try_to_read(annotation_parts, value, None, found)
    yield from _told(found, file)


def _try_to_read(read: Callable[[Any], Any], value: Any, place: Place, found: list[Found]) -> None:
    """What fits a schema may still be out of reach (1e308 is a whole number there): whoever uses the file
    would refuse it, so it is no valid one.
    """
    try:
        read(value)
    except InputError as error:
        found.append((place, "a value that can be read", f"one that cannot: {error}"))


def _recorded_problems(path: Path) -> Iterator[Problem]:
    from pincite.datasets.recorded.file import open_answers

    with open_answers(path) as answers:
        yield from answers.problems
        left = answers.problem_count - len(answers.problems)
        if left:
            yield Problem(str(path), "", "no more problems", f"{left:,} further lines with problems")


def _told(found: Any, file: str) -> Iterator[Problem]:
    for place, expected, what in found:
        yield Problem(file, pointer_of(place), expected, what)
