"""Why a plain value is not the record that it should be, in the words of this project and with its place."""

from __future__ import annotations

import re

import msgspec

_MISSING = re.compile(r"Object missing required field `(?P<field>[^`]*)`")
_TYPE = re.compile(r"Expected `(?P<wanted>[^`]*)`, got `(?P<found>[^`]*)`")
_PLACE = re.compile(r" - at (?:`key` in )?`\$(?P<path>[^`]*)`\Z")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_WORDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def misfit(error: msgspec.ValidationError) -> str:
    """What msgspec found, as `expected a whole number at /citations/0/start_char, found a text`."""
    said = str(error)
    place = _PLACE.search(said)
    where = f" at {_pointer(place['path'])}" if place and place["path"] else ""
    missing, wrong = _MISSING.match(said), _TYPE.match(said)
    if missing is not None:
        return f"expected the field {missing['field']}{where}, found none"
    if wrong is not None:
        return f"expected {_kinds(wrong['wanted'])}{where}, found {_kinds(wrong['found'])}"
    return f"{said[: place.start()] if place else said}{where}"


def _pointer(path: str) -> str:
    """A path as a JSON pointer. The library does not tell the key of a mapping, which becomes `…`."""
    steps = (field or index.replace("...", "…") for field, index in _STEP.findall(path))
    return "".join(f"/{step}" for step in steps)


def _kinds(names: str) -> str:
    return " or ".join(_WORDS.get(name, name) for name in names.split(" | "))
