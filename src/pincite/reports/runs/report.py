"""The report of a run: its scores, charts of them, which failures dominate and where, and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import to_builtins

from pincite.records import Alert, Score
from pincite.reports.display import fold_words, safe
from pincite.reports.findings.totals import plural
from pincite.reports.runs.charts import charts
from pincite.runs.analysis import Analysis, recommend

WIDE = 80


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
        "visualizations": charts(scores, analysis),
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
    """The analysis and what follows from it, for a terminal. The scores are `runs show`'s to tell."""
    room = max(40, min(columns or WIDE, 120))
    queries = plural(analysis.queries, "query", "queries")
    told = f"{safe(name)}: {plural(analysis.failures, 'failure')} in {queries}"
    if analysis.failed_queries:
        told += f"; {plural(analysis.failed_queries, 'query', 'queries')} got no answer"
    lines = fold_words(told, room)
    for kind in analysis.kinds:
        where = ", ".join(f"{document} {count}" for document, count in kind.documents[:3])
        share = f"{kind.kind}  {kind.count} ({kind.share:.0%})"
        lines += _folded(f"{share}  {where}" if where else share, room, "  ")
        lines += [line for example in kind.examples for line in _folded(f"· {example}", room, "      ")]
    lines += _section("told", [alert.message for alert in alerts], room)
    lines += _section("what to do", recommend(analysis), room)
    return "".join(f"{line}\n" for line in lines)


def _section(title: str, sentences: Sequence[str], room: int) -> Iterator[str]:
    if sentences:
        yield ""
        yield title
    for sentence in sentences:
        yield from _folded(f"- {sentence}", room, "  ")


def _folded(text: str, room: int, indent: str) -> Iterator[str]:
    first, *rest = fold_words(safe(text), room - len(indent) - 2) or [""]
    yield indent + first
    yield from (f"{indent}  {line}" for line in rest)
