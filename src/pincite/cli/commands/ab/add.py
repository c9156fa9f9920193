"""`pincite ab add NAME`: paired results for a test."""

from __future__ import annotations

from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.history import add_history
from pincite.cli.named_runs import NamedRuns
from pincite.cli.options import Parser
from pincite.errors import InputError

if TYPE_CHECKING:
    from pincite.runs.compare.ab import PairedScore

EPILOG = """\
A run is an id of `pincite runs list`, `latest`, a name, or a file of results (.json, .yaml, .csv, .parquet).
A file of rows is JSON Lines or CSV with query_id, a and b: the scores of both systems on one query.
"""


def parser() -> Parser:
    made = Parser("ab add", "Add paired results to a test. The same query never counts twice.", epilog=EPILOG)
    add = made.add_argument
    add("name", metavar="NAME", help="the test")
    add("--a", metavar="RUN", help="a run of system A")
    add("--b", metavar="RUN", help="a run of system B on the same queries")
    add("--rows", metavar="FILE", help="paired scores instead of runs")
    made.choice("-f", "--output-format", of=("text", "json"), default="text", help="how to print it")
    add_history(made)
    return made


def run(options: Namespace) -> int:
    from pincite.cli.commands.settings import load_settings
    from pincite.cli.output import emit, note
    from pincite.reports.runs.ab_report import status_json, status_text
    from pincite.runs.compare.ab import add_rows, find_test, status_of
    from pincite.runs.compare.ab_rows import rows_of_file, rows_of_runs
    from pincite.runs.compare.conditions import tell_differences
    from pincite.runs.compare.verdicts import told_dropouts

    runs_given = options.a is not None and options.b is not None
    if runs_given == (options.rows is not None) or (options.rows is not None and (options.a or options.b)):
        raise InputError("give two runs (--a RUN --b RUN) or a file of rows (--rows FILE)")
    settings = load_settings(options.config, store_url=options.store)
    with ExitStack() as stack:
        runs = NamedRuns(settings, stack)
        test = find_test(runs.store, options.name)
        if runs_given:
            a, b = runs.find(options.a), runs.find(options.b)
            for difference in tell_differences(a.conditions, b.conditions):
                note(difference)
            paired = rows_of_runs(a.items, b.items, test.plan.metric)
            rows = list(paired.rows)
            counted = len(rows) + sum(paired.one_sided)
            left_out = told_dropouts(test.plan.metric, paired.one_sided, counted)
            if left_out:
                note(left_out, "warning")
            elif paired.without_value:
                note(f"paired queries without a score in one of the runs: {paired.without_value:,}")
            if paired.unpaired:
                note(f"{paired.unpaired:,} queries are in one of the runs only, or with another text")
        else:
            rows = list(rows_of_file(Path(options.rows)))
            if not rows:
                raise InputError(f"{options.rows} has no rows: it needs query_id, a and b, one query per row")
        added = add_rows(runs.store, options.name, rows)
        note(f"{added.new:,} new, {added.known:,} counted before, {added.total:,} in all")
        if added.example is not None:
            note(_contradiction(added.contradicted, *added.example), "warning")
        status = status_of(find_test(runs.store, options.name))
    emit(status_json(status) if options.output_format == "json" else status_text(status))
    return 0


def _contradiction(count: int, counts: PairedScore, came: PairedScore) -> str:
    told = (
        f"{count:,} were added before with other scores; the first ones stay: {counts.query_id!r:.60} "
        f"counts with A {counts.a:g}, B {counts.b:g}, and came with A {came.a:g}, B {came.b:g}"
    )
    swapped = (counts.a, counts.b) == (came.b, came.a)
    return f"{told}; are A and B swapped?" if swapped else told
