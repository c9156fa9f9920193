"""JSON Schemas (draft 2020-12) of the formats, and the check of a value against one of them.

`python -m pincite.datasets.schema` writes the schemas that are shipped.

The check is our own: it lists every problem with its place (docs/decisions/0013-dataset-validation.md).
Only the words of JSON Schema that our schemas use are known; a test checks that jsonschema agrees.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from pincite.answers import shown
from pincite.datasets import formats
from pincite.datasets.formats import FORMATS, Kind
from pincite.datasets.record import Record, field_names
from pincite.records import SCHEMA_VERSION

Steps = tuple[Any, str | int] | None
"""Where a value is: its parent's place, and the key or index there."""
Misfit = tuple[Steps, str, str]
"""A place, what was expected, what was found."""

_TYPES: dict[str, tuple[str, frozenset[type]]] = {
    "string": ("a text", frozenset({str})),
    "integer": ("a whole number", frozenset({int})),
    "number": ("a number", frozenset({int, float})),
    "object": ("an object", frozenset({dict})),
    "array": ("a list", frozenset({list})),
    "boolean": ("true or false", frozenset({bool})),
    "null": ("null", frozenset({type(None)})),
}


class Problem(Struct, frozen=True):
    """One thing that is wrong with a file or a value."""

    file: str
    """The path as it was given, or an empty string for a value that came from no file."""
    pointer: str
    """A JSON pointer (RFC 6901) to the value, or `line 12` in a file of lines."""
    expected: str
    found: str

    def __str__(self) -> str:
        place = ":".join(part for part in (self.file, self.pointer) if part) or "the whole value"
        return f"{place}: expected {self.expected}, found {self.found}"


def step(key: str | int) -> str:
    """One step of a JSON pointer, with its slash."""
    return "/" + str(key).replace("~", "~0").replace("/", "~1")


def pointer_of(place: Steps) -> str:
    """The JSON pointer of a place."""
    steps: list[str] = []
    while place is not None:
        place, key = place
        steps.append(step(key))
    return "".join(reversed(steps))


def check_schema(value: Any, schema: Any, root: dict[str, Any], place: Steps, found: list[Misfit]) -> None:
    """Add every problem of a value to `found`. References are looked up in `root`."""
    if schema is True or schema is False:
        return
    schema = _target(schema, root)
    if "anyOf" in schema:
        _check_choices(value, schema["anyOf"], root, place, found)
    if "if" in schema:
        failed: list[Misfit] = []
        check_schema(value, schema["if"], root, place, failed)
        check_schema(value, schema["else" if failed else "then"], root, place, found)
    kind = schema.get("type")
    if kind is not None and not _has_type(value, kind):
        found.append((place, _TYPES[kind][0], shown(value)))
    elif isinstance(value, str):
        _check_text(value, schema, place, found)
    elif isinstance(value, dict):
        _check_fields(value, schema, root, place, found)
    elif isinstance(value, list):
        _check_list(value, schema, root, place, found)
    elif "minimum" in schema or "maximum" in schema:
        _check_number(value, schema, place, found)


def _target(schema: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in schema:
        return schema
    named: dict[str, Any] = root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    return named


def _has_type(value: Any, kind: str) -> bool:
    return type(value) in _TYPES[kind][1] or (
        kind == "integer" and type(value) is float and value.is_integer()
    )


def _check_fields(
    value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any], place: Steps, found: list[Misfit]
) -> None:
    for key in schema.get("required", ()):
        if key not in value:
            found.append(((place, key), "this field", "nothing"))
    properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for key, held in value.items():
        part = properties.get(key, others)
        if part is not True:
            check_schema(held, part, root, (place, key), found)


def _check_list(
    value: list[Any], schema: dict[str, Any], root: dict[str, Any], place: Steps, found: list[Misfit]
) -> None:
    least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not least <= len(value) <= most:
        found.append((place, f"a list of {least if least == most else f'{least} or more'}", shown(value)))
        return
    first, rest = schema.get("prefixItems", ()), schema.get("items", True)
    for index, held in enumerate(value):
        check_schema(held, first[index] if index < len(first) else rest, root, (place, index), found)


def _check_text(value: str, schema: dict[str, Any], place: Steps, found: list[Misfit]) -> None:
    if "enum" in schema and value not in schema["enum"]:
        found.append((place, f"one of {', '.join(schema['enum'])}", shown(value)))
    if len(value) < schema.get("minLength", 0):
        found.append((place, "a text that is not empty", shown(value)))
    elif "pattern" in schema and re.search(schema["pattern"], value) is None:
        words = schema.get("description", "another form")
        found.append((place, words[:1].lower() + words[1:], shown(value)))


