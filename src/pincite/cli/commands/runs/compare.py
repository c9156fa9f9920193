"""`pincite runs compare A B`: whether one run is better than another."""

from __future__ import annotations

import sys
from argparse import Namespace
from contextlib import ExitStack
from typing import TYPE_CHECKING

from msgspec import structs

from pincite.cli.history import add_history
from pincite.cli.named_runs import NamedRuns
from pincite.cli.options import Parser
from pincite.errors import InputError

if TYPE_CHECKING:
    from pincite.config import Settings
    from pincite.datasets.formats.records import BenchmarkData

EPILOG = """\
A is the baseline and B the run to test: a difference is B minus A. Each is an id from
`pincite runs list`, `latest`, `latest~1`, a name, the beginning of an id, or a file of results (.json,
.yaml, .csv, .parquet).

One of the two may be a benchmark (`pincite runs export RUN --to benchmark`): a run is better or worse than
one of its figures where the run's own interval leaves that figure out.
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
    from pincite.reports.runs.comparison import comparison_json, comparison_text
    from pincite.reports.runs.comparison_markdown import comparison_markdown
    from pincite.runs.compare.benchmark import read_benchmark
    from pincite.runs.compare.comparing import compare_items
    from pincite.runs.compare.conditions import tell_differences

    settings = load_settings(options.config, store_url=options.store)
    for run_name, benchmark_name in ((options.a, options.b), (options.b, options.a)):
        if (benchmark := read_benchmark(benchmark_name)) is not None:
            return _against(run_name, benchmark, options, settings)
    with ExitStack() as stack:
        runs = NamedRuns(settings, stack)
        a, b = runs.find(options.a), runs.find(options.b)
        found = compare_items(
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


def _against(reference: str, benchmark: BenchmarkData, options: Namespace, settings: Settings) -> int:
    from pincite.cli.output import emit
    from pincite.reports.runs.comparison import benchmark_json, benchmark_text
    from pincite.runs.compare.benchmark import compare_with_benchmark, read_benchmark

    if read_benchmark(reference) is not None:
        raise InputError("both are benchmarks: compare a run of the history with one")
    with ExitStack() as stack:
        run = NamedRuns(settings, stack).store.find(reference)
    scores = tuple(one for one in run.scores if not options.metric or one.metric in options.metric)
    found = compare_with_benchmark(run.run_id, scores, benchmark)
    if options.metric:
        found = structs.replace(
            found, metrics=tuple(row for row in found.metrics if row.metric in options.metric)
        )
    emit(benchmark_json(found) if options.output_format == "json" else benchmark_text(found))
    return 1 if options.fail_if_worse and found.is_worse else 0
