"""The parameters in a metric's name, read as its fields want them. What is wrong is said in plain words."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from pincite.errors import ConfigError
from pincite.metrics.metric import Metric

USUAL_CUTS = (1, 3, 5, 10)
"""How many documents those look at who measure retrieval, for a hint."""


def read_parameters(kind: type[Metric], k: str | None, inner: str) -> dict[str, Any]:
    """What stands behind `@` and between the brackets of a name, by parameter."""
    given = _split(inner)
    if k is not None:
        if "k" in given:
            raise ConfigError("k is given twice")
        given["k"] = int(k)
    fields = _fields(kind)
    types = {field.name: field.type for field in fields}
    for name in given:
        if name == "k" and "k" not in types:
            raise ConfigError(f"{kind.title} looks at no ranks, so it takes no @")
        if name not in types:
            raise ConfigError(f"there is no parameter {name!r:.40}; it has {', '.join(types)}")
    read = {name: _read(name, value, types[name]) for name, value in given.items()}
    for field in fields:
        if field.required and field.name not in read:
            if field.name == "k":
                usual = ", ".join(f"{kind.title}@{cut}" for cut in USUAL_CUTS)
                raise ConfigError(f"it needs to know how many documents count: {usual} or any other number")
            raise ConfigError(f"it needs {field.name}=…")
    return read


@cache
def _fields(kind: type[Metric]) -> tuple[msgspec.structs.FieldInfo, ...]:
    # The annotations are evaluated anew at each call, which takes longer than all the rest.
    return msgspec.structs.fields(kind)


def _split(inner: str) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in inner.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise ConfigError("write parameters as name=value")
        if name in given:
            raise ConfigError(f"{name} is given twice")
        try:
            given[name] = json.loads(value)
        except (ValueError, RecursionError):
            given[name] = value
    return given


def _read(name: str, value: Any, wanted: Any) -> Any:
    try:
        read = msgspec.convert(value, wanted, strict=False)
    except msgspec.ValidationError:
        read = math.nan
    if isinstance(read, float) and not math.isfinite(read):
        raise ConfigError(f"{name} is {_told(inspect.type_info(wanted))}, not {value!r:.40}")
    return read


def _told(wanted: inspect.Type) -> str:
    match wanted:
        case inspect.UnionType(types=types):
            return " or ".join(_told(one) for one in types if not isinstance(one, inspect.NoneType))
        case inspect.LiteralType(values=values):
            return " or ".join(map(str, values))
        case inspect.EnumType(cls=names):
            return " or ".join(str(one.value) for one in names)
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=least):
            return "a whole number" + ("" if least is None else f", {least} or more")
        case inspect.FloatType():
            return "a number"
    return "something else"
