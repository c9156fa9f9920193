"""A metric under another name: the same arithmetic, with a title and usual parameters of its own."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import msgspec

from pincite.metrics.metric import Metric


def renamed(title: str, metric: Metric | type[Metric]) -> type[Metric]:
    """The kind of metric that prints as `title`. The parameters of a metric that has some become usual."""
    kind = metric if isinstance(metric, type) else type(metric)
    given = {} if isinstance(metric, type) else unusual_parameters(metric)
    if kind.title == title and not given:
        return kind
    types = {field.name: field.type for field in msgspec.structs.fields(kind)}
    made = msgspec.defstruct(
        kind.__name__,
        [(name, types[name], value) for name, value in given.items()],
        bases=(kind,),
        module=kind.__module__,
        namespace={"__doc__": kind.__doc__, "title": title, "__reduce__": lambda self: _sent(self, metric)},
        frozen=True,
        kw_only=True,
    )
    return cast("type[Metric]", made)


def unusual_parameters(metric: Metric) -> dict[str, Any]:
    """The parameters of a metric that are not the usual ones of its kind."""
    usual = usual_parameters(type(metric))
    return {name: value for name, default in usual if (value := getattr(metric, name)) != default}


@cache
def usual_parameters(kind: type[Metric]) -> tuple[tuple[str, Any], ...]:
    """The parameters of a kind and their usual values, looked up once: every result names its metric."""
    return tuple((field.name, field.default) for field in msgspec.structs.fields(kind))


def _sent(named: Metric, metric: Metric | type[Metric]) -> tuple[Any, ...]:
    """How another process, which knows the metric and not its new name, makes it again."""
    return _made_again, (named.title, metric, unusual_parameters(named))


def _made_again(title: str, metric: Metric | type[Metric], given: dict[str, Any]) -> Metric:
    return renamed(title, metric)(**given)
