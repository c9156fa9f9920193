"""The parameters in a metric's name. The metric itself checks their values."""

from __future__ import annotations

import json
from typing import Any

from pincite.errors import ConfigError
from pincite.metrics.metric import Metric, parameters_of

USUAL_CUTS = (1, 3, 5, 10)
"""How many documents are usually looked at, for a hint."""


def read_parameters(kind: type[Metric], k: str | None, inner: str) -> dict[str, Any]:
    """What follows `@` and what is in the brackets of a name, by parameter."""
    given = _split(inner)
    if k is not None:
        if "k" in given:
            raise ConfigError("k is given twice")
        given["k"] = int(k)
    names = [field.name for field in parameters_of(kind)]
    for name in given:
        if name == "k" and "k" not in names:
            raise ConfigError(f"{kind.title} looks at no ranks, so it takes no @")
        if name not in names:
            raise ConfigError(f"there is no parameter {name!r:.40}; it has {', '.join(names)}")
    for field in parameters_of(kind):
        if field.required and field.name not in given:
            if field.name == "k":
                usual = ", ".join(f"{kind.title}@{cut}" for cut in USUAL_CUTS)
                raise ConfigError(f"it needs to know how many documents count: {usual} or any other number")
            raise ConfigError(f"it needs {field.name}=…")
    return given


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
