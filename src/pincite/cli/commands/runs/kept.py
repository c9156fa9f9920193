"""`pincite runs export|alerts|prune`: a run as a file, alerts to be sent again, and old runs removed."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import msgspec

from pincite.cli.history import STDOUT, document_of, moment, open_history, print_results
from pincite.cli.options import HISTORY, YES, Group, arg, choice, flag, formats, on_command, opt, read_age
from pincite.cli.output import agreed, emit, emit_json, emit_table, is_terminal, note, tell
from pincite.datasets import file_kind
from pincite.errors import InputError
from pincite.records import Run
from pincite.reports import plural
from pincite.runs import Undelivered, forget, refuse_file, send_again, undelivered, write_file

BENCHMARK = "benchmark"
MOST_LISTED = 20


@on_command(
    "runs export",
    arg("run", "RUN", "an id or its beginning, a name, latest, latest~1"),
    opt(
        "--to FILE",
        "results.json, .yaml, .csv, .parquet, .journal or .benchmark.json; - prints it",
        required=True,
    ),
    choice("-f, --format", "how to print it with --to -", of=("json", "yaml", "csv"), default="json"),
    flag("-q, --quiet", "no notes"),
    *HISTORY,
    epilog="""\
The ending sets the format: run.results.json and run.results.yaml hold the whole results document, .csv and
.parquet one row per query; .gz after any of them but .parquet compresses it. run.benchmark.json holds the
scores alone, for `pincite runs compare RUN run.benchmark.json`; `--to benchmark` names it after the run.
run.journal holds all that is kept of a run, for `pincite runs merge` on another machine.
""",
)
def _export(options: Namespace) -> int:
    path = Path(options.to)
    benchmark = options.to == BENCHMARK or _is_benchmark(path)
    if not benchmark and options.to != STDOUT:
        refuse_file(path)  # before anything is read
    with open_history(options) as history:
        store = history.store
        found = store.find(options.run)
        if benchmark:
            told = _write_benchmark(found, None if options.to == BENCHMARK else path)
        else:
            if not found.document.evaluation_id:
                tell(
                    options,
                    f"{found.run_id} was not finished: its completed queries are written, without scores",
                )
            if options.to == STDOUT:
                print_results(document_of(found), store.items(found.run_id), options.format)
                return 0
            write_file(found, store.items(found.run_id), path, document_of(found))
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


@on_command(
    "runs alerts",
    Group(
        "", flag("--send", "send them to the webhook or command that failed"), flag("--forget", "drop them")
    ),
    formats("text", "json", help="how to print them"),
    *HISTORY,
    epilog="exit codes: 0 listed or delivered, 1 something could not be delivered, 2 could not run\n",
)
def _alerts(options: Namespace) -> int:
    with open_history(options) as history:
        store = history.store if history.begun else None
        waiting = [] if store is None else list(undelivered(store))
        left: list[Undelivered] = []
        if store is not None and options.forget:
            for one in waiting:
                forget(store, one)
        elif store is not None and options.send:
            alerts = history.settings.alerts
            left = [rest for one in waiting if (rest := send_again(store, one, alerts)) is not None]
    acted = options.send or options.forget
    shown = left if acted else waiting
    if options.output_format == "json":
        emit_json({"undelivered": msgspec.to_builtins(shown)})
        return 1 if left else 0
    if acted:
        verb = "forgot" if options.forget else "delivered"
        emit(f"{verb} the alerts of {plural(len(waiting) - len(left), 'run')}\n")
    elif not shown:
        emit("every alert was delivered\n")
    if shown:
        rows = [
            (one.run_id, moment(one.tried_at), f"{len(one.sent['alerts'])}", "; ".join(one.problems.values()))
            for one in shown
        ]
        emit_table(("run", "tried (UTC)", "alerts", "why not delivered"), rows)
    return 1 if left else 0


@on_command(
    "runs prune",
    opt("--older-than AGE", "runs that began before this: 90d, 12w, 36h", required=True),
    opt("--keep RUN...", "keep this run whatever its age: an id, or a name for every run with it"),
    flag("--dry-run", "list what would be removed without removing it"),
    YES,
    *HISTORY,
)
def _prune(options: Namespace) -> int:
    days = read_age(options.older_than)
    assert days is not None
    with open_history(options) as history:
        if not history.begun:
            note(history.nothing_yet())
            return 0
        old = history.store.old_runs(days, options.keep)
        count = plural(len(old), "run")
        if options.dry_run or not old:
            _print_runs(old)
            emit(f"{count} would be removed\n" if old else "no runs are that old\n")
            return 0
        if not options.yes:
            if not is_terminal(sys.stdin):
                raise InputError(f"{count} would be removed: add --yes, or look first with --dry-run")
            _print_runs(old)
            if not agreed(f"remove {count}?"):
                emit("nothing was removed\n")
                return 0
        emit(f"removed {plural(history.store.prune(days, options.keep), 'run')}\n")
    return 0


def _print_runs(runs: Sequence[Run]) -> None:
    rows = [
        (run.run_id, moment(run.started_at), f"{run.total:,}", run.name or run.dataset_id)
        for run in runs[:MOST_LISTED]
    ]
    if rows:
        emit_table(("run", "started (UTC)", "n", "name"), rows)
    if len(runs) > MOST_LISTED:
        emit(f"and {len(runs) - MOST_LISTED:,} more\n")
