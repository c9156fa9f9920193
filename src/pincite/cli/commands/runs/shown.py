"""`pincite runs list|show|report|graph`: the runs of the history, and one of them closely."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.cli.history import document_of, moment, open_history
from pincite.cli.options import HISTORY, PAGE_FILE, RUN, flag, formats, on_command, opt
from pincite.cli.output import (
    emit,
    emit_json,
    emit_lines,
    emit_or_write,
    emit_table,
    note,
    refuse_output,
    terminal_width,
    wants_color,
)
from pincite.cli.tables import table
from pincite.errors import InputError
from pincite.records import ItemResult, Run
from pincite.reports import dump, fold_words, folded, pick, safe, width

if TYPE_CHECKING:
    from pincite.config import Settings
    from pincite.store import Store

WIDE = 80
PAGE = 200
USUAL = 20


@on_command(
    "runs list",
    opt("--dataset ID", "only runs on this dataset"),
    opt("--limit N", f"at most this many (default: {USUAL}; 0 for all)", int, default=USUAL),
    formats("text", "json"),
    *HISTORY,
)
def _list(options: Namespace) -> int:
    if options.limit < 0:
        raise InputError(f"--limit is a number from 0, not {options.limit}")
    limit = options.limit or None
    found, others = [], False
    with open_history(options) as history:
        if history.begun:
            # One more than is shown, to know whether there are more.
            found = list(history.store.runs(dataset=options.dataset, limit=limit and limit + 1))
            others = bool(options.dataset and not found and history.store.runs(limit=1))
        shown = found[:limit]
        if options.output_format == "json":
            emit_json({"runs": [_run_shape(run) for run in shown]})
        elif not shown:
            note(f"no run is on the dataset {options.dataset}" if others else history.nothing_yet())
        else:
            emit(_listed(shown))
            if len(found) > len(shown):
                note(f"there are older ones; --limit {2 * options.limit} shows more")
    return 0


def _listed(runs: Sequence[Run]) -> str:
    """A table as wide as the terminal; where that is narrow, without what can best be done without."""
    columns = terminal_width(sys.stdout)
    rows = [_cells(run) for run in runs]
    text = ""
    for left_out in ((), ("started (UTC)",), ("started (UTC)", "failed")):
        header = [name for name in rows[0] if name not in left_out]
        text = table(header, [[row[name] for name in header] for row in rows], columns)
        if columns is None or all(width(line) <= columns for line in text.splitlines()):
            break
    return text


def _cells(run: Run) -> dict[str, str]:
    done = run.successful + run.failed
    named = (run.name, f"{run.dataset_id} {run.dataset_version}".strip())
    return {
        "run": run.run_id,
        "started (UTC)": moment(run.started_at),
        "status": run.status,
        "n": f"{run.total:,}" if run.status == "finished" else f"{done:,}/{run.total:,}",
        "failed": f"{run.failed:,}",
        "name, dataset": ", ".join(part for part in named if part),
    }


def _run_shape(run: Run) -> dict[str, Any]:
    """A run without its parameters and its document, for a program that lists runs."""
    from pincite.runs import brief

    kept = ("run_id", "name", "status", "started_at", "finished_at", "dataset_id", "dataset_version")
    return {
        **pick(run, *kept, "target", "system_version", "judge"),
        "total_queries": run.total,
        "successful_queries": run.successful,
        "failed_queries": run.failed,
        "total_evaluation_time_seconds": run.seconds,
        "scores": {score.metric: brief(score) for score in run.scores},
    }


@on_command(
    "runs show",
    RUN,
    flag("--items", "list its queries instead"),
    flag("--failed", "list only queries without an answer"),
    opt("--dataset FILE", "the dataset of the run, or sample: the page then has sources and gold spans"),
    opt("--labels FILE", "what people said about claims: the page then has the judge's calibration curve"),
    formats("text", "json", "markdown", "html"),
    PAGE_FILE,
    *HISTORY,
    epilog="""\
