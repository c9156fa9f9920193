"""`pincite runs list`: the runs, the newest first."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from pincite.cli.history import add_history, moment, nothing_yet, open_history
from pincite.cli.options import Parser
from pincite.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.records import Run

USUAL = 20


def parser() -> Parser:
    made = Parser("runs list", "List the runs, newest first.")
    made.add_argument("--dataset", metavar="ID", help="only runs on this dataset")
    made.add_argument(
        "--limit",
        type=int,
        default=USUAL,
        metavar="N",
        help=f"at most this many (default: {USUAL}; 0 for all)",
    )
    made.choice("-f", "--output-format", of=("text", "json"), default="text", help="how to print it")
    add_history(made)
    return made


def run(options: Namespace) -> int:
    from pincite.cli.output import emit, note

    if options.limit < 0:
        raise InputError(f"--limit is a number from 0, not {options.limit}")
    limit = options.limit or None
    with open_history(options) as store:
        # One more than is shown tells whether there are more.
        found = store.runs(dataset=options.dataset, limit=limit and limit + 1) if store else []
        others = bool(store and options.dataset and not found and store.runs(limit=1))
    shown = found[:limit]
    if options.output_format == "json":
        emit(_json(shown))
        return 0
    if not shown:
        note(f"no run is on the dataset {options.dataset}" if others else nothing_yet(options))
        return 0
    emit(_text(shown))
    if len(found) > len(shown):
        note(f"there are older ones; --limit {2 * options.limit} shows more")
    return 0


def _text(runs: Sequence[Run]) -> str:
    """A table as wide as the terminal; where that is narrow, without what can best be done without."""
    from pincite.cli.output import terminal_width
    from pincite.cli.tables import table
    from pincite.reports.display import width

    columns = terminal_width(sys.stdout)
    rows = [_cells(run) for run in runs]
    text = ""
    for left_out in ((), ("started (UTC)",), ("started (UTC)", "failed")):
        header = [name for name in rows[0] if name not in left_out]
        text = table(header, [[row[name] for name in header] for row in rows], columns)
        if columns is None or all(width(line) <= columns for line in text.splitlines()):
            break
    return text


def _cells(run: Run) -> dict[str, str]:
    done = run.successful + run.failed
    named = (run.name, f"{run.dataset_id} {run.dataset_version}".strip())
    return {
        "run": run.run_id,
        "started (UTC)": moment(run.started_at),
        "status": run.status,
        "n": f"{run.total:,}" if run.status == "finished" else f"{done:,}/{run.total:,}",
        "failed": f"{run.failed:,}",
        "name, dataset": ", ".join(part for part in named if part),
    }


def _json(runs: Sequence[Run]) -> str:
    from pincite.records import SCHEMA_VERSION
    from pincite.reports.findings.json_report import dump

    return dump({"schema_version": SCHEMA_VERSION, "runs": [run_dict(run) for run in runs]})


def run_dict(run: Run) -> dict[str, Any]:
    """A run without its parameters and its document, for a program that lists runs."""
    from pincite.runs.results.document import brief

    return {
        "run_id": run.run_id,
        "name": run.name,
        "status": run.status,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "dataset_id": run.dataset_id,
        "dataset_version": run.dataset_version,
        "target": run.target,
        "system_version": run.system_version,
        "judge": run.judge,
        "total_queries": run.total,
        "successful_queries": run.successful,
        "failed_queries": run.failed,
        "total_evaluation_time_seconds": run.seconds,
        "scores": {score.metric: brief(score) for score in run.scores},
    }
