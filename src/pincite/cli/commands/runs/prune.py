"""`pincite runs prune`: old runs removed."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from pincite.cli.history import moment, open_history
from pincite.cli.options import YES, HistoryOptions, command, flag, opt, read_age
from pincite.cli.output import agreed, emit, emit_table, is_terminal, note
from pincite.errors import InputError
from pincite.records import Run
from pincite.reports import plural

MOST_LISTED = 20


class RunsPruneOptions(HistoryOptions):
    older_than: str = opt("--older-than AGE", "runs that began before this: 90d, 12w, 36h", required=True)
    keep: list[str] = opt(
        "--keep RUN...", "keep this run whatever its age: an id, or a name for every run with it"
    )
    dry_run: bool = flag("--dry-run", "list what would be removed without removing it")
    yes: bool = YES


@command(RunsPruneOptions)
def run(options: RunsPruneOptions) -> int:
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
