"""A value checked against a schema, every problem at once and each with its place.

Only the words of JSON Schema that our own schemas use are known; a test holds that a general validator
says the same. A schema is turned into functions once, because a file may hold a million elements.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pincite.datasets.formats.problems import shown, step

Place = tuple[Any, str | int] | None
"""Where a value stands: its parent's place, and the key or index there."""
Found = tuple[Place, str, str]
"""A place, what was expected, what was found."""
Check = Callable[[Any, Place, list[Found]], None]

_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: (
        (isinstance(value, int) and not isinstance(value, bool))
        or (isinstance(value, float) and value.is_integer())
    ),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
_WORDS = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "object": "an object",
    "array": "a list",
    "boolean": "true or false",
    "null": "null",
}


def pointer_of(place: Place) -> str:
    """The JSON pointer of a place."""
    steps: list[str] = []
    while place is not None:
        place, key = place
        steps.append(step(key))
    return "".join(reversed(steps))


def compile_schema(schema: dict[str, Any], root: dict[str, Any] | None = None) -> Check:
    """The check that a schema stands for; references are looked up in `root`."""
    return _Compiler(root or schema).compile(schema)


class _Compiler:
    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self._named: dict[str, Check] = {}

    def compile(self, schema: Any) -> Check:
        if schema is True or schema == {}:
            return _anything
        if schema is False:
            return _nothing
        if "$ref" in schema:
            return self._reference(schema["$ref"])
        checks: list[Check] = []
        if "if" in schema:
            checks.append(self._conditional(schema))
        if "anyOf" in schema:
            checks.append(self._any_of(schema["anyOf"], schema))
        if "enum" in schema:
            checks.append(_one_of(schema["enum"]))
        if "type" in schema:
            checks.append(self._typed(schema))
        elif "properties" in schema or "required" in schema:
            checks.append(self._object_parts(schema))
        return checks[0] if len(checks) == 1 else _all(checks)

    def _reference(self, name: str) -> Check:
        if name not in self._named:
            self._named[name] = self.compile(self._target(name))
        return self._named[name]

    def _target(self, name: str) -> dict[str, Any]:
        target: dict[str, Any] = self._root["$defs"][name.removeprefix("#/$defs/")]
        return target

    def _typed(self, schema: dict[str, Any]) -> Check:
        kind = schema["type"]
        fits, words = _TYPES[kind], _WORDS[kind]
        inner: Check = _anything
        if kind == "object":
            inner = self._object_parts(schema)
        elif kind == "array":
            inner = self._array_parts(schema)
        elif kind == "string":
            inner = _text_parts(schema)
        elif kind in ("integer", "number"):
            inner = _number_parts(schema)

        def check(value: Any, place: Place, found: list[Found]) -> None:
            if not fits(value):
                found.append((place, words, shown(value)))
            elif inner is not _anything:
                inner(value, place, found)

        return check

    def _object_parts(self, schema: dict[str, Any]) -> Check:
        properties = {key: self.compile(part) for key, part in schema.get("properties", {}).items()}
        properties = {key: part for key, part in properties.items() if part is not _anything}
        required = schema.get("required", [])
        others = self.compile(schema.get("additionalProperties", True))

        def check(value: Any, place: Place, found: list[Found]) -> None:
            if not isinstance(value, dict):
                return
            for key in required:
                if key not in value:
                    found.append(((place, key), "this field", "nothing"))
            for key, held in value.items():
                part = properties.get(key)
                if part is not None:
                    part(held, (place, key), found)
                elif others is not _anything:
                    others(held, (place, key), found)

        return check

    def _array_parts(self, schema: dict[str, Any]) -> Check:
        first = [self.compile(part) for part in schema.get("prefixItems", [])]
        rest = self.compile(schema["items"]) if schema.get("items", True) not in (True, False) else _anything
        least, most = schema.get("minItems", 0), schema.get("maxItems")

        def check(value: Any, place: Place, found: list[Found]) -> None:
            if len(value) < least or (most is not None and len(value) > most):
                found.append(
                    (place, f"a list of {least if least == most else f'{least} or more'}", shown(value))
                )
                return
            for index, held in enumerate(value):
                part = first[index] if index < len(first) else rest
                if part is not _anything:
                    part(held, (place, index), found)

        return check

    def _any_of(self, choices: list[dict[str, Any]], schema: dict[str, Any]) -> Check:
        checks = [(self._fits_type(choice), self.compile(choice)) for choice in choices]
        words = " or ".join(dict.fromkeys(self._describe(choice) for choice in choices))

        def check(value: Any, place: Place, found: list[Found]) -> None:
            told: list[list[Found]] = []
            for fits, part in checks:
                if fits(value):
                    problems: list[Found] = []
                    part(value, place, problems)
                    if not problems:
                        return
                    told.append(problems)
            if len(told) == 1:
                found.extend(told[0])
            else:
                found.append((place, words, shown(value)))

        return check

    def _fits_type(self, choice: dict[str, Any]) -> Callable[[Any], bool]:
        if "$ref" in choice:
            choice = self._target(choice["$ref"])
        return _TYPES[choice["type"]] if "type" in choice else lambda value: True

    def _describe(self, choice: dict[str, Any]) -> str:
        if "$ref" in choice:
            choice = self._target(choice["$ref"])
        if "type" in choice:
            return _WORDS[choice["type"]]
        return " and ".join(choice.get("required", ["something else"]))

    def _conditional(self, schema: dict[str, Any]) -> Check:
        test, then, otherwise = (self.compile(schema[key]) for key in ("if", "then", "else"))

        def check(value: Any, place: Place, found: list[Found]) -> None:
            failed: list[Found] = []
            test(value, place, failed)
            (otherwise if failed else then)(value, place, found)

        return check


def _anything(value: Any, place: Place, found: list[Found]) -> None:
    """Every value fits."""


def _nothing(value: Any, place: Place, found: list[Found]) -> None:
    found.append((place, "nothing here", shown(value)))


def _all(checks: list[Check]) -> Check:
    def check(value: Any, place: Place, found: list[Found]) -> None:
        for part in checks:
            part(value, place, found)

    return check if checks else _anything


def _one_of(values: list[Any]) -> Check:
    words = f"one of {', '.join(map(str, values))}"

    def check(value: Any, place: Place, found: list[Found]) -> None:
        if isinstance(value, str) and value not in values:  # another type is told of by the type
            found.append((place, words, shown(value)))

    return check


def _text_parts(schema: dict[str, Any]) -> Check:
    least = schema.get("minLength", 0)
    pattern = re.compile(schema["pattern"]) if "pattern" in schema else None
    described = schema.get("description", "another form")
    words = described[:1].lower() + described[1:]
    if not least and pattern is None:
        return _anything

    def check(value: Any, place: Place, found: list[Found]) -> None:
        if len(value) < least:
            found.append((place, "a text that is not empty", shown(value)))
        elif pattern is not None and pattern.search(value) is None:
            found.append((place, words, shown(value)))

    return check


def _number_parts(schema: dict[str, Any]) -> Check:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is None and high is None:
        return _anything
    words = f"a number from {low} to {high}" if low is not None and high is not None else None
    words = words or (f"{low} or more" if high is None else f"{high} or less")

    def check(value: Any, place: Place, found: list[Found]) -> None:
        if (low is not None and value < low) or (high is not None and value > high):
            found.append((place, words, shown(value)))

    return check
