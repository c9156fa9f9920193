"""A run as people read it: a table of every metric with its interval, then a breakdown. Only formats."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from pincite.metrics import known_metric
from pincite.records import PartScore, Run, Score
from pincite.reports.display import Paint, cells, fitting, hanging, plural, printed, width
from pincite.reports.findings.markdown import escape
from pincite.runs import MOST_SHOWN, is_thin

WIDE = 80
NARROWEST, WIDEST = 40, 120
NONE = "–"
HEADER = ("metric", "value", "95% interval", "n", "n.s.", "unj.", "thresh.", "")
LEGEND = "n.s.: queries with nothing to score; unj.: queries that could not be judged"
GROUPS_LEGEND = "groups: of queries that share a document or a conversation, resampled as one"
MOST_ROWS = 10
MOST_REASONS = 5
LEAST_NAME = 12
"""Columns of a name beside its figures, in the narrowest of tables."""
KINDS = {"query_type": "query type", "difficulty": "difficulty", "document": "document"}


def run_text(run: Run, *, columns: int | None = None, color: bool = False) -> str:
    room = max(NARROWEST, min(columns or WIDE, WIDEST))
    lines = [*(line for told in _head(run) for line in hanging(told, room, 2)), ""]
    if run.failed and not run.successful:  # there are no figures worth a table
        lines += [
            *hanging("No query got an answer, so there is nothing to measure.", room, 2),
            *_failed_lines(run, room),
            *hanging(f"what to do: {_next_step(run.target)}", room, 2),
        ]
    else:
        lines += [
            *score_lines(run.scores, room, color),
            *_notes(run, room),
            *_breakdown(run, room),
            *_failures(run, room),
        ]
    return printed(lines)


def run_markdown(run: Run) -> str:
    lines = [f"## {escape(run.name or run.run_id)}", ""]
    lines += [f"{escape(line)}  " for line in _head(run)]
    header = ("metric", "value", "95% interval", "n", "not scorable", "unjudged", "threshold", "")
    lines += ["", _row(header), _row(["---"] * len(header))]
    lines += [_row([escape(cell) for cell in _cells(score)]) for score in run.scores]
    for kind, by_value in _breakdowns(run):
        names = _headlines(by_value)[:6]
        head = [KINDS.get(kind, kind), "n", *names]
        lines += ["", _row([escape(cell) for cell in head]), _row(["---"] * (len(names) + 2))]
        for value, scores in by_value.items():
            lines.append(
                _row([escape(value), str(part_size(scores)), *(_value(scores.get(n)) for n in names)])
            )
    return "".join(f"{line}\n" for line in lines)


# --- the head ------------------------------------------------------------------------------------


def _head(run: Run) -> Iterator[str]:
    document = run.document
    named = f" ({run.name})" if run.name else ""
    yield f"{run.run_id}{named}: {run.dataset_id} {run.dataset_version}, {run.target}"
    groups = max((score.groups or 0 for score in run.scores), default=0)
    in_groups = f" in {plural(groups, 'group')}" if groups else ""
    done = f"{run.successful + run.failed} of {run.total} queries" if run.status != "finished" else ""
    parts = [
        f"{done or plural(run.total, 'query', 'queries')}{in_groups}",
        f"{run.failed} failed",
        f"{document.summary.unjudged_queries} with something unjudged",
        f"judge {run.judge}",
    ]
    yield ", ".join(parts)
    latency, usage = document.performance_metrics.latency_stats, document.performance_metrics.api_usage
    told = [f"{run.seconds:.1f} s"]
    if latency.mean is not None and latency.p95 is not None:
        told.append(f"latency mean {latency.mean:.0f} ms, p95 {latency.p95:.0f} ms (n {latency.n})")
    if usage.total_tokens is not None:
        told.append(f"{usage.total_tokens:,} tokens")
    if usage.estimated_cost_usd is not None:
        told.append(f"${usage.estimated_cost_usd:.2f}")
    yield ", ".join(told)


# --- the scores ----------------------------------------------------------------------------------


def score_lines(scores: Sequence[Score], columns: int = WIDE, color: bool = False) -> list[str]:
    """One line per metric: value, interval, counts, threshold, pass or fail."""
    return name_table(HEADER, [_cells(score) for score in scores], columns, color)


def _cells(score: Score) -> list[str]:
    limit = ""
    if score.threshold is not None:
        limit = f"{'≥' if score.higher_is_better else '≤'}{score.threshold:g}"
    passed = f"pass on {score.n} only" if is_thin(score) else "pass"
    verdict = "" if score.threshold is None else {True: passed, False: "FAIL", None: NONE}[score.passed]
    return [
        score.metric,
        figure(score.value),
        interval_text(score.confidence_interval),
        str(score.n),
        str(score.not_scorable),
        str(score.unjudged),
        limit,
        verdict,
    ]


def interval_text(interval: Sequence[float] | None) -> str:
    return NONE if interval is None else f"{figure(interval[0])}–{figure(interval[1])}"


def figure(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"


def name_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], columns: int, color: bool = False
) -> list[str]:
    """Rows below their header; a name with no room for its figures beside it has a line of its own."""
    widths = [max(width(row[index]) for row in (header, *rows)) for index in range(len(header))]
    gap = "  " if sum(widths) + 2 * (len(widths) - 1) <= columns else " "
    over = sum(widths) + len(gap) * (len(widths) - 1) - columns
    if over > 0:
        widths[0] = max(LEAST_NAME, widths[0] - over)
    lines: list[str] = []
    for row in (header, *rows):
        paint = Paint(color and row[-1] == "FAIL")
        name = row[0]
        if width(name) > widths[0]:
            lines.append(paint.line(cut_middle(name, columns), "error"))
            name = ""
        parts = [name + " " * (widths[0] - width(name))]
        for index, cell in enumerate(row[1:], start=1):
            spaces = " " * (widths[index] - width(cell))
            last = index + 1 == len(row)
            parts.append(cell + spaces if last else spaces + cell)
        lines.append(paint.line(gap.join(parts).rstrip(" "), "error"))
    return lines


def cut_middle(text: str, columns: int) -> str:
    """The text without its middle: names of one family begin alike, and those of one setting end alike."""
    if width(text) <= columns:
        return text
    pieces = cells(text)
    end = fitting(pieces[::-1], (columns - 1) // 2)[::-1]
    start = fitting(pieces, columns - 1 - sum(size for _, size in end))
    return "".join(piece for piece, _ in start) + "…" + "".join(piece for piece, _ in end)


def _notes(run: Run, columns: int) -> Iterator[str]:
    yield from hanging(LEGEND, columns, 2)
    if any(score.groups for score in run.scores):
        yield from hanging(GROUPS_LEGEND, columns, 2)
    for told in dict.fromkeys(known_metric(score.metric).note for score in run.scores):
        if told:
            yield from hanging(told, columns, 2)
    without: dict[str, list[str]] = {}
    for score in run.scores:
        if score.value is not None and score.confidence_interval is None and score.method:
            without.setdefault(score.method.removeprefix("none: "), []).append(score.metric)
    for reason, names in without.items():
        yield from hanging(f"no interval where {reason}: {', '.join(names)}", columns, 2)
    for score in run.scores:
        if score.corrected is not None:
            interval = interval_text(score.corrected_interval)
            queries = plural(score.labelled, "labelled query", "labelled queries")
            told = f"corrected by {queries}: {figure(score.corrected)} ({interval})"
            yield from hanging(f"{score.metric} {told}", columns, 2)


# --- the breakdown -------------------------------------------------------------------------------


def _breakdowns(run: Run) -> Iterator[tuple[str, Mapping[str, Mapping[str, PartScore]]]]:
    for kind, by_value in run.document.breakdown.items():
        if by_value:
            yield kind, by_value


def _breakdown(run: Run, columns: int) -> Iterator[str]:
    for kind, by_value in _breakdowns(run):
        names = _headlines(by_value)
        shown = list(by_value.items())[:MOST_ROWS]
        title = KINDS.get(kind, kind)
        first = min(24, max(width(title), *(width(value) for value, _ in shown)))
        most = max(1, (columns - first - 6) // 10)
        header = [f"by {title}", "n", *(known_metric(name).short or name for name in names[:most])]
        rows = [
            [value, str(part_size(scores)), *(_value(scores.get(name)) for name in names[:most])]
            for value, scores in shown
        ]
        yield ""
        yield from name_table([*header, ""], [[*row, ""] for row in rows], columns)
        if len(by_value) > MOST_ROWS:
            told = f"and {_rest(len(by_value))}: --output FILE or `pincite runs export` has all"
            yield from hanging(told, columns, 2)


def _rest(rows: int) -> str:
    """What is not shown. Beyond so many values the rest of them share one row, so that it is not counted."""
    if rows > MOST_SHOWN:
        return f"{MOST_SHOWN - MOST_ROWS} more, and one row for the many others"
    return f"{rows - MOST_ROWS} more"


def _headlines(by_value: Mapping[str, Mapping[str, PartScore]]) -> list[str]:
    """What a breakdown shows: the headline figures, then whatever else was measured."""
    return headlines({name: None for scores in by_value.values() for name in scores})


def headlines(measured: Collection[str]) -> list[str]:
    """Of these metrics, the headline figures, and all of them where there are few such."""
    ranks = {name: known_metric(name).headline for name in measured if "(" not in name}
    first = sorted((name for name, rank in ranks.items() if rank), key=lambda name: ranks[name] or 0)
    return first if len(first) >= 3 else [*first, *(name for name in measured if name not in first)]


def part_size(scores: Mapping[str, PartScore]) -> int:
    """How many queries a part of the dataset has."""
    return max((one.n + one.not_scorable + one.unjudged for one in scores.values()), default=0)


def _value(score: PartScore | None) -> str:
    return figure(None if score is None else score.value)


def _failures(run: Run, columns: int) -> Iterator[str]:
    kinds = run.document.failures.by_kind
    if kinds:
        yield ""
        told = ", ".join(f"{kind} {count}" for kind, count in list(kinds.items())[:8])
        yield from hanging(f"what went wrong: {told}", columns, 2)
    yield from _failed_lines(run, columns)


def _failed_lines(run: Run, columns: int) -> Iterator[str]:
    """The reasons with their counts, the most frequent first, then the next step."""
    reasons = list(run.document.failures.failed_queries.items())
    for reason, count in reasons[:MOST_REASONS]:
        yield from hanging(f"failed ({count}): {reason}", columns, 2)
    if len(reasons) > MOST_REASONS:
        yield f"and {len(reasons) - MOST_REASONS} more reasons"


def _next_step(target: str) -> str:
    if target.startswith("traces:"):
        return "see which attributes of a trace are read in docs/integrations/traces.md"
    if target.startswith("recorded:"):
        return (
            "give a file with one JSON object per line, each with the query_id of the dataset and an answer"
        )
    if target.startswith(("http://", "https://")):
        return (
            "try one query with --limit 1; check that the system is running, and that --request-body, "
            "--answer-path and --header are right"
        )
    return "try one query with --limit 1, or call the function with one query by hand"


def _row(row: Sequence[str]) -> str:
    return f"| {' | '.join(row)} |"
