"""Two runs compared, or a run and a benchmark: on a terminal, as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pincite.records import SCHEMA_VERSION
from pincite.reports.display import (
    Paint,
    Painted,
    dump,
    fold,
    fold_words,
    folded,
    hanging,
    plural,
    printed,
    width,
)
from pincite.reports.findings.markdown import escape
from pincite.runs import BenchmarkComparison, ChangedQuery, Comparison, MetricComparison, told_dropouts

COLUMNS = 80
WIDEST, NARROWEST = 120, 40
FIGURES = 49
"""Columns that a metric's figures take beside its name."""
LONGEST_NAME = 29
CHANGES_SHOWN = 4
"""Metrics of a changed query that are shown; the JSON has all of them."""
DECIDED = (("better", "Better", "new"), ("worse", "Worse", "old"), ("different", "Different", "bold"))
NO_VALUES = "Not compared: no query has a value in both runs"
VERBOSE = "(`runs compare --verbose` says why, and how many queries it would take)"
CHANGED = "Queries that changed most for the {}, by their mean change over the metrics"
TEXT_SHOWN = 300
"""Characters of an answer that are shown; the JSON has all of it."""
SAME, NOT_COMPARED = "without a difference", "not compared"
STANDINGS = ("better", "worse", "different", "not decisive", SAME, NOT_COMPARED)


def comparison_json(comparison: Comparison) -> str:
    return dump(msgspec.to_builtins(comparison))


def benchmark_json(found: BenchmarkComparison) -> str:
    return dump({"schema_version": SCHEMA_VERSION, **msgspec.to_builtins(found)})


def benchmark_text(found: BenchmarkComparison) -> str:
    """One line per metric: the run's figure, the benchmark's, and whether the difference counts."""
    lines = [f"{found.run} against the benchmark {found.benchmark}", ""]
    name_width = max((width(row.metric) for row in found.metrics), default=0)
    for row in found.metrics:
        name = row.metric + " " * (name_width - width(row.metric))
        figures = f"{number(row.value)} against {number(row.benchmark)}"
        change = "" if row.difference is None else f"  {row.difference:+.3f}"
        bounds = row.confidence_interval
        within = "" if bounds is None else f"  [{bounds[0]:.3f}, {bounds[1]:.3f}]"
        why = f" ({row.reason})" if row.reason else ""
        lines.append(f"  {name}  {figures}{change}{within}  {row.outcome.replace('_', ' ')}{why}")
    return printed(lines)


def comparison_text(
    comparison: Comparison,
    paint: Paint | None = None,
    columns: int | None = None,
    *,
    verbose: bool = False,
) -> str:
    """Metrics by what is to be said about them, then the queries that changed most.

    What is not decisive has a line; `verbose` adds what each would take.
    """
    paint = paint or Paint(False)
    columns = max(NARROWEST, min(columns or COLUMNS, WIDEST))
    lines = [
        *hanging(f"A  {_called(comparison.a, comparison.titles[0])}", columns, 3),
        *hanging(f"B  {_called(comparison.b, comparison.titles[1])}", columns, 3),
        *_counted(comparison, columns),
    ]
    for outcome, title, style in DECIDED:
        if rows := [row for row in comparison.metrics if standing(row) == outcome]:
            lines += ["", _header(title, style, comparison.level, columns, paint)]
            lines += [line for row in rows for line in _row(row, columns, paint, style)]
    lines += _undecided(comparison, paint, columns, verbose)
    for outcome, title in ((SAME, "No difference over all queries"), (NOT_COMPARED, NO_VALUES)):
        if names := [row.name for row in comparison.metrics if standing(row) == outcome]:
            listed = fold_words(", ".join(names), columns - 2)
            lines += ["", *(paint.line(line, "bold") for line in fold_words(title, columns))]
            lines += [f"  {line}" for line in listed]
    for word, queries in (("better", comparison.changed.better), ("worse", comparison.changed.worse)):
        if queries:
            lines += ["", *(paint.line(line, "bold") for line in fold_words(CHANGED.format(word), columns))]
            lines += [line for query in queries for line in _query(query, columns)]
    lines += ["", *fold_words(in_short(comparison), columns)]
    return printed(lines)


def _called(run: str, title: str) -> str:
    return f"{run} ({title})" if title and title != run else run


