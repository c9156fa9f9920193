"""Every metric that is known, as a person who looks for one wants to read of it."""

from __future__ import annotations

from msgspec import Struct

from pincite.config import Settings
from pincite.errors import ConfigError
from pincite.metrics.metric import Metric
from pincite.metrics.names import metric_names, parse_metric
from pincite.metrics.parameters import USUAL_CUTS

JUDGE = "a judge"


class Listed(Struct, frozen=True, kw_only=True):
    """One metric of the list."""

    name: str
    """As it prints with its usual parameters."""
    summary: str
    threshold: float | None = None
    higher_is_better: bool = True
    needs: tuple[str, ...] = ()


def list_metrics(settings: Settings) -> tuple[Listed, ...]:
    """Those that ship, those of installed packages and those that were registered, by name."""
    return tuple(_listed(title, settings) for title in metric_names())


def _listed(title: str, settings: Settings) -> Listed:
    try:
        metric = _usual(title)
    except ConfigError as error:  # of another package; the others can be listed all the same
        return Listed(name=title, summary=str(error))
    asks = type(metric).pairs is not Metric.pairs
    return Listed(
        name=str(metric),
        summary=next(iter((type(metric).__doc__ or "").strip().splitlines()), ""),
        threshold=metric.bar(settings),
        higher_is_better=metric.higher_is_better,
        needs=(*metric.needs, *((JUDGE,) if asks else ())),
    )


def _usual(title: str) -> Metric:
    """The metric with its usual parameters; one that must be told where to cut is shown with the last cut."""
    try:
        return parse_metric(title)
    except ConfigError as error:
        try:
            return parse_metric(f"{title}@{USUAL_CUTS[-1]}")
        except ConfigError:
            raise error from None
