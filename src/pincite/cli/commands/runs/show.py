"""`pincite runs show`: one run closely."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.history import document_of, open_history
from pincite.cli.options import PAGE_FILE, RUN, HistoryOptions, command, flag, formats, opt
from pincite.cli.output import (
    emit,
    emit_lines,
    emit_or_write,
    emit_table,
    require_page,
    terminal_width,
    wants_color,
)
from pincite.errors import InputError
from pincite.records import ItemResult, Run
from pincite.reports import dump, fold_words, folded, safe

if TYPE_CHECKING:
    from pincite.config import Settings
    from pincite.store import Store

WIDE = 80
PAGE = 200


class RunsShowOptions(HistoryOptions):
    run: str = RUN
    items: bool = flag("--items", "list its queries instead")
    failed: bool = flag("--failed", "list only queries without an answer")
    dataset: str | None = opt(
        "--dataset FILE", "the dataset of the run, or sample: the page then has sources and gold spans"
    )
    labels: str | None = opt(
        "--labels FILE", "what people said about claims: the page then has the judge's calibration curve"
    )
    output_format: str = formats("text", "json", "markdown", "html")
    output: str | None = PAGE_FILE


@command(
    RunsShowOptions,
    epilog="""\
Name a run by its id or the beginning of it, its name (the newest with that name), `latest`, or
`latest~1` for the finished run before it.
""",
)
def run(options: RunsShowOptions) -> int:
    require_page(options.output, options.output_format)
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


def _page(found: Run, items: Iterator[ItemResult], options: RunsShowOptions, settings: Settings) -> str:
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

    columns = terminal_width(sys.stdout)
    emit(run_text(found, columns=columns, color=wants_color(no_color, sys.stdout)))
    notes = [
        f"verdicts on {question}: {', '.join(f'{count:,} {outcome}' for outcome, count in outcomes.items())}"
        for question, outcomes in store.verdicts(found.run_id).items()
    ]
    if found.status in ("running", "interrupted"):
        again = ": run the same command again to resume it" if found.fingerprint else ""
        notes.append(f"the run is not finished ({found.status}){again}")
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
