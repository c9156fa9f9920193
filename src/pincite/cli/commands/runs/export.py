"""`pincite runs export ID --to FILE`: a run with all of its queries as a file."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.cli.history import add_history, open_kept_history
from pincite.cli.options import Parser
from pincite.errors import InputError

if TYPE_CHECKING:
    from pincite.records import Run

STDOUT = "-"
BENCHMARK = "benchmark"
FORMS = ("json", "yaml", "csv")
EPILOG = """\
The ending sets the format: run.results.json and run.results.yaml hold the whole results document, .csv and
.parquet one row per query; .gz after any of them but .parquet compresses it. run.benchmark.json holds the
scores alone, for `pincite runs compare RUN run.benchmark.json`; `--to benchmark` names it after the run.
"""


def parser() -> Parser:
    made = Parser("runs export", "Write a run with all of its queries to a file.", EPILOG)
    made.add_argument("run", metavar="RUN", help="an id or its beginning, a name, latest, latest~1")
    made.add_argument(
        "--to",
        required=True,
        metavar="FILE",
        help="results.json, .yaml, .csv, .parquet or .benchmark.json; - prints it",
    )
    made.choice("-f", "--format", of=FORMS, default="json", help="how to print it with --to -")
    made.add_argument("-q", "--quiet", action="store_true", help="no notes")
    add_history(made)
    return made


def run(options: Namespace) -> int:
    from pincite.cli.output import note
    from pincite.cli.printed_results import print_results
    from pincite.runs.results.files import refuse_unwritable, write_results

    path = Path(options.to)
    if options.to == BENCHMARK or file_kind_of(path) == "benchmark":
        return _write_benchmark(options, None if options.to == BENCHMARK else path)
    if not (printed := options.to == STDOUT):
        refuse_unwritable(path)  # before anything is read
    with open_kept_history(options) as store:
        found = store.find(options.run)
        if not found.document.evaluation_id and not options.quiet:
            note(f"{found.run_id} was not finished: its completed queries are written, without scores")
        if printed:
            print_results(document_of(found), store.items(found.run_id), options.format)
            return 0
        write_results(document_of(found), store.items(found.run_id), path)
    if not options.quiet:
        note(f"{found.run_id} written to {path}")
    return 0


def file_kind_of(path: Path) -> str | None:
    from pincite.datasets.files.kinds import file_kind

    try:
        return file_kind(path).kind
    except InputError:
        return None


def _write_benchmark(options: Namespace, path: Path | None) -> int:
    from pincite.cli.output import note
    from pincite.datasets.files.save import save
    from pincite.runs.compare.benchmark import benchmark_of

    with open_kept_history(options) as store:
        found = store.find(options.run)
    path = path or Path(f"{found.run_id}.benchmark.json")
    save(benchmark_of(found), path, "benchmark")
    if not options.quiet:
        note(f"the scores of {found.run_id} written to {path}")
    return 0


def document_of(run: Run) -> dict[str, Any]:
    """The results document of a run; of one that was cut off, as much as is known of it."""
    from pincite.records import SCHEMA_VERSION
    from pincite.runs.results.document import plain_document

    if run.document.evaluation_id:
        return plain_document(run.document)
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": run.run_id,
        "name": run.name,
        "status": run.status,
        "timestamp": run.started_at,
        "system_version": run.system_version,
        "dataset_id": run.dataset_id,
        "dataset_version": run.dataset_version,
        "summary": {"total_queries": run.total},
    }
