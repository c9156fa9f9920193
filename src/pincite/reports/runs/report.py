"""The report of a run: its scores, charts of them, which failures dominate and where, and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import to_builtins

from pincite.records import Alert, Score
from pincite.reports.display import fold_words, pick, plural, printed
from pincite.runs import Analysis, recommend

WIDE = 80
# A name, not an address that anything here opens.
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"


def run_report(
    summary: Mapping[str, Any],
    scores: Sequence[Score],
    analysis: Analysis,
    alerts: Sequence[Alert],
    trends: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Summary, visualizations, analysis and recommendations as plain values."""
    dominant = analysis.dominant
    return {
        "summary": {
            **summary,
            "total_queries": analysis.queries,
            "failed_queries": analysis.failed_queries,
            "scores": {score.metric: to_builtins(score) for score in scores},
        },
        "visualizations": _charts(scores, analysis),
        "analysis": {
            "dominant_failure": None if dominant is None else dominant.kind,
            "failures": analysis.failures,
            "kinds": to_builtins(list(analysis.kinds)),
            "documents": [{"document": name, "failures": count} for name, count in analysis.documents],
            "alerts": to_builtins(list(alerts)),
            **({"trends": list(trends)} if trends else {}),
        },
        "recommendations": list(recommend(analysis)),
    }


def report_text(name: str, analysis: Analysis, alerts: Sequence[Alert], columns: int | None = None) -> str:
    """The analysis and what follows from it, for a terminal. `runs show` has the scores."""
    room = max(40, min(columns or WIDE, 120))
    queries = plural(analysis.queries, "query", "queries")
    told = f"{name}: {plural(analysis.failures, 'failure')} in {queries}"
    if analysis.failed_queries:
        told += f"; {plural(analysis.failed_queries, 'query', 'queries')} got no answer"
    lines = fold_words(told, room)
    for kind in analysis.kinds:
        where = ", ".join(f"{document} {count}" for document, count in kind.documents[:3])
        share = f"{kind.kind}  {kind.count} ({kind.share:.0%})"
        lines += _folded(f"{share}  {where}" if where else share, room, "  ")
        lines += [line for example in kind.examples for line in _folded(f"· {example}", room, "      ")]
    lines += _section("alerts", [alert.message for alert in alerts], room)
    lines += _section("what to do", recommend(analysis), room)
    return printed(lines)


def _section(title: str, sentences: Sequence[str], room: int) -> Iterator[str]:
    if sentences:
        yield ""
        yield title
    for sentence in sentences:
        yield from _folded(f"- {sentence}", room, "  ")


def _folded(text: str, room: int, indent: str) -> Iterator[str]:
    first, *rest = fold_words(text, room - len(indent) - 2) or [""]
    yield indent + first
    yield from (f"{indent}  {line}" for line in rest)


# --- charts, as Vega-Lite specifications: plain data that any viewer of them draws ----------------


def _charts(scores: Sequence[Score], analysis: Analysis) -> dict[str, dict[str, Any]]:
    """One chart per question: how good, which failures, in which documents."""
    kinds = [(kind.kind, kind.count) for kind in analysis.kinds]
    return {
        "scores": _score_chart(scores),
        "failures_by_kind": _bars("kind", kinds),
        "failures_by_document": _bars("document", analysis.documents),
    }


def _score_chart(scores: Sequence[Score]) -> dict[str, Any]:
    """Each metric as a point with its interval; metrics without a value are left out of the picture."""
    rows = []
    for score in scores:
        if score.value is not None:
            low, high = score.confidence_interval or (score.value, score.value)
            rows.append({**pick(score, "metric", "value"), "low": low, "high": high, "n": score.n})
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


def _bars(field: str, counted: Sequence[tuple[str, int]]) -> dict[str, Any]:
    return {
        "$schema": SCHEMA,
        "title": f"Failures by {field}",
        "data": {"values": [{field: name, "count": count} for name, count in counted]},
        "mark": "bar",
        "encoding": {
            "y": {"field": field, "type": "nominal", "sort": "-x", "title": None},
            "x": {"field": "count", "type": "quantitative"},
        },
    }
