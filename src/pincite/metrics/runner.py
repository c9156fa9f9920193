"""Many items, many metrics, results with everything that they can tell.

For a few items that one wants to look into. A whole dataset, with intervals and a history, is what
`pincite.evaluate` is for: it keeps no signals.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from pincite.config import Settings
from pincite.errors import PinciteError
from pincite.judges.judge import Judge, open_judge
from pincite.measured import DatasetItem, Result
from pincite.metrics.case import Case
from pincite.metrics.items import to_item
from pincite.metrics.metric import Metric, judge_pairs
from pincite.records import Pair
from pincite.sources.library import Library, open_sources

Given = DatasetItem | Mapping[str, Any]


async def measure_items(
    items: Iterable[Given],
    metrics: Sequence[Metric],
    sources: Any = None,
    *,
    judge: str | Judge | None = None,
    settings: Settings | None = None,
) -> list[Result]:
    """A result for each item and each metric: all of the first item, then all of the second.

    The pairs of an item go to the judge as one batch, whatever number of metrics asks for them, and at most
    `evaluation.max_in_flight` items are being judged at once.
    """
    settings = settings or Settings()
    library = open_sources(sources, settings.limits)
    results: list[Result] = []
    async with open_judge(judge, settings) as chosen:
        # A judge that never waits gains nothing from several items at once.
        size = settings.evaluation.max_in_flight if chosen.waits else 1
        for batch in _batches(items, size):
            found = await asyncio.gather(
                *(_measure(to_item(item), metrics, library, chosen, settings) for item in batch)
            )
            results += [result for each in found for result in each]
    return results


async def _measure(
    item: DatasetItem, metrics: Sequence[Metric], library: Library, judge: Judge, settings: Settings
) -> list[Result]:
    case = Case(item, library, settings)
    wanted: list[Pair] = []
    broken: dict[int, Result] = {}
    for number, metric in enumerate(metrics):
        try:
            wanted += metric.pairs(case)
        except PinciteError:
            raise
        except Exception as error:
            broken[number] = _failed(metric, error)
    verdicts = await judge_pairs(wanted, judge, settings.batch_size) if wanted else {}
    results = []
    for number, metric in enumerate(metrics):
        try:
            results.append(broken[number] if number in broken else metric.score(case, verdicts))
        except PinciteError:
            raise
        except Exception as error:
            results.append(_failed(metric, error))
    return results


def _failed(metric: Metric, error: Exception) -> Result:
    """A metric of somebody else may break; that says nothing about the answer."""
    said = " ".join(str(error).split())[:120]
    reason = f"the metric failed: {type(error).__name__}" + (f": {said}" if said else "")
    return Result(metric=str(metric), score=None, unjudged=1, reasons={reason: 1}, unit=metric.unit)


def _batches(items: Iterable[Given], size: int) -> Iterator[list[Given]]:
    waiting = iter(items)
    while batch := list(islice(waiting, size)):
        yield batch
