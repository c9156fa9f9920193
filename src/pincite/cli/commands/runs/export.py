"""`pincite runs export`: a run as a file."""

from __future__ import annotations

from pathlib import Path

from pincite.cli.history import STDOUT, document_of, open_history, print_results
from pincite.cli.options import HistoryOptions, arg, command, flag, formats, opt
from pincite.cli.output import tell
from pincite.datasets import file_kind
from pincite.errors import InputError
from pincite.records import Run
from pincite.runs import require_writable, write_results

BENCHMARK = "benchmark"


class RunsExportOptions(HistoryOptions):
    run: str = arg("RUN", "an id or its beginning, a name, latest, latest~1")
    output: str = opt(
        "-o, --output FILE",
        "results.json, .yaml, .csv, .parquet or .benchmark.json; - prints it",
        required=True,
    )
    output_format: str = formats("json", "yaml", "csv", help="how to print it with --output -")
    quiet: bool = flag("-q, --quiet", "no notes")


@command(
    RunsExportOptions,
    epilog="""\
The ending sets the format: run.results.json and run.results.yaml hold the whole results document, .csv and
.parquet one row per query; .gz after any of them but .parquet compresses it. run.benchmark.json holds the
scores alone, for `pincite runs compare RUN run.benchmark.json`; `--output benchmark` names it after the run.
""",
)
def run(options: RunsExportOptions) -> int:
    path = Path(options.output)
    benchmark = options.output == BENCHMARK or _is_benchmark(path)
    if not benchmark and options.output != STDOUT:
        require_writable(path)  # before anything is read
    with open_history(options) as history:
        store = history.store
        found = store.find(options.run)
        if benchmark:
            told = _write_benchmark(found, None if options.output == BENCHMARK else path)
        else:
            if not found.document.evaluation_id:
                tell(
                    options,
                    f"{found.run_id} was not finished: its completed queries are written, without scores",
                )
            if options.output == STDOUT:
                print_results(document_of(found), store.items(found.run_id), options.output_format)
                return 0
            write_results(document_of(found), store.items(found.run_id), path)
            told = f"{found.run_id} written to {path}"
    tell(options, told)
    return 0


def _is_benchmark(path: Path) -> bool:
    try:
        return file_kind(path).kind == BENCHMARK
    except InputError:
        return False


def _write_benchmark(found: Run, path: Path | None) -> str:
    from pincite.datasets import save
    from pincite.runs import benchmark_of

    path = path or Path(f"{found.run_id}.benchmark.json")
    save(benchmark_of(found), path, "benchmark")
    return f"the scores of {found.run_id} written to {path}"
