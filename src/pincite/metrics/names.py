"""Metrics by name: `nDCG@10` and `span_f1(tolerance=10)` print, parse and hash as themselves."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct, defstruct

from pincite.base import did_you_mean
from pincite.config import Settings
from pincite.errors import ConfigError, PinciteError
from pincite.metrics.metric import Metric, non_default_parameters, parameters_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

MODULES = (
    "alce",
    "answer_metrics",
    "citation_metrics",
    "fidelity",
    "graded",
    "references",
    "relevancy",
    "retrieval",
    "span_metrics",
    "span_semantic",
)
"""The modules with the metrics that ship."""

RETRIEVAL = ("hit@1", "hit@3", "hit@5", "precision@5", "recall@5", "nDCG@5", "nDCG@10", "MRR", "MAP@5")
SPANS = (
    "span_jaccard",
    "span_precision(average=micro)",
    "span_recall(average=micro)",
    "span_f1(average=micro)",
    "span_precision",
    "span_recall",
    "span_f1",
    "citation_span_accuracy",
)
CITATIONS = (
    "citation_completeness",
    "citation_correctness",
    "citation_density",
    "fabrication_rate",
    "quote_fidelity",
    "alce_recall",
    "alce_precision",
    "alce_f1",
    "trec_rag_precision",
    "trec_rag_recall",
    "longcite_f1",
)
ANSWERS = ("factual_consistency", "hallucination_rate", "contradiction_rate")

_registered: dict[str, type[Metric]] = {}
_TITLE = r"[A-Za-z][\w.-]*+"
_NAME = re.compile(rf"\s*+({_TITLE})(?:@([0-9]{{1,9}}))?+\s*+(?:\((.*)\))?+\s*+", re.DOTALL)
ENTRY_POINTS = "pincite.metrics"
USUAL_CUTS = (1, 3, 5, 10)
"""How many documents are usually looked at, for a hint."""


def parse_metric(name: str | Metric) -> Metric:
    """The metric of that name; a metric is returned unchanged."""
    if isinstance(name, Metric):
        if not name.title:
            raise ConfigError(
                f"the metric {type(name).__name__} has no title: set one, or register it by name"
            )
        return name
    if not isinstance(name, str):
        raise ConfigError(f"{name!r:.60} is not a metric: give its name, or a metric with its parameters")
    read = _NAME.fullmatch(name)
    if read is None:
        raise ConfigError(f"{name!r:.60} is not a metric name: write it as nDCG@10 or span_f1(tolerance=10)")
    title, k, inner = read.groups()
    kind = _find(title)
    try:
        return kind(**_read_parameters(kind, k, inner or ""))
    except (ConfigError, TypeError, ValueError) as error:  # a metric of others may refuse a value itself
        raise ConfigError(f"metric {name!r:.60}: {error}") from None


def _read_parameters(kind: type[Metric], k: str | None, inner: str) -> dict[str, Any]:
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


def known_metric(name: str) -> Metric:
    """The metric of that name; a plain `Metric`, a mean that should be high, where nobody knows it."""
    try:
        return parse_metric(name)
    except (PinciteError, ImportError, AttributeError):
        return Metric()


def register_metrics(metrics: Mapping[str, Metric | type[Metric]]) -> None:
    """Make metrics known by name, beside those that ship and those of installed packages."""
    made = {name: _made_known(name, metric) for name, metric in metrics.items()}
    _registered.update({name.lower(): kind for name, kind in made.items()})


def _made_known(name: str, metric: Metric | type[Metric]) -> type[Metric]:
    refused = f"cannot register {name!r:.60}"
    if not isinstance(name, str) or not re.fullmatch(_TITLE, name):
        raise ConfigError(f"{refused}: a name is letters, digits and _, without @ or parameters")
    kind = metric if isinstance(metric, type) else type(metric)
    if not issubclass(kind, Metric):
        raise ConfigError(f"{refused}: give a pincite.Metric, not {kind.__name__}")
    if kind.score is Metric.score:
        raise ConfigError(f"{refused}: {kind.__name__} has no score()")
    known = _renamed(name, metric)
    if _shipped(name.lower()) not in (None, known):
        raise ConfigError(f"{refused}: a metric of this name ships with Pincite; choose another")
    return known


def metric_names() -> tuple[str, ...]:
    """The title of every metric that is known."""
    titles = {*shipped_metrics(), *_installed(), *(kind.title for kind in _registered.values())}
    return tuple(sorted(titles, key=str.lower))


def _find(title: str) -> type[Metric]:
    wanted = title.lower()
    if wanted in _registered:
        return _registered[wanted]
    shipped = _shipped(wanted)
    if shipped is not None:
        return shipped
    installed = {name.lower(): point for name, point in _installed().items()}
    if wanted in installed:
        return _loaded(installed[wanted])
    hint = did_you_mean(title, metric_names(), "; `pincite explain` lists them all")
    raise ConfigError(f"there is no metric {title!r:.60}{hint}")


def _shipped(wanted: str) -> type[Metric] | None:
    return next((kind for title, kind in shipped_metrics().items() if title.lower() == wanted), None)


@cache
def shipped_metrics() -> dict[str, type[Metric]]:
    """The metrics that ship: every class with a title, by its title."""
    modules = (import_module(f"pincite.metrics.{name}") for name in MODULES)
    kinds = (value for module in modules for value in vars(module).values() if isinstance(value, type))
    return {kind.title: kind for kind in kinds if issubclass(kind, Metric) and kind.title}


def _loaded(point: EntryPoint) -> type[Metric]:
    try:
        return _made_known(point.name, point.load())
    except Exception as error:  # the code of another package, which may do anything
        raise ConfigError(
            f"the metric {point.name!r:.60} of {point.value} cannot be loaded: {error}"
        ) from None


def _installed() -> dict[str, EntryPoint]:
    return _entry_points(tuple((folder, _changed_at(folder)) for folder in sys.path))


@lru_cache(maxsize=1)
def _entry_points(places: tuple[tuple[str, int], ...]) -> dict[str, EntryPoint]:
    """The metrics that installed packages bring.

    Looking through all packages takes milliseconds, so it is done again only when the places change: where
    packages lie, and when something was last installed there.
    """
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _changed_at(folder: str) -> int:
    try:
        return Path(folder).stat().st_mtime_ns
    except (OSError, TypeError, ValueError):  # not there, or no path at all: anything may be in `sys.path`
        return 0


def _renamed(title: str, metric: Metric | type[Metric]) -> type[Metric]:
    """The same metric under another title. Given parameters become the defaults of the class."""
    kind = metric if isinstance(metric, type) else type(metric)
    given = {} if isinstance(metric, type) else non_default_parameters(metric)
    if kind.title == title and not given:
        return kind
    types = {field.name: field.type for field in parameters_of(kind)}
    made = defstruct(
        kind.__name__,
        [(name, types[name], value) for name, value in given.items()],
        bases=(kind,),
        module=kind.__module__,
        namespace={
            "__doc__": kind.__doc__,
            "title": title,
            "__reduce__": lambda self: (_made_again, (self.title, metric, non_default_parameters(self))),
        },
        frozen=True,
        kw_only=True,
    )
    return cast("type[Metric]", made)


def _made_again(title: str, metric: Metric | type[Metric], given: dict[str, Any]) -> Metric:
    """For another process, which knows the metric and not its new name."""
    return _renamed(title, metric)(**given)


# --- lists of metrics -----------------------------------------------------------------------------


def usual_metrics(
    *,
    retrieval: bool = True,
    spans: bool = True,
    web: bool = False,
    data: bool = False,
    references: bool = False,
) -> tuple[str, ...]:
    """The metrics of a run when none are named: those that the data can say something about.

    `web` says that answers cite pages or papers, `data` that there are JSON values for path citations,
    `references` that there are numbered lists of references.
    """
    return (
        *(RETRIEVAL if retrieval else ()),
        *(SPANS if spans else ()),
        *CITATIONS,
        *ANSWERS,
        *(("citation_relevancy",) if web else ()),
        *(("citation_fidelity",) if data else ()),
        *(("citation_accuracy",) if references else ()),
    )


class ListedMetric(Struct, frozen=True, kw_only=True):
    """One metric, as `pincite explain` lists it."""

    name: str
    """As it prints with its usual parameters."""
    summary: str
    threshold: float | None = None
    higher_is_better: bool = True
    needs: tuple[str, ...] = ()


def list_metrics(settings: Settings) -> tuple[ListedMetric, ...]:
    """Every metric that ships, is installed or was registered, by name."""
    return tuple(_listed(title, settings) for title in metric_names())


def _listed(title: str, settings: Settings) -> ListedMetric:
    try:
        metric = _with_usual_parameters(title)
    except ConfigError as error:  # of another package; the others can be listed all the same
        return ListedMetric(name=title, summary=str(error))
    asks = type(metric).pairs is not Metric.pairs
    return ListedMetric(
        name=str(metric),
        summary=next(iter((type(metric).__doc__ or "").strip().splitlines()), ""),
        threshold=metric.threshold_for(settings),
        higher_is_better=metric.higher_is_better,
        needs=(*metric.needs, *(("a judge",) if asks else ())),
    )


def _with_usual_parameters(title: str) -> Metric:
    """The metric with its default parameters; one that needs a cut gets the last of the usual ones."""
    try:
        return parse_metric(title)
    except ConfigError as error:
        try:
            return parse_metric(f"{title}@{USUAL_CUTS[-1]}")
        except ConfigError:
            raise error from None