def _check_number(value: Any, schema: dict[str, Any], place: Steps, found: list[Misfit]) -> None:
    low, high = schema.get("minimum"), schema.get("maximum")
    if (low is not None and value < low) or (high is not None and value > high):
        both = low is not None and high is not None
        words = f"a number from {low} to {high}" if both else f"{low} or more"
        found.append((place, words, shown(value)))


def _check_choices(
    value: Any, choices: list[dict[str, Any]], root: dict[str, Any], place: Steps, found: list[Misfit]
) -> None:
    """One of the choices must fit; where only one has the right type, its own problems are reported."""
    tried: list[list[Misfit]] = []
    for choice in choices:
        kind = _target(choice, root).get("type")
        if kind is None or _has_type(value, kind):
            problems: list[Misfit] = []
            check_schema(value, choice, root, place, problems)
            if not problems:
                return
            tried.append(problems)
    if len(tried) == 1:
        found.extend(tried[0])
        return
    targets = [_target(choice, root) for choice in choices]
    words = [_TYPES[one["type"]][0] if "type" in one else " and ".join(one["required"]) for one in targets]
    found.append((place, " or ".join(dict.fromkeys(words)), shown(value)))


FOLDER = Path(__file__).parent / "schemas"
SEMANTIC_VERSION = r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)([-+][0-9A-Za-z.+-]+)?$"
_NULL = {"type": "null"}
_NAMES = ("file_name", "document_id", "file_path", "title")
_MAY_BE_NULL = {("BenchmarkEntry", "value")}
"""Fields that must be there and may still say that nothing could be measured."""


def file_of(kind: Kind) -> Path:
    """Where the schema of a kind is shipped."""
    return FOLDER / f"{FORMATS[kind].title.lower().replace(' ', '_')}.schema.json"


@cache
def schema_of(kind: Kind) -> dict[str, Any]:
    """The schema of a kind of file."""
    record = FORMATS[kind].record
    named: list[type[Record]] = [record]
    if kind == "ground_truth":
        named += [formats.CitationAnnotation, formats.AnswerQualityAnnotation]
    _, parts = msgspec.json.schema_components(named, ref_template="#/$defs/{name}")
    parts = {name: _mended(name, part) for name, part in parts.items()}
    top = parts.pop(record.__name__)
    if kind == "ground_truth":
        top["properties"]["annotations"]["items"] = {
            "if": {"anyOf": [{"required": ["quality_scores"]}, {"required": ["answer_text"]}]},
            "then": {"$ref": "#/$defs/AnswerQualityAnnotation"},
            "else": {"$ref": "#/$defs/CitationAnnotation"},
        }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:pincite:{file_of(kind).name.split('.')[0]}:{SCHEMA_VERSION}",
        **{**top, "title": FORMATS[kind].title},
        **({"$defs": dict(sorted(parts.items()))} if parts else {}),
    }


def _mended(name: str, part: dict[str, Any]) -> dict[str, Any]:
    """What a valid file must have, which is more than what can be read."""
    record: type[Record] = getattr(formats, name)
    properties = {
        key: {word: held for word, held in part["properties"][key].items() if word != "default"}
        for key in field_names(record)
    }
    if "schema_version" in properties:
        properties["schema_version"] = {"type": "integer", "minimum": 1, "maximum": SCHEMA_VERSION}
    if "version" in properties:
        properties["version"]["pattern"] = SEMANTIC_VERSION
    for key in record.required:
        if (name, key) not in _MAY_BE_NULL:
            properties[key] = _not_null(properties[key])
    made: dict[str, Any] = {
        "title": name,
        "description": part.get("description", ""),
        "type": "object",
        "properties": properties,
        "required": list(record.required),
    }
    if issubclass(record, formats.CitationSpan):
        made["anyOf"] = [
            {"required": [key], "properties": {key: {"type": "string", "minLength": 1}}} for key in _NAMES
        ]
    return made


def _not_null(schema: dict[str, Any]) -> dict[str, Any]:
    choices = [choice for choice in schema.get("anyOf", []) if choice != _NULL]
    if not choices:
        return schema
    return choices[0] if len(choices) == 1 else {**schema, "anyOf": choices}


def as_text(kind: Kind) -> str:
    """A schema as its file holds it."""
    return json.dumps(schema_of(kind), indent=2) + "\n"


if __name__ == "__main__":
    for kind in FORMATS:
        file_of(kind).write_text(as_text(kind), encoding="utf-8")