Name a run by its id or the beginning of it, its name (the newest with that name), `latest`, or
`latest~1` for the finished run before it.
""",
)
def _show(options: Namespace) -> int:
    refuse_output(options)
    if options.dataset and options.output_format != "html":
        raise InputError("--dataset goes with --output-format html: it adds the sources to the page")
    if options.labels and options.output_format != "html":
        raise InputError("--labels goes with --output-format html: it adds the judge's curve to the page")
    with open_history(options) as history:
        store = history.store
        found = store.find(options.run)
        items = (item for item in store.items(found.run_id) if not options.failed or item.failure is not None)
        listed = options.items or options.failed
        if options.output_format == "json":
            _print_json(store, found, items if listed else None)
        elif listed and options.output_format != "html":
            none = "no query failed" if options.failed and found.total else "no query was done yet"
            _print_items(items, none)
        elif options.output_format == "markdown":
            from pincite.reports import run_markdown

            emit(run_markdown(found))
        elif options.output_format == "html":
            emit_or_write(_page(found, items, options, history.settings), options.output)
        else:
            _print_text(store, found, options.no_color)
    return 0


def _page(found: Run, items: Iterator[ItemResult], options: Namespace, settings: Settings) -> str:
    from pincite.annotation import read_labels
    from pincite.datasets import open_dataset
    from pincite.reports import write_run_page

    labels = read_labels(Path(options.labels)) if options.labels else None
    if options.dataset is None:
        return write_run_page(found, items, labels=labels)
    with open_dataset(options.dataset, settings) as opened:
        return write_run_page(found, items, opened, settings.offsets, labels)


def _print_json(store: Store, found: Run, items: Iterator[ItemResult] | None) -> None:
    from pincite.runs import query_result

    document = {**document_of(found), "verdicts": store.verdicts(found.run_id)}
    if items is not None:
        document["query_results"] = [query_result(item) for item in items]
    emit(dump(document))


def _print_text(store: Store, found: Run, no_color: bool) -> None:
    from pincite.reports import run_text
    from pincite.runs import UNDELIVERED

    columns = terminal_width(sys.stdout)
    emit(run_text(found, columns=columns, color=wants_color(no_color, sys.stdout)))
    notes = [
        f"verdicts on {question}: {', '.join(f'{count:,} {outcome}' for outcome, count in outcomes.items())}"
        for question, outcomes in store.verdicts(found.run_id).items()
    ]
    if store.get(UNDELIVERED, found.run_id) is not None:
        notes.append("its alerts were not delivered: `pincite runs alerts` says why, and --send tries again")
    if found.status in ("running", "interrupted"):
        notes.append(f"the run is not finished ({found.status}): run the same command again to resume it")
    emit_lines(line for told in notes for line in fold_words(safe(told), columns or WIDE))


def _print_items(items: Iterator[ItemResult], none: str) -> None:
    """Printed page by page, as they are read: there may be a million."""
    rows = ((str(item.position + 1), item.query_id, folded(_told(item))) for item in items)
    page = list(islice(rows, PAGE))
    if not page:
        emit(f"{none}\n")
    while page and emit_table(("query", "id", "what happened"), page):
        page = list(islice(rows, PAGE))


def _told(item: ItemResult) -> str:
    """What happened to a query: why it failed, what is wrong with its answer, and the answer."""
    if item.failure is not None:
        return f"failed: {item.failure}"
    wrong = Counter(failure.kind for failure in item.failures)
    told = ", ".join(kind if count == 1 else f"{kind} {count}" for kind, count in wrong.items())
    return f"{told or 'nothing wrong'}: {item.answer}"


@on_command(
    "runs report",
    RUN,
    formats("text", "json"),
    *HISTORY,
    epilog="`--output-format json` has summary, visualizations (Vega-Lite), analysis and recommendations.\n",
)
def _report(options: Namespace) -> int:
    from pincite.reports import report_text, run_report
    from pincite.runs import Failures, threshold_alerts

    failures = Failures()
    with open_history(options) as history:
        found = history.store.find(options.run)
        for item in history.store.items(found.run_id):
            failures.add(item.failures, failed=item.failure is not None)
    analysis, alerts = failures.analysis(), threshold_alerts(found.scores)
    if options.output_format == "json":
        emit(dump(run_report({"run": found.run_id}, found.scores, analysis, alerts)))
    else:
        emit(report_text(found.run_id, analysis, alerts, terminal_width(sys.stdout)))
    return 0


@on_command(
    "runs graph",
    RUN,
    opt("--dataset FILE", "the dataset of the run, or sample"),
    formats("text", "json", "dot"),
    *HISTORY,
    epilog="""\
With --dataset it also lists documents that no answer cites, and marks those missing from the dataset.
`--output-format dot` is a drawing for Graphviz.
""",
)
def _graph(options: Namespace) -> int:
    from pincite.metrics import citation_graph

    documents = None
    if options.dataset:
        from pincite.datasets import open_dataset, source_of

        with open_dataset(options.dataset) as dataset:
            documents = [source_of(one, place).name for place, one in enumerate(dataset.documents(), 1)]
    with open_history(options) as history:
        found = history.store.find(options.run)
        graph = citation_graph(history.store.items(found.run_id), documents)
    if options.output_format == "json":
        emit(dump({"run": found.run_id, **graph.to_json()}))
    else:
        emit(graph.to_dot() if options.output_format == "dot" else graph.to_text())
    return 0
