"""`pincite runs prune`: remove old runs."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from pincite.cli.history import add_history, moment, nothing_yet, open_history
from pincite.cli.options import Parser
from pincite.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.records import Run

MOST_LISTED = 20


def parser() -> Parser:
    made = Parser("runs prune", "Remove old runs with their queries, verdicts and scores.")
    made.add_argument(
        "--older-than", required=True, metavar="AGE", help="runs that began before this: 90d, 12w, 36h"
    )
    made.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="RUN",
        help="keep this run whatever its age: an id, or a name to keep every run with that name; repeatable",
    )
    made.add_argument("--dry-run", action="store_true", help="list what would be removed without removing it")
    made.add_argument("-y", "--yes", action="store_true", help="do not ask for confirmation")
    add_history(made)
    return made


def run(options: Namespace) -> int:
    from pincite.cli.commands.cache import read_age
    from pincite.cli.output import emit, note
    from pincite.reports.findings.totals import plural

    days = read_age(options.older_than)
    assert days is not None
    with open_history(options) as store:
        if store is None:
            note(nothing_yet(options))
            return 0
        old = store.old_runs(days, options.keep)
        if options.dry_run or not old:
            emit(_listed(old))
            emit(f"{plural(len(old), 'run')} would be removed\n" if old else "no runs are that old\n")
            return 0
        if not options.yes and not _agreed(old):
            emit("nothing was removed\n")
            return 0
        emit(f"removed {plural(store.prune(days, options.keep), 'run')}\n")
    return 0


def _listed(runs: Sequence[Run]) -> str:
    from pincite.cli.output import terminal_width
    from pincite.cli.tables import table

    if not runs:
        return ""
    rows = [
        (run.run_id, moment(run.started_at), f"{run.total:,}", run.name or run.dataset_id)
        for run in runs[:MOST_LISTED]
    ]
    listed = table(("run", "started (UTC)", "n", "name"), rows, terminal_width(sys.stdout))
    more = len(runs) - MOST_LISTED
    return listed + (f"and {more:,} more\n" if more > 0 else "")


def _agreed(runs: Sequence[Run]) -> bool:
    """Ask a person at a terminal. A script has to say --yes."""
    from pincite.cli.output import emit, is_terminal
    from pincite.reports.findings.totals import plural

    if not is_terminal(sys.stdin):
        raise InputError(
            f"{plural(len(runs), 'run')} would be removed: add --yes, or look first with --dry-run"
        )
    emit(_listed(runs))
    emit(f"remove {plural(len(runs), 'run')}? [y/N] ")
    return sys.stdin.readline().strip().lower() in ("y", "yes")
