"""Two runs compared, for a pull request or a summary page."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.reports.findings.markdown import escape
from pincite.reports.runs.comparison_words import (
    chance,
    in_short,
    interval,
    number,
    percent,
    shown_answer,
    signed,
)
from pincite.runs.compare.changes import ChangedQuery
from pincite.runs.compare.comparing import Comparison, MetricComparison


def comparison_markdown(comparison: Comparison) -> str:
    """A table of the metrics, and tables of the queries that changed most."""
    lines = [
        f"## {escape(comparison.b)} beside {escape(comparison.a)}",
        "",
        in_short(comparison),
        "",
        *(line for note in comparison.notes for line in (f"Note: {escape(note)}", "")),
        f"| metric | A | B | difference | {percent(comparison.level)} interval | p (adjusted) | test "
        "| effect | n | verdict |",
        "|---|---:|---:|---:|---|---:|---|---:|---:|---|",
        *(_row(row) for row in comparison.metrics),
        *_changed("better", comparison.changed.better),
        *_changed("worse", comparison.changed.worse),
    ]
    return "\n".join(lines) + "\n"


def _row(row: MetricComparison) -> str:
    cells = (
        escape(row.name),
        number(row.a),
        number(row.b),
        signed(row.difference),
        interval(row),
        f"{chance(row.p_value)} ({chance(row.p_adjusted)})",
        row.test,
        signed(row.effect_size, 2),
        f"{row.n:,}",
        escape(row.verdict),
    )
    return f"| {' | '.join(cells)} |"


def _changed(title: str, queries: Sequence[ChangedQuery]) -> list[str]:
    if not queries:
        return []
    lines = ["", f"### Changed most for the {title}", "", "| query | change | A | B |", "|---|---:|---|---|"]
    for query in queries:
        cells = (
            escape(f"{query.query_id}: {query.query_text}"),
            f"{query.change:+.3f}",
            escape(shown_answer(query.answer_a, query.failure_a)),
            escape(shown_answer(query.answer_b, query.failure_b)),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return lines
