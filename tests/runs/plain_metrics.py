"""Metrics and items that say no more than a test needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from pincite.config import Settings
from pincite.metrics import Metric
from pincite.records import ItemResult, Result, Run
from pincite.runs import Comparison
from pincite.runs import compare as compare_runs


class Mean(Metric, frozen=True, kw_only=True):
    title: ClassVar[str] = "mean_score"
    name: str = ""


class Share(Metric, frozen=True, kw_only=True):
    title: ClassVar[str] = "shares"
    higher_is_better: ClassVar[bool] = False
    usual_threshold: ClassVar[float | None] = 0.2

    @property
    def pooled(self) -> bool:
        return True


class Amount(Metric, frozen=True, kw_only=True):
    title: ClassVar[str] = "amount"
    has_direction: ClassVar[bool] = False


def item(position: int, *results: Result, **fields: Any) -> ItemResult:
    return ItemResult(
        key=f"k{position}",
        position=position,
        query_id=fields.pop("query_id", f"q{position}"),
        query_text=fields.pop("query_text", f"Question {position}?"),
        results=results,
        **fields,
    )


def mean(score: float | None, metric: str = "mean_score", **fields: Any) -> Result:
    counted = {} if score is None else {"numerator": score, "denominator": 1.0}
    return Result(metric=metric, score=score, **{**counted, **fields})


def share(top: float, bottom: float, **fields: Any) -> Result:
    return Result(
        metric="shares", score=top / bottom if bottom else None, numerator=top, denominator=bottom, **fields
    )


def compare(
    a: Sequence[ItemResult],
    b: Sequence[ItemResult],
    metrics: Sequence[str] | None = None,
    settings: Settings | None = None,
) -> Comparison:
    """Two runs of these items compared, about which nothing else is known."""
    runs = (Run(run_id="", status="finished", items=items.__iter__) for items in (a, b))
    return compare_runs(*runs, metrics, settings)
