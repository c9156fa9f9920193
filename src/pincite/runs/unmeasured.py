"""Metrics of a run that turn out to say nothing, which is known only when every answer is there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

import msgspec

from pincite.measured import ItemResult

if TYPE_CHECKING:
    from pincite.metrics.metric import Metric
    from pincite.runs.plan import Plan
    from pincite.runs.tally import Tally

Items = Callable[[], Iterator[ItemResult]]


def is_retrieval(metric: Metric) -> bool:
    return metric.place.startswith("retrieval_metrics")


def without_ground(plan: Plan, tally: Tally, named: Collection[str]) -> tuple[str, ...]:
    """Metrics of retrieval where the system never says what it retrieved, but for those asked for by name.

    Zeros would say that it found nothing.
    """
    if plan.by_name or tally.with_retrieval or tally.total == tally.failed:
        return ()
    names = [str(metric) for metric in plan.metrics if is_retrieval(metric)]
    return tuple(name for name in names if name not in named)


def leave_out(items: Items, names: Collection[str]) -> Items:
    """The same items without the results of these metrics."""
    if not names:
        return items

    def left() -> Iterator[ItemResult]:
        for item in items():
            results = tuple(result for result in item.results if result.metric not in names)
            yield msgspec.structs.replace(item, results=results)

    return left
