"""`pincite ab status [NAME]`: what a test says so far, or which tests there are."""

from __future__ import annotations

import sys
from argparse import Namespace
from contextlib import ExitStack
from typing import TYPE_CHECKING

from pincite.cli.history import add_history
from pincite.cli.named_runs import NamedRuns
from pincite.cli.options import Parser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.runs.compare.ab import Status


def parser() -> Parser:
    made = Parser("ab status", "Show a test's result so far, and whether it may stop.")
    made.add_argument("name", nargs="?", metavar="NAME", help="the test (without one, all are listed)")
    made.choice("-f", "--output-format", of=("text", "json"), default="text", help="how to print it")
    add_history(made)
    return made


def run(options: Namespace) -> int:
    from pincite.cli.commands.settings import load_settings
    from pincite.cli.output import emit
    from pincite.reports.runs.ab_report import status_json, status_text, statuses_json
    from pincite.runs.compare.ab import all_tests, find_test, status_of

    settings = load_settings(options.config, store_url=options.store)
    as_json = options.output_format == "json"
    with ExitStack() as stack:
        store = NamedRuns(settings, stack).store
        if options.name is None:
            statuses = [status_of(test) for test in all_tests(store)]
            emit(statuses_json(statuses) if as_json else _listed(statuses))
        else:
            status = status_of(find_test(store, options.name))
            emit(status_json(status) if as_json else status_text(status))
    return 0


def _listed(statuses: Sequence[Status]) -> str:
    from pincite.cli.output import terminal_width
    from pincite.cli.tables import table

    if not statuses:
        return "there are no tests yet: start one with `pincite ab plan --name NAME`\n"
    rows = [
        (one.metric, f"{one.n:,}", f"{one.n_planned:,}", one.decision, one.name)
        for one in sorted(statuses, key=lambda one: one.name)
    ]
    return table(("metric", "queries", "planned", "decision", "test"), rows, terminal_width(sys.stdout))
