"""`pincite runs compare A B`: whether one run is better than another."""

from __future__ import annotations

import sys
from argparse import Namespace
from contextlib import ExitStack

from pincite.cli.history import add_history
from pincite.cli.named_runs import NamedRuns
from pincite.cli.options import Parser

EPILOG = """\
A is the baseline and B the run to test: a difference is B minus A. Each is an id from
`pincite runs list`, `latest`, `latest~1`, a name, the beginning of an id, or a file of results (.json,
.yaml, .csv, .parquet).
"""


def parser() -> Parser:
    made = Parser("runs compare", "Test whether one run is better than another.", epilog=EPILOG)
    made.add_argument("a", metavar="A", help="the earlier run, or its results file")
    made.add_argument("b", metavar="B", help="the run to compare with A")
    made.add_argument(
        "-m",
        "--metric",
        action="append",
        metavar="NAME",
        default=[],
        help="compare this metric only; repeatable (default: all that both runs have)",
    )
    made.choice(
        "-f", "--output-format", of=("text", "json", "markdown"), default="text", help="how to print it"
    )
    made.add_argument("-v", "--verbose", action="store_true", help="say why each metric is decisive or not")
    made.add_argument(
        "--fail-if-worse", action="store_true", help="exit 1 when a metric is significantly worse"
    )
    add_history(made)
    return made


def run(options: Namespace) -> int:
    from pincite.cli.commands.settings import load_settings
    from pincite.cli.output import emit, terminal_width, wants_color
    from pincite.reports.colour import Paint
    from pincite.reports.comparison import comparison_json, comparison_text
    from pincite.reports.comparison_markdown import comparison_markdown
    from pincite.runs.compare.comparing import compare
    from pincite.runs.compare.conditions import tell_differences

    settings = load_settings(options.config, store_url=options.store)
    with ExitStack() as stack:
        runs = NamedRuns(settings, stack)
        a, b = runs.find(options.a), runs.find(options.b)
        found = compare(
            a.items,
            b.items,
            options.metric or None,
            settings,
            names=(a.name, b.name),
            titles=(a.title, b.title),
            notes=tell_differences(a.conditions, b.conditions),
        )
    if options.output_format == "json":
        emit(comparison_json(found))
    elif options.output_format == "markdown":
        emit(comparison_markdown(found))
    else:
        paint = Paint(wants_color(options.no_color, sys.stdout))
        emit(comparison_text(found, paint, terminal_width(sys.stdout), verbose=options.verbose))
    return 1 if options.fail_if_worse and found.is_worse else 0
