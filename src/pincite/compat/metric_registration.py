"""Section 9.1 of the citation accuracy document: metrics registered with an evaluation harness, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pincite.metrics.answer_metrics import FactualConsistency, HallucinationRate
from pincite.metrics.citations.metrics import CitationCompleteness, CitationCorrectness
from pincite.metrics.metric import Metric
from pincite.metrics.names import parse_metric, register_metrics
from pincite.metrics.spans.metrics import CitationSpanAccuracy

if TYPE_CHECKING:
    from pincite.records import Run

__all__ = [
    "CitationCompleteness",
    "CitationCorrectness",
    "CitationSpanAccuracy",
    "EvaluationHarness",
    "FactualConsistency",
    "HallucinationRate",
    "evaluation_harness",
]


class EvaluationHarness:
    """Runs the metrics that were registered with it over a dataset."""

    def __init__(self) -> None:
        self._metrics: dict[str, Metric] = {}

    @property
    def metrics(self) -> dict[str, Metric]:
        """What was registered, by name, in that order."""
        return dict(self._metrics)

    def register_metrics(self, metrics: Mapping[str, Metric | type[Metric]]) -> None:
        """Take metrics by name; they are known by that name everywhere from now on."""
        register_metrics(metrics)
        self._metrics.update({name: parse_metric(name) for name in metrics})

    def run(self, dataset: Any, **options: Any) -> Run:
        """Evaluate a dataset with the registered metrics; `options` are those of `pincite.evaluate`."""
        from pincite.runs.evaluation import evaluate

        return evaluate(dataset, metrics=list(self._metrics.values()) or None, **options)


evaluation_harness = EvaluationHarness()
"""A harness to register with, as the document has one."""
