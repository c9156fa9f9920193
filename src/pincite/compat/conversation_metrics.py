"""Documents 003 and 004: items, conversations, their metrics, and the runner of several metrics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from pincite.config import Settings
from pincite.errors import ConfigError, InputError
from pincite.judges.judge import Judge
from pincite.metrics.citations.fidelity import CitationFidelity, CitationFidelityResult
from pincite.metrics.citations.references import CitationAccuracy, CitationAccuracyResult
from pincite.metrics.citations.relevancy import CitationRelevancy, CitationRelevancyResult, EvaluationMode
from pincite.metrics.metric import Metric
from pincite.metrics.names import parse_metric
from pincite.records import AIMessage, DatasetItem, HumanMessage, MultiTurnConversation, Result

__all__ = [
    "AIMessage",
    "CitationAccuracy",
    "CitationAccuracyResult",
    "CitationFidelity",
    "CitationFidelityResult",
    "CitationRelevancy",
    "CitationRelevancyResult",
    "DatasetItem",
    "EvaluationMode",
    "HumanMessage",
    "MetricRunner",
    "MultiTurnConversation",
]


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
        from pincite.metrics.runner import measure_items

        metrics = [parse_metric(metric) for metric in self.metrics]
        if not metrics:
            raise ConfigError("MetricRunner needs at least one metric")
        options: dict[str, Any] = {"judge": self.judge, "settings": self.settings}
        if not _is_dataset(dataset):
            return await measure_items(_items(dataset), metrics, sources, **options)
        with _Opened(dataset, answers, self.settings) as opened:
            given = opened.sources if sources is None else sources
            return await measure_items(opened.items(), metrics, given, **options)


def _is_dataset(given: Any) -> bool:
    from pincite.datasets.formats.records import EvaluationDataset

    return isinstance(given, str | Path | EvaluationDataset) or callable(getattr(given, "queries", None))


def _items(given: Any) -> Iterable[Any]:
    if isinstance(given, DatasetItem | dict):
        return [given]
    if not isinstance(given, Iterable) or isinstance(given, bytes):
        raise InputError(
            f"give a list of items, or a dataset as open_dataset opens it, not a {type(given).__name__}"
        )
    return given


class _Opened:
    """A dataset and its answers for one run; what was opened here is closed here."""

    def __init__(self, dataset: Any, answers: Any, settings: Settings | None) -> None:
        from pincite.datasets.formats.records import EvaluationDataset
        from pincite.datasets.load import open_dataset
        from pincite.datasets.recorded.file import open_answers

        self._ours: list[Any] = []
        self._settings = settings
        if isinstance(dataset, str | Path | EvaluationDataset):
            dataset = open_dataset(dataset, settings)
            self._ours.append(dataset)
        if isinstance(answers, str | Path):
            answers = open_answers(answers)
            self._ours.append(answers)
        self._dataset = dataset
        self._answers = answers

    @property
    def sources(self) -> Any:
        """All of the dataset's documents."""
        if not self._dataset.in_memory:
            raise InputError(
                "the dataset is too large to keep its documents in memory: measure it with pincite eval, or "
                "give the sources"
            )
        return self._dataset.library()

    def items(self) -> Iterator[DatasetItem]:
        from pincite.datasets.items import make_item

        for query in self._dataset.queries():
            recorded = None if self._answers is None else self._answers.get(query.query_id)
            yield make_item(query, recorded, self._settings or Settings())

    def __enter__(self) -> _Opened:
        return self

    def __exit__(self, *error: object) -> None:
        for one in reversed(self._ours):
            one.close()
