"""Ragas: its metric of either style, for `evaluate` and for experiments."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field
from typing import Any

from pincite.integrations.extras import cannot_import
from pincite.integrations.outcome import CheckOutcome
from pincite.integrations.rows import check_row, citation_rows, comment_of

try:
    from ragas.dataset_schema import SingleTurnSample
    from ragas.metrics.base import MetricType, SingleTurnMetric
    from ragas.metrics.collections.base import BaseMetric
    from ragas.metrics.result import MetricResult
    from ragas.run_config import RunConfig
except ImportError as error:
    raise cannot_import(error, "ragas", "ragas") from error


class CitationSupport(BaseMetric):
    """For experiments: the share of judged citations that their source supports, with a line for each.

    The value is NaN where nothing could be judged, which is how Ragas marks a row without a score. The rows
    of the citations are in `traces["output"]`.
    """

    def __init__(self, name: str = "citation_support", *, judge: str | None = None, **base: Any) -> None:
        super().__init__(name=name, **base)
        self.judge = judge

    async def ascore(
        self, response: str, retrieved_contexts: list[str], user_input: str | None = None
    ) -> MetricResult:
        """Check one response; `[1]` is the first of the retrieved contexts."""
        outcome = await _check(response, retrieved_contexts, user_input, self.judge)
        return MetricResult(
            value=_number(outcome),
            reason=comment_of(outcome),
            traces={"output": {"citations": citation_rows(outcome), "unjudged": outcome.unjudged}},
        )


@dataclass
class SampleCitationSupport(SingleTurnMetric):
    """For `ragas.evaluate`: the same score for one sample, NaN where nothing could be judged."""

    name: str = "citation_support"
    judge: str | None = None
    _required_columns: dict[MetricType, set[str]] = field(
        default_factory=lambda: {
            MetricType.SINGLE_TURN: {"response", "retrieved_contexts", "user_input:optional"}
        }
    )

    def init(self, run_config: RunConfig) -> None:
        """There is nothing to prepare."""

    async def _single_turn_ascore(self, sample: SingleTurnSample, callbacks: Any = None) -> float:
        outcome = await _check(sample.response, sample.retrieved_contexts, sample.user_input, self.judge)
        return _number(outcome)


async def _check(answer: Any, contexts: Any, query: str | None, judge: str | None) -> CheckOutcome:
    """Check beside other work: a judge may wait for a network."""
    return await asyncio.to_thread(check_row, answer, contexts=contexts, query=query, judge=judge)


def _number(outcome: CheckOutcome) -> float:
    return math.nan if outcome.score is None else outcome.score
