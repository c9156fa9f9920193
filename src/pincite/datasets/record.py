"""What the records of all data formats share: read from plain values, they keep fields they do not know."""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, TypeGuard, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Struct, field, structs

from pincite.errors import InputError
from pincite.records import SCHEMA_VERSION

_LONE = re.compile("[\ud800-\udfff]")
_LARGEST = 2.0**63
_EXTRA = "\ue000extra"
"""No file has a field of this name, so that one called `extra` is a field like any other."""
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
}


class Record(Struct, frozen=True, kw_only=True):
    """The base of the records. Fields that a format does not name are kept in `extra`."""

    required: ClassVar[tuple[str, ...]] = ()
    """What a valid file must have. A file that is only read may have less."""

    extra: Any = field(default_factory=dict, name=_EXTRA)


class Versioned(Record, frozen=True, kw_only=True):
    """A record that is a file of its own."""

    schema_version: int | str = SCHEMA_VERSION
    """A whole number; others are read as well."""


T = TypeVar("T", bound=Record)


def from_plain(kind: type[T], value: Any) -> T:
    """The record of a plain value, as a file holds it. What does not fit raises `InputError`.

    Enumerations, ranges and the like are not checked here: older and odder files are read, and
    `validate` says what is wrong with them.
    """
    if not isinstance(value, Mapping):
        raise InputError(f"expected an object, found {type(value).__name__}")
    version = value.get("schema_version")
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise InputError(
            f"this was written in schema version {version}, and this Pincite reads up to {SCHEMA_VERSION}: "
            "update Pincite to read it"
        )
    try:
        try:
            record = msgspec.convert(value, kind)
        except (msgspec.ValidationError, UnicodeEncodeError):
            # Tools write null for what they do not have, and ids as numbers; a name with half a character
            # cannot be compared with ours. Only now is it worth looking.
            record = msgspec.convert(_mended(kind, value), kind)
    except msgspec.ValidationError as error:
        raise InputError(_misfit(error)) from None
    except UnicodeEncodeError:
        raise InputError("expected a number, found half a character") from None
    except (RecursionError, OverflowError) as error:
        raise InputError(f"the value cannot be read: {error}") from None
    _keep_unknown(record, value)
    return record


def to_plain(record: Record) -> dict[str, Any]:
    """The plain value of a record. Defaults are left out, except in fields that a file must have."""
    value: dict[str, Any] = {}
    defaults = _defaults(type(record))
    for name in field_names(type(record)):
        held = getattr(record, name)
        if name in type(record).required or name == "schema_version" or held != defaults[name]:
            value[name] = _plain(held)
    return {**value, **{name: held for name, held in record.extra.items() if name not in value}}


@cache
def field_names(kind: type[Record]) -> tuple[str, ...]:
    """The fields that the format names, in order; the version first."""
    names = [name for name in kind.__struct_fields__ if name != "extra"]
    return tuple(sorted(names, key=lambda name: name != "schema_version"))


def _plain(held: Any) -> Any:
    if isinstance(held, Record):
        return to_plain(held)
    if isinstance(held, tuple | list):
        return [_plain(one) for one in held]
    return held


def _keep_unknown(record: Record, value: Mapping[str, Any]) -> None:
    known = _known(type(record))
    structs.force_setattr(record, "extra", {name: value[name] for name in value if name not in known})
    for name in _nested(type(record)):
        _descend(getattr(record, name), value.get(name))


def _descend(held: Any, value: Any) -> None:
    if isinstance(held, Record):
        _keep_unknown(held, value)
    elif isinstance(held, tuple) and value is not None:
        for one, plain in zip(held, value, strict=True):
            _descend(one, plain)


def _mended(kind: type[Record], value: Any) -> Any:
    """The same value without the format's fields that are null, with ids that are texts and 9.0 as 9."""
    if isinstance(value, list):
        # Ids may be where records may, as among relevant documents.
        return [_text(one) if isinstance(one, int) else _mended(kind, one) for one in value]
    if not isinstance(value, Mapping):
        return value
    known, nested = _known(kind), _nested(kind)
    made = {}
    for name, held in value.items():
        if name not in known:
            if not isinstance(name, str) or _LONE.search(name) is None:
                made[name] = held
            continue
        if name in nested:
            held = _mended(nested[name], held)
        elif name.endswith("_id") or name == "version":
            held = _text(held)
        elif isinstance(held, float) and held.is_integer() and abs(held) < _LARGEST:
            held = int(held)
        if held is not None:
            made[name] = held
    return made


def is_number(value: Any) -> TypeGuard[float]:
    """Whether a plain value is a number; to Python, true and false are numbers too."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: Any) -> Any:
    """A number as text: ids are often numbers, and YAML takes a version such as 1.0 for one."""
    return str(value) if is_number(value) else value


@cache
def _known(kind: type[Record]) -> frozenset[str]:
    return frozenset(field_names(kind))


@cache
def _defaults(kind: type[Record]) -> dict[str, Any]:
    return {
        one.name: one.default_factory() if one.default_factory is not msgspec.NODEFAULT else one.default
        for one in structs.fields(kind)
    }


@cache
def _nested(kind: type[Record]) -> dict[str, type[Record]]:
    """The fields that hold records, alone or in lists, and which records."""
    hints = get_type_hints(kind)
    found = {name: _record_in(hints[name]) for name in field_names(kind)}
    return {name: record for name, record in found.items() if record is not None}


def _record_in(hint: Any) -> type[Record] | None:
    if isinstance(hint, type) and not isinstance(hint, types.GenericAlias):
        return hint if issubclass(hint, Record) else None
    return next((record for part in get_args(hint) if (record := _record_in(part)) is not None), None)


def _misfit(error: msgspec.ValidationError) -> str:
    """What msgspec found, as `expected a whole number at /citations/0/start_char, found a text`."""
    said = str(error)
    place = _PLACE.search(said)
    # msgspec does not say the key of a mapping, which becomes `…`.
    steps = _STEP.findall(place["path"]) if place else ()
    where = "".join(f"/{name or index.replace('...', '…')}" for name, index in steps)
    where = f" at {where}" if where else ""
    if (missing := _MISSING.match(said)) is not None:
        return f"expected the field {missing['field']}{where}, found none"
    if (wrong := _TYPE.match(said)) is not None:
        return f"expected {_kinds(wrong['wanted'])}{where}, found {_kinds(wrong['found'])}"
    return f"{said[: place.start()] if place else said}{where}"


def _kinds(names: str) -> str:
    return " or ".join(_WORDS.get(name, name) for name in names.split(" | "))
