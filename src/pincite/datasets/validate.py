"""Whether a file keeps to its format: its schema, and what no schema can say. All problems at once.

A valid file has ids that come once, spans that run forwards, real dates, and nothing that a reader refuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from pincite.answers import shown
from pincite.config import settings_from
from pincite.datasets.files.json_stream import Reader, scan
from pincite.datasets.files.plain import is_large, read_plain
from pincite.datasets.files.streams import open_bytes
from pincite.datasets.formats import FORMATS, Kind, annotation_parts
from pincite.datasets.paths import file_kind, kind_of_value, known_kind
from pincite.datasets.record import Record, from_plain, is_number
from pincite.datasets.repeats import HashedTexts
from pincite.datasets.schema import Misfit, Problem, Steps, check_schema, pointer_of, schema_of
from pincite.errors import ConfigError, InputError

_GROUPS = ("retrieval_metrics", "citation_metrics", "answer_quality_metrics")


def validate_file(path: Path | str, kind: Kind | None = None) -> Iterator[Problem]:
    """Every problem of a file; none when it is valid. Only one that cannot be opened raises `InputError`.

    A large file is read element by element and never held.
    """
    path = Path(path)
    open_bytes(path).close()
    found = file_kind(path)
    try:
        if found.form == "jsonl":
            yield from _recorded_problems(path)
        elif is_large(path):
            named = kind or kind_of_file(path)
            with open_bytes(path) as stream:
                parts = scan(Reader(stream), tuple(FORMATS[named].lists), str(path))
                yield from _problems(parts, named, str(path))
        else:
            value, named, _ = read_plain(path, kind)
            yield from validate_value(value, named, str(path))
    except InputError as error:
        told = str(error).removeprefix(f"{path}").lstrip(": ")
        yield Problem(str(path), "", "a file that can be read", told)


def validate_value(value: Any, kind: Kind | None = None, file: str = "") -> Iterator[Problem]:
    """Every problem of a plain value."""
    kind = known_kind(value, kind, file or "the value")
    yield from _problems(_parts(value, FORMATS[kind].lists), kind, file)


def _parts(value: Any, lists: Iterable[str]) -> Iterator[tuple[str, int, Any]]:
    """A value as `scan` gives a file: the elements of its long lists, then the rest."""
    if isinstance(value, dict):
        long = {name: value[name] for name in lists if isinstance(value.get(name), list)}
        for name, elements in long.items():
            yield from ((name, index, element) for index, element in enumerate(elements))
        value = {key: [] if key in long else held for key, held in value.items()}
    yield "", 0, value


def kind_of_file(path: Path) -> Kind:
    """What a file holds, by its ending or else by its content: of a large one by the names of its fields."""
    named = file_kind(path).kind
    if named is not None:
        return named
    if not is_large(path):
        return read_plain(path)[1]
    every = tuple(name for one in FORMATS.values() for name in one.lists)
    with open_bytes(path) as stream:
        for name, _, value in scan(Reader(stream), every, str(path)):
            found = kind_of_value({name: []} if name else value)
            if found is not None:
                return found
    return known_kind(None, None, str(path))


def _problems(parts: Iterable[tuple[str, int, Any]], kind: Kind, file: str) -> Iterator[Problem]:
    schema, lists = schema_of(kind), FORMATS[kind].lists
    id_fields = {
        name: next((field for field in record.required if field.endswith("_id")), "")
        for name, record in lists.items()
    }
    ids = {name: HashedTexts() for name in lists if id_fields[name]}
    for name, index, value in parts:
        found: list[Misfit] = []
        place: Steps = ((None, name), index) if name else None
        if not name and kind == "ground_truth" and _is_annotation(value):
            name = "annotations"  # a file that holds one annotation alone, as annotators' folders do
        elif name in ids:
            given = value.get(id_fields[name]) if isinstance(value, dict) else None
            ids[name].add(given if isinstance(given, str) else None)
        check_schema(value, _items(schema, name) if name else schema, schema, place, found)
        if isinstance(value, dict):
            _check_rules(kind, name, value, place, found)
        if not found:
            _check_reading(name, value, lists.get(name, FORMATS[kind].record), place, found)
        for where, expected, what in found:
            yield Problem(file, pointer_of(where), expected, what)
    for name, seen in ids.items():
        for again, first in seen.repeated():
            place = (((None, name), again), id_fields[name])
            yield Problem(file, pointer_of(place), "an id of its own", f"the id of /{name}/{first}")


def _is_annotation(value: Any) -> bool:
    return isinstance(value, dict) and "annotation_id" in value and "annotations" not in value


def _items(schema: dict[str, Any], name: str) -> Any:
    listed = schema["properties"][name]
    return listed.get("anyOf", [listed])[0].get("items", True)


def _check_reading(name: str, value: Any, record: type[Record], place: Steps, found: list[Misfit]) -> None:
    """Find what fits the schema and is still out of reach, such as 1e308, which is a whole number there.

    Whoever uses the file would refuse it, so it is not valid.
    """
    try:
        if name == "annotations":
            annotation_parts(value)
            return
        try:
            msgspec.convert(value, record)  # nearly every time, and without keeping what nobody looks at
        except (msgspec.ValidationError, ValueError, OverflowError):
            from_plain(record, value)
    except InputError as error:
        found.append((place, "a value that can be read", f"one that cannot: {error}"))


def _check_rules(kind: Kind, name: str, value: dict[str, Any], place: Steps, found: list[Misfit]) -> None:
    """What no schema can say of an element of the list `name`, or of what is beside the long lists."""
    if name in ("queries", "annotations", "query_results"):
        _check_spans(value.get("citations"), (place, "citations"), found)
    if name == "queries":
        sets = value.get("alternative_citations")
        for index, spans in enumerate(sets if isinstance(sets, list) else ()):
            _check_spans(spans, ((place, "alternative_citations"), index), found)
    for key in {"": ("created_at", "timestamp"), "annotations": ("timestamp",)}.get(name, ()):
        _check_date(value.get(key), (place, key), found)
    if name == "entries":
        _check_interval(value.get("confidence_interval"), (place, "confidence_interval"), found)
    if kind == "results" and not name:
        _check_intervals(value, found)
    if kind == "configuration":
        _check_settings(value, found)


def _check_intervals(value: dict[str, Any], found: list[Misfit]) -> None:
    """Every `confidence_interval` of a results document, wherever its metric is."""
    work: list[tuple[Any, Steps]] = [(value.get(group), (None, group)) for group in _GROUPS]
    while work:
        node, place = work.pop()
        for key, held in node.items() if isinstance(node, dict) else ():
            if key == "confidence_interval":
                _check_interval(held, (place, key), found)
            else:
                work.append((held, (place, key)))


def _check_spans(spans: Any, place: Steps, found: list[Misfit]) -> None:
    for index, span in enumerate(spans if isinstance(spans, list) else ()):
        fields: dict[str, Any] = span if isinstance(span, dict) else {}
        start, end = fields.get("start_char"), fields.get("end_char")
        if is_number(start) and is_number(end) and start >= end:
            words = f"an end after the start, {shown(start).removeprefix('the number ')}"
            found.append((((place, index), "end_char"), words, shown(end)))


def _check_date(value: Any, place: Steps, found: list[Misfit]) -> None:
    try:
        datetime.fromisoformat(value if isinstance(value, str) else "2025-08-30")
    except ValueError:
        found.append((place, "a date and time as 2025-08-30T12:00:00Z", shown(value)))


def _check_interval(value: Any, place: Steps, found: list[Misfit]) -> None:
    # The schema says whether these are two numbers.
    if isinstance(value, list) and len(value) == 2 and all(map(is_number, value)) and value[0] > value[1]:
        found.append((place, "a lower end that is not above the upper one", f"{value[0]} and {value[1]}"))


def _check_settings(value: dict[str, Any], found: list[Misfit]) -> None:
    try:
        settings_from({key: held for key, held in value.items() if key != "schema_version"})
    except ConfigError as error:
        found.append((None, "settings that Pincite knows", str(error)))


def _recorded_problems(path: Path) -> Iterator[Problem]:
    from pincite.datasets.recorded import open_answers

    with open_answers(path) as answers:
        yield from answers.problems
        left = answers.problem_count - len(answers.problems)
        if left:
            yield Problem(str(path), "", "no more problems", f"{left:,} further lines with problems")
