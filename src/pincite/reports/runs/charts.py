"""Charts of a run as Vega-Lite specifications: plain data that any viewer of them draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pincite.records import Score
from pincite.runs.analysis import Analysis

# A name, not an address that anything here opens.
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"


def charts(scores: Sequence[Score], analysis: Analysis) -> dict[str, dict[str, Any]]:
    """One chart a question: how good, which failures, in which documents."""
    return {
        "scores": score_chart(scores),
        "failures_by_kind": _bars(
            "Failures by kind", "kind", [{"kind": kind.kind, "count": kind.count} for kind in analysis.kinds]
        ),
        "failures_by_document": _bars(
            "Failures by document",
            "document",
            [{"document": document, "count": count} for document, count in analysis.documents],
        ),
    }


def score_chart(scores: Sequence[Score]) -> dict[str, Any]:
    """Each metric as a point with its interval; metrics without a value are left out of the picture."""
    rows = [
        {
            "metric": score.metric,
            "value": score.value,
            "low": _end(score, 0),
            "high": _end(score, 1),
            "n": score.n,
        }
        for score in scores
        if score.value is not None
    ]
    named = {"field": "metric", "type": "nominal", "sort": None, "title": None}
    return {
        "$schema": SCHEMA,
        "title": "Scores with their 95% intervals",
        "data": {"values": rows},
        "layer": [
            {
                "mark": "rule",
                "encoding": {
                    "y": named,
                    "x": {"field": "low", "type": "quantitative", "title": "value"},
                    "x2": {"field": "high"},
                },
            },
            {
                "mark": {"type": "point", "filled": True},
                "encoding": {
                    "y": named,
                    "x": {"field": "value", "type": "quantitative"},
                    "tooltip": [{"field": "metric"}, {"field": "value"}, {"field": "n"}],
                },
            },
        ],
    }


def _end(score: Score, which: int) -> float | None:
    return score.value if score.confidence_interval is None else score.confidence_interval[which]


def _bars(title: str, field: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "$schema": SCHEMA,
        "title": title,
        "data": {"values": rows},
        "mark": "bar",
        "encoding": {
            "y": {"field": field, "type": "nominal", "sort": "-x", "title": None},
            "x": {"field": "count", "type": "quantitative"},
        },
    }
