"""`pincite runs show ID`: one run, and its queries where they are wanted."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from pincite.cli.history import add_history, open_kept_history
from pincite.cli.options import Parser

if TYPE_CHECKING:
    from pincite.records import ItemResult, Run
    from pincite.store.history import Store

EPILOG = """\
Name a run by its id or the beginning of it, its name (the newest with that name), `latest`, or
`latest~1` for the finished run before it.
"""
WIDE = 80
PAGE = 200


def parser() -> Parser:
    made = Parser("runs show", "Show one run: every metric with its interval, and the breakdown.", EPILOG)
    made.add_argument("run", nargs="?", default="latest", metavar="RUN", help="which run (default: latest)")
    made.add_argument("--items", action="store_true", help="list its queries instead")
    made.add_argument("--failed", action="store_true", help="list only queries without an answer")
    made.choice(
        "-f", "--output-format", of=("text", "json", "markdown"), default="text", help="how to print it"
    )
    add_history(made)
    return made


def run(options: Namespace) -> int:
    from pincite.cli.output import emit

    with open_kept_history(options) as store:
        found = store.find(options.run)
        if options.output_format == "json":
            emit(_json(store, found, options))
        elif options.items or options.failed:
            none = "no query failed" if options.failed and found.total else "no query was done yet"
            _print_items(_items(store, found, options), none)
        elif options.output_format == "markdown":
            from pincite.reports.runs.eval_table import run_markdown

            emit(run_markdown(found))
        else:
            _print_text(store, found, options.no_color)
    return 0


def _print_text(store: Store, found: Run, no_color: bool) -> None:
    from pincite.cli.output import emit, terminal_width, wants_color
    from pincite.reports.display import fold_words, safe
    from pincite.reports.runs.eval_table import run_text
    from pincite.runs.alerts.undelivered import KIND as UNDELIVERED

    columns = terminal_width(sys.stdout)
    emit(run_text(found, columns=columns, color=wants_color(no_color, sys.stdout)))
    for question, outcomes in store.verdicts(found.run_id).items():
        told = ", ".join(f"{count:,} {outcome}" for outcome, count in outcomes.items())
        lines = fold_words(safe(f"verdicts on {question}: {told}"), columns or WIDE)
        emit("".join(f"{line}\n" for line in lines))
    if store.get(UNDELIVERED, found.run_id) is not None:
        told = "its alerts were not delivered: `pincite runs alerts` says why, and with --send tries again"
        emit("".join(f"{line}\n" for line in fold_words(told, columns or WIDE)))
    if found.status in ("running", "interrupted"):
        told = f"the run is not finished ({found.status}): run the same command again to resume it"
        emit("".join(f"{line}\n" for line in fold_words(told, columns or WIDE)))


def _items(store: Store, found: Run, options: Namespace) -> Iterator[ItemResult]:
    for item in store.items(found.run_id):
        if not options.failed or item.failure is not None:
            yield item


def _print_items(items: Iterator[ItemResult], none: str) -> None:
    """Printed page by page, as they are read: there may be a million."""
    from pincite.cli.output import emit, terminal_width
    from pincite.cli.tables import table
    from pincite.reports.display import folded

    columns = terminal_width(sys.stdout)
    rows = ((str(item.position + 1), item.query_id, folded(_told(item))) for item in items)
    page = list(islice(rows, PAGE))
    if not page:
        emit(f"{none}\n")
    while page and emit(table(("query", "id", "what happened"), page, columns)):
        page = list(islice(rows, PAGE))


def _told(item: ItemResult) -> str:
    """What happened to a query: why it failed, what is wrong with its answer, and the answer."""
    from collections import Counter

    if item.failure is not None:
        return f"failed: {item.failure}"
    wrong = Counter(failure.kind for failure in item.failures)
    told = ", ".join(kind if count == 1 else f"{kind} {count}" for kind, count in wrong.items())
    return f"{told or 'nothing wrong'}: {item.answer}"


def _json(store: Store, found: Run, options: Namespace) -> str:
    from pincite.cli.commands.runs.export import document_of
    from pincite.reports.findings.json_report import dump
    from pincite.runs.results.document import query_result

    document: dict[str, Any] = {**document_of(found), "verdicts": store.verdicts(found.run_id)}
    if options.items or options.failed:
        document["query_results"] = [query_result(item) for item in _items(store, found, options)]
    return dump(document)