def _counted(comparison: Comparison, columns: int) -> list[str]:
    parts = [f"{plural(comparison.n_paired, 'query', 'queries')} in both"]
    if comparison.only_in_a or comparison.only_in_b:
        parts.append(f"{comparison.only_in_a:,} only in A, {comparison.only_in_b:,} only in B")
    if comparison.changed_text:
        shown = ", ".join(name for name in comparison.changed_text_ids[:5])
        more = ", …" if comparison.changed_text > 5 else ""
        parts.append(f"{comparison.changed_text:,} with another text, not compared ({shown}{more})")
    if any(comparison.failed):
        parts.append(f"without an answer {comparison.failed[0]:,} in A, {comparison.failed[1]:,} in B")
    if comparison.clustered:
        groups = f"{comparison.groups:,} groups"
        parts.append(f"queries that share a document or a conversation are treated as one unit, in {groups}")
    lines = fold_words("; ".join(parts), columns)
    for note in comparison.notes:
        lines += hanging(f"note: {note}", columns, 6)
    return lines


def _name_width(columns: int) -> int:
    return min(LONGEST_NAME, columns - FIGURES)


def _header(title: str, style: str, level: float, columns: int, paint: Paint) -> Painted:
    room = _name_width(columns) + 4
    heads = f"{'A':>7} {'B':>7}  {'B − A':>8}  {percent(level)} interval"
    rest = " " * (room - len(title)) + heads if room > len(title) else heads[len(title) - room :]
    return Painted(paint(title, style) + rest)


def _row(row: MetricComparison, columns: int, paint: Paint, style: str) -> list[str]:
    lines: list[str] = [paint.line(line, style) for line in _figures(row, columns)]
    return lines + [f"    {line}" for line in fold_words(_told(row), columns - 4)]


def _figures(row: MetricComparison, columns: int) -> list[str]:
    name, room = row.name, _name_width(columns)
    figures = f"{number(row.a):>7} {number(row.b):>7}  {signed(row.difference):>8}  {interval(row)}"
    if width(name) <= room:
        return [f"  {name}{' ' * (room - width(name))}  {figures}"]
    return [f"  {name}", f"{' ' * (room + 4)}{figures}"]


def _told(row: MetricComparison) -> str:
    """How the verdict came about, and what was left out on one side."""
    words = row.verdict.partition(": ")[2]
    if row.outcome == "not decisive":
        told = [f"adjusted p {chance(row.p_adjusted)}"] if row.p_adjusted is not None else []
    else:
        groups = f" in {plural(row.groups, 'group')}" if row.unit == "group" and row.groups else ""
        effect = "" if row.effect_size is None else f", effect {row.effect_size:+.2f}"
        told = [f"{row.test}, adjusted p {chance(row.p_adjusted)}{effect}, n {row.n:,}{groups}"]
    # Where many were left out, the verdict says so itself.
    return "; ".join([*told, *([words] if words else []), *([] if _dropouts(row) else _left_out(row))])


def _dropouts(row: MetricComparison) -> str:
    return told_dropouts(row.name, row.one_sided, row.n + sum(row.one_sided))


def _left_out(row: MetricComparison) -> list[str]:
    return [
        f"{label} {counts[0]:,} in A, {counts[1]:,} in B"
        for label, counts in (("not scorable", row.not_scorable), ("unjudged", row.unjudged))
        if counts[0] != counts[1] or (any(counts) and label == "unjudged")
    ]


def _undecided(comparison: Comparison, paint: Paint, columns: int, verbose: bool) -> list[str]:
    """One line per metric, and below them what was left out; with `verbose` all about each."""
    rows = [row for row in comparison.metrics if standing(row) == "not decisive"]
    if not rows:
        return []
    lines: list[str] = ["", _header("Not decisive", "bold", comparison.level, columns, paint)]
    left_out: dict[str, list[str]] = {}
    for row in rows:
        lines += _figures(row, columns)
        if verbose:
            lines += [f"    {line}" for line in fold_words(_told(row), columns - 4)]
        for told in [dropouts] if (dropouts := _dropouts(row)) else _left_out(row):
            left_out.setdefault(told, []).append(row.name)
    if not verbose:
        for told, names in left_out.items():
            lines += hanging(f"  {', '.join(names)}: {told}", columns, 4)
        lines += hanging(f"  {VERBOSE}", columns, 4)
    return lines


