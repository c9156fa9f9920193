"""`pincite runs compare`: whether one run is better than another."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from msgspec import structs

from pincite.cli.history import RunHistory, open_history
from pincite.cli.options import PAGE_FILE, HistoryOptions, arg, command, flag, formats, opt
from pincite.cli.output import emit, emit_or_write, require_page, terminal_width, wants_color
from pincite.datasets import BenchmarkData
from pincite.errors import InputError
from pincite.reports import (
    Paint,
    benchmark_json,
    benchmark_text,
    comparison_json,
    comparison_markdown,
    comparison_text,
)
from pincite.runs import compare, compare_with_benchmark, read_benchmark

if TYPE_CHECKING:
    pass


class RunsCompareOptions(HistoryOptions):
    a: str = arg("A", "the earlier run, or its results file")
    b: str = arg("B", "the run to compare with A")
    metric: list[str] = opt(
        "-m, --metric NAME...", "compare this metric only (default: all that both runs have)"
    )
    output_format: str = formats("text", "json", "markdown", "html")
    output: str | None = PAGE_FILE
    verbose: bool = flag("-v, --verbose", "say why each metric is decisive or not")
    fail_if_worse: bool = flag("--fail-if-worse", "exit 1 when a metric is significantly worse")


@command(
    RunsCompareOptions,
    epilog="""\
A is the baseline and B the run to test: a difference is B minus A. Each is an id from
`pincite runs list`, `latest`, `latest~1`, a name, the beginning of an id, or a file of results (.json,
.yaml, .csv, .parquet).

One of the two may be a benchmark (`pincite runs export RUN -o benchmark`): a run is better or worse than
one of its figures where the run's own interval leaves that figure out.
""",
)
def run(options: RunsCompareOptions) -> int:
    require_page(options.output, options.output_format)
    with open_history(options) as history:
        for run_name, benchmark_name in ((options.a, options.b), (options.b, options.a)):
            if (benchmark := read_benchmark(benchmark_name)) is not None:
                return _against(run_name, benchmark, options, history)
        a, b = history.find(options.a), history.find(options.b)
        found = compare(a, b, options.metric or None, history.settings)
    if options.output_format == "json":
        emit(comparison_json(found))
    elif options.output_format == "markdown":
        emit(comparison_markdown(found))
    elif options.output_format == "html":
        from pincite.reports import write_comparison

        emit_or_write(write_comparison(found), options.output)
    else:
        paint = Paint(wants_color(options.no_color, sys.stdout))
        emit(comparison_text(found, paint, terminal_width(sys.stdout), verbose=options.verbose))
    return 1 if options.fail_if_worse and found.is_worse else 0


def _against(
    reference: str, benchmark: BenchmarkData, options: RunsCompareOptions, history: RunHistory
) -> int:
    if options.output_format == "html":
        raise InputError("a comparison with a benchmark has no page; use text, json or markdown")
    if read_benchmark(reference) is not None:
        raise InputError("both are benchmarks: compare a run of the history with one")
    run = history.store.find(reference)
    found = compare_with_benchmark(run.run_id, run.scores, benchmark)
    if options.metric:
        kept = tuple(row for row in found.metrics if row.metric in options.metric)
        found = structs.replace(found, metrics=kept)
    emit(benchmark_json(found) if options.output_format == "json" else benchmark_text(found))
    return 1 if options.fail_if_worse and found.is_worse else 0
