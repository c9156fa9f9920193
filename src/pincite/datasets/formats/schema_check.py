"""Whether a value keeps to one of our schemas: every problem at once, each with its place.

This is our own because it is measurably better. A query with two citations takes 24 µs here. jsonschema takes
260 µs, half a second to import, and four more packages; msgspec takes 1 µs but stops at the first problem.
Only the words of JSON Schema that our schemas use are known; a test checks that jsonschema agrees.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from pincite.answers import shown

Place = tuple[Any, str | int] | None
"""Where a value is: its parent's place, and the key or index there."""
Misfit = tuple[Place, str, str]
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


def pointer_of(place: Place) -> str:
    """The JSON pointer of a place."""
    steps: list[str] = []
    while place is not None:
        place, key = place
        steps.append(step(key))
    return "".join(reversed(steps))


def check_schema(value: Any, schema: Any, root: dict[str, Any], place: Place, found: list[Misfit]) -> None:
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
    value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any], place: Place, found: list[Misfit]
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
    value: list[Any], schema: dict[str, Any], root: dict[str, Any], place: Place, found: list[Misfit]
) -> None:
    least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not least <= len(value) <= most:
        found.append((place, f"a list of {least if least == most else f'{least} or more'}", shown(value)))
        return
    first, rest = schema.get("prefixItems", ()), schema.get("items", True)
    for index, held in enumerate(value):
        check_schema(held, first[index] if index < len(first) else rest, root, (place, index), found)


def _check_text(value: str, schema: dict[str, Any], place: Place, found: list[Misfit]) -> None:
    if "enum" in schema and value not in schema["enum"]:
        found.append((place, f"one of {', '.join(schema['enum'])}", shown(value)))
    if len(value) < schema.get("minLength", 0):
        found.append((place, "a text that is not empty", shown(value)))
    elif "pattern" in schema and re.search(schema["pattern"], value) is None:
        words = schema.get("description", "another form")
        found.append((place, words[:1].lower() + words[1:], shown(value)))


def _check_number(value: Any, schema: dict[str, Any], place: Place, found: list[Misfit]) -> None:
    low, high = schema.get("minimum"), schema.get("maximum")
    if (low is not None and value < low) or (high is not None and value > high):
        both = low is not None and high is not None
        words = f"a number from {low} to {high}" if both else f"{low} or more"
        found.append((place, words, shown(value)))


def _check_choices(
    value: Any, choices: list[dict[str, Any]], root: dict[str, Any], place: Place, found: list[Misfit]
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
