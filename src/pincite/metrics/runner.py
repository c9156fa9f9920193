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
from pincite.judges.judge import Judge
from pincite.judges.opening import open_judge
from pincite.metrics.case import Case, to_item
from pincite.metrics.metric import Metric, measure_cases
from pincite.records import DatasetItem, Result
from pincite.sources.library import open_sources

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
            cases = [Case(to_item(item), library, settings) for item in batch]
            measured = await asyncio.gather(
                *(
                    measure_cases([case], metrics, chosen, settings.batch_size, passing=(PinciteError,))
                    for case in cases
                )
            )
            results += [result for one in measured for result in one.results[0]]
    return results


def _batches(items: Iterable[Given], size: int) -> Iterator[list[Given]]:
    waiting = iter(items)
    while batch := list(islice(waiting, size)):
        yield batch
