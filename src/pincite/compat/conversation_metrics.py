"""The runner of several metrics of documents 003 and 004.

It is for a few items that one wants to look into. `pincite.evaluate` measures a whole dataset, with
intervals and a history, and keeps no signals.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from pincite.config import Settings
from pincite.errors import ConfigError, InputError, PinciteError
from pincite.judges import Judge, open_judge
from pincite.metrics import Case, Metric, measure_cases, parse_metric, to_item
from pincite.records import DatasetItem, Result
from pincite.sources import open_sources


class MetricRunner(Struct, frozen=True, kw_only=True):
    """Measures every item with every metric: `await MetricRunner(metrics=[…]).run(items)`."""

    metrics: Sequence[Metric | str]
    judge: str | Judge | None = None
    settings: Settings | None = None

    async def run(self, dataset: Any, sources: Any = None, *, answers: Any = None) -> list[Result]:
        """A flat list: all results of the first item, then all of the second.

        `dataset` is a list of items or of dicts of their fields, or a dataset (opened, or as its path), whose
        recorded `answers` (a path, or as `open_answers` gives them) are then measured.
        """
        metrics = [parse_metric(metric) for metric in self.metrics]
        if not metrics:
            raise ConfigError("MetricRunner needs at least one metric")
        if not _is_dataset(dataset):
            return await self._measure(_items(dataset), metrics, sources)
        from pincite.datasets import open_answers, open_dataset

        with ExitStack() as opened:
            if not callable(getattr(dataset, "queries", None)):
                dataset = opened.enter_context(open_dataset(dataset, self.settings))
            if isinstance(answers, str | Path):
                answers = opened.enter_context(open_answers(answers))
            if sources is None and not dataset.in_memory:
                raise InputError(
                    "the dataset is too large to keep its documents in memory: measure it with pincite eval, "
                    "or give the sources"
                )
            given = dataset.library() if sources is None else sources
            return await self._measure(self._recorded(dataset, answers), metrics, given)

    async def _measure(self, items: Iterable[Any], metrics: Sequence[Metric], sources: Any) -> list[Result]:
        """The pairs of an item go to the judge as one batch; `evaluation.max_in_flight` items at once."""
        settings = self.settings or Settings()
        library = open_sources(sources, settings.limits)
        waiting, results = iter(items), list[Result]()
        async with open_judge(self.judge, settings) as judge:
            # A judge that never waits gains nothing from several items at once.
            size = settings.evaluation.max_in_flight if judge.waits else 1
            while batch := [Case(to_item(item), library, settings) for item in islice(waiting, size)]:
                measured = await asyncio.gather(
                    *(
                        measure_cases([case], metrics, judge, settings.batch_size, passing=(PinciteError,))
                        for case in batch
                    )
                )
                results += [result for one in measured for result in one.results[0]]
        return results

    def _recorded(self, dataset: Any, answers: Any) -> Iterator[DatasetItem]:
        from pincite.datasets import make_item

        for query in dataset.queries():
            recorded = None if answers is None else answers.get(query.query_id)
            yield make_item(query, recorded, self.settings or Settings())


def _is_dataset(given: Any) -> bool:
    from pincite.datasets import EvaluationDataset

    return isinstance(given, str | Path | EvaluationDataset) or callable(getattr(given, "queries", None))


def _items(given: Any) -> Iterable[Any]:
    if isinstance(given, DatasetItem | dict):
        return [given]
    if not isinstance(given, Iterable) or isinstance(given, bytes):
        raise InputError(
            f"give a list of items, or a dataset as open_dataset opens it, not a {type(given).__name__}"
        )
    return given
