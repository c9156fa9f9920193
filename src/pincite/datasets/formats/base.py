"""What the records of all data formats share: read from plain values, they keep what they do not know."""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Struct, field, structs

from pincite.datasets.formats.misfits import misfit
from pincite.errors import InputError
from pincite.records import SCHEMA_VERSION

_LONE = re.compile("[\ud800-\udfff]")
_LARGEST = 2.0**63
_EXTRA = "\ue000extra"
"""No file has a field of this name, so that one called `extra` is a field like any other."""


class Record(Struct, frozen=True, kw_only=True):
    """The base of the records. Fields that a format does not name are kept in `extra`."""

    required: ClassVar[tuple[str, ...]] = ()
    """What a valid file must have. Less is asked of one that is only read."""

    extra: Any = field(default_factory=dict, name=_EXTRA)


class Versioned(Record, frozen=True, kw_only=True):
    """A record that is a file of its own."""

    schema_version: int | str = SCHEMA_VERSION
    """A whole number; others are read as well."""


T = TypeVar("T", bound=Record)


def from_plain(kind: type[T], value: Any) -> T:
    """The record of a plain value, as a file holds it. What does not fit raises `InputError`.

    Enumerations, ranges and the like are not looked at here: older and odder files are read, and
    `validate` tells what is wrong with them.
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
            record = _converted(kind, value)
        except msgspec.ValidationError:
            # Tools write null for what they do not have, and ids as numbers; only now is it worth looking.
            value = _mended(kind, value)
            record = _converted(kind, value)
    except msgspec.ValidationError as error:
        raise InputError(misfit(error)) from None
    except UnicodeEncodeError:
        raise InputError("half a character stands where a number is expected") from None
    except (RecursionError, OverflowError) as error:
        raise InputError(f"the value cannot be read: {error}") from None
    _keep_unknown(record, value)
    return record


def to_plain(record: Record) -> dict[str, Any]:
    """The plain value of a record. What is at its default is left out, unless a file must say it."""
    value: dict[str, Any] = {}
    names = field_names(type(record))
    defaults = _defaults(type(record))
    for name in names:
        held = getattr(record, name)
        if name in type(record).required or name == "schema_version" or held != defaults[name]:
            value[name] = _plain(held)
    for name, held in record.extra.items():
        value.setdefault(name, held)
    return value


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
    if not value.keys() <= known:
        structs.force_setattr(record, "extra", {k: v for k, v in value.items() if k not in known})
    elif record.extra:
        structs.force_setattr(record, "extra", {})
    for name in _nested(type(record)):
        if name in value:
            _descend(getattr(record, name), value[name])


def _descend(held: Any, value: Any) -> None:
    if isinstance(held, Record):
        _keep_unknown(held, value)
    elif isinstance(held, tuple):
        for one, plain in zip(held, value, strict=True):
            _descend(one, plain)
    elif isinstance(held, dict):
        for key, one in held.items():
            _descend(one, value[key])


def _converted(kind: type[T], value: Any) -> T:
    try:
        return msgspec.convert(value, kind)
    except UnicodeEncodeError:
        # The library compares names as UTF-8, which one with half a character does not have. Such a name is
        # none of the format's, so the record does not need it; `_keep_unknown` keeps it.
        return msgspec.convert(_with_whole_names(kind, value), kind)


def _with_whole_names(kind: type[Record], value: Any) -> Any:
    if isinstance(value, list):
        return [_with_whole_names(kind, one) for one in value]
    if not isinstance(value, Mapping):
        return value
    nested = _nested(kind)
    return {
        name: _with_whole_names(nested[name], held) if name in nested else held
        for name, held in value.items()
        if not isinstance(name, str) or _LONE.search(name) is None
    }


def _mended(kind: type[Record], value: Any) -> Any:
    """The same value without the format's fields that are null, with ids that are texts and 9.0 as 9."""
    if isinstance(value, list):
        # Ids may stand where records may, as among relevant documents.
        return [_text(one) if isinstance(one, int) else _mended(kind, one) for one in value]
    if not isinstance(value, Mapping):
        return value
    known, nested = _known(kind), _nested(kind)
    made = {}
    for name, held in value.items():
        if name in nested:
            held = _mended(nested[name], held)
        elif name in known and (name.endswith("_id") or name == "version"):
            held = _text(held)
        elif name in known and isinstance(held, float) and held.is_integer() and abs(held) < _LARGEST:
            held = int(held)
        if held is not None or name not in known:
            made[name] = held
    return made


def _text(value: Any) -> Any:
    """A number as text: ids are often numbers, and YAML takes a version such as 1.0 for one."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


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


__all__ = ["Record", "Versioned", "field_names", "from_plain", "to_plain"]