def _query(query: ChangedQuery, columns: int) -> list[str]:
    asked = f"  {query.change:+.3f}  {query.query_id}: {folded(query.query_text)[:TEXT_SHOWN]}"
    lines = hanging(asked, columns, 10)
    lines += [f"{' ' * 10}{line}" for line in fold(_changes(query), columns - 10)]
    lines += hanging(f"      A  {shown_answer(query.answer_a, query.failure_a)}", columns, 9)
    lines += hanging(f"      B  {shown_answer(query.answer_b, query.failure_b)}", columns, 9)
    return lines


def _changes(query: ChangedQuery) -> list[str]:
    """The largest changes, and how many more there are; none is cut in two at the end of a line."""
    shown = list(query.metrics.items())[:CHANGES_SHOWN]
    more = len(query.metrics) - len(shown)
    told = [f"{name} {number(one)} → {number(other)}" for name, (one, other) in shown]
    told += [f"{more:,} more"] if more else []
    return [f"{piece}," for piece in told[:-1]] + told[-1:]


# --- Markdown ------------------------------------------------------------------------------------


def comparison_markdown(comparison: Comparison) -> str:
    """A table of the metrics, and tables of the queries that changed most."""
    lines = [
        f"## {escape(comparison.b)} compared with {escape(comparison.a)}",
        "",
        in_short(comparison),
        "",
        *(line for note in comparison.notes for line in (f"Note: {escape(note)}", "")),
        f"| metric | A | B | difference | {percent(comparison.level)} interval | p (adjusted) | test "
        "| effect | n | verdict |",
        "|---|---:|---:|---:|---|---:|---|---:|---:|---|",
        *(_markdown_row(row) for row in comparison.metrics),
        *_changed_table("better", comparison.changed.better),
        *_changed_table("worse", comparison.changed.worse),
    ]
    return "\n".join(lines) + "\n"


def _markdown_row(row: MetricComparison) -> str:
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


def _changed_table(title: str, queries: Sequence[ChangedQuery]) -> list[str]:
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


# --- figures in words ----------------------------------------------------------------------------


def standing(row: MetricComparison) -> str:
    """What is to be said about a metric: its outcome, or that there is nothing to be decided."""
    if row.difference is None:
        return NOT_COMPARED
    return SAME if row.difference == 0 else row.outcome


def in_short(comparison: Comparison) -> str:
    """The whole in one sentence."""
    if not comparison.metrics:
        return "Nothing to compare: the runs share no metric."
    counts = dict.fromkeys(STANDINGS, 0)
    for row in comparison.metrics:
        counts[standing(row)] += 1
    compared = len(comparison.metrics) - counts[NOT_COMPARED]
    if not compared:
        missing = plural(counts[NOT_COMPARED], "metric")
        return f"Nothing was compared: no query has a value in both runs, in {missing}."
    if counts[SAME] == compared:
        left = f"; {counts[NOT_COMPARED]} not compared" if counts[NOT_COMPARED] else ""
        return f"B compared with A: no difference over all queries in {plural(compared, 'metric')}{left}."
    told = [f"{count} {word}" for word, count in counts.items() if count]
    return f"B compared with A in {plural(len(comparison.metrics), 'metric')}: {', '.join(told)}."


def shown_answer(answer: str | None, failure: str | None) -> str:
    """The beginning of an answer on one line, or why there is none."""
    if answer is None:
        return f"(no answer: {folded(failure)[:TEXT_SHOWN]})" if failure else "(no answer)"
    text = folded(answer[: 4 * TEXT_SHOWN]) or "(an empty answer)"
    return text if len(text) <= TEXT_SHOWN else f"{text[:TEXT_SHOWN]}…"


def percent(level: float) -> str:
    return f"{100 * level:.4g}%"


def number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if abs(value) < 1000 else f"{value:.5g}"


def signed(value: float | None, digits: int = 3) -> str:
    if value is None:
        return "-"
    return f"{value:+.{digits}f}" if abs(value) < 1000 else f"{value:+.5g}"


def interval(row: MetricComparison) -> str:
    if row.confidence_interval is None:
        return "-"
    low, high = row.confidence_interval
    return f"[{signed(low)}, {signed(high)}]"


def chance(value: float | None) -> str:
    """A p-value."""
    if value is None:
        return "-"
    return "<0.001" if value < 0.001 else f"{value:.3f}"
