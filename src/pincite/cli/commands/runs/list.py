"""`pincite runs list`: the runs of the history, newest first."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pincite.cli.history import moment, open_history
from pincite.cli.options import HistoryOptions, command, formats, opt
from pincite.cli.output import (
    emit,
    emit_json,
    note,
    terminal_width,
)
from pincite.cli.tables import table
from pincite.errors import InputError
from pincite.records import Run
from pincite.reports import pick, width

if TYPE_CHECKING:
    pass

USUAL = 20


class RunsListOptions(HistoryOptions):
    dataset: str | None = opt("--dataset ID", "only runs on this dataset")
    limit: int = opt("--limit N", f"at most this many (default: {USUAL}; 0 for all)", int, default=USUAL)
    output_format: str = formats("text", "json")


@command(RunsListOptions)
def run(options: RunsListOptions) -> int:
    if options.limit < 0:
        raise InputError(f"--limit is a number from 0, not {options.limit}")
    limit = options.limit or None
    found, others = [], False
    with open_history(options) as history:
        if history.begun:
            # One more than is shown, to know whether there are more.
            found = list(history.store.runs(dataset=options.dataset, limit=limit and limit + 1))
            others = bool(options.dataset and not found and history.store.runs(limit=1))
        shown = found[:limit]
        if options.output_format == "json":
            emit_json({"runs": [_run_shape(run) for run in shown]})
        elif not shown:
            note(f"no run is on the dataset {options.dataset}" if others else history.nothing_yet())
        else:
            emit(_listed(shown))
            if len(found) > len(shown):
                note(f"there are older ones; --limit {2 * options.limit} shows more")
    return 0


def _listed(runs: Sequence[Run]) -> str:
    """A table as wide as the terminal; where that is narrow, without what can best be done without."""
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


def _run_shape(run: Run) -> dict[str, Any]:
    """A run without its parameters and its document, for a program that lists runs."""
    from pincite.runs import brief

    kept = ("run_id", "name", "status", "started_at", "finished_at", "dataset_id", "dataset_version")
    return {
        **pick(run, *kept, "target", "system_version", "judge"),
        "total_queries": run.total,
        "successful_queries": run.successful,
        "failed_queries": run.failed,
        "total_evaluation_time_seconds": run.seconds,
        "scores": {score.metric: brief(score) for score in run.scores},
    }
