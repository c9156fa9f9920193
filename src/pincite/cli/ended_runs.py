"""What follows a run that was measured or merged: alerts, files, the summary, and the exit code."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from pincite.cli.history import NO_STORE, print_results
from pincite.cli.measuring import deliver_alerts
from pincite.cli.output import CANNOT_RUN, emit, note, terminal_width, wants_color
from pincite.cli.process import INTERRUPTED
from pincite.config import Settings
from pincite.errors import PinciteError
from pincite.reports import write_run
from pincite.reports.runs.machines import add_to_job_summary
from pincite.runs.finishing import Finished
from pincite.runs.results.files import write_file

STDOUT = "-"


def end_run(options: Namespace, settings: Settings, done: Finished, store: Any) -> int:
    """Tell and write what came out of a run."""
    for text in done.notes:
        tell_user(options, text)
    for text in done.oddities:
        tell_user(options, text, "warning")
    done = deliver_alerts(settings, done, store)
    unwritten = _write(options, done)
    if options.output != STDOUT:
        color = wants_color(options.no_color, sys.stdout)
        columns = terminal_width(sys.stdout)
        emit(write_run(done.run, options.output_format, done.comparison, columns=columns, color=color))
        if options.output_format == "github":
            add_to_job_summary(write_run(done.run, "markdown", done.comparison))
    return _exit_code(options, settings, done, unwritten)


def _write(options: Namespace, done: Finished) -> bool:
    """Write the results. If that goes wrong the summary is printed all the same; True says that it did."""
    if options.output == STDOUT:
        print_results(done.run.document, iter(done.items()), "json")
    elif options.output:
        try:
            write_file(done.run, done.items(), Path(options.output))
        except PinciteError as error:
            note(str(error), "error")
            return True
        tell_user(options, f"results written to {options.output}")
    return False


def _exit_code(options: Namespace, settings: Settings, done: Finished, unwritten: bool) -> int:
    run = done.run
    if run.status == "interrupted":
        resume = "run the same command again to resume"
        again = resume if settings.store.url != NO_STORE else "it was not saved"
        note(f"interrupted after {run.successful + run.failed} queries: {again}", "warning")
        return INTERRUPTED
    for alert in run.alerts:
        tell_user(options, alert.message, "error")
    if run.shard is not None:
        part = f"shard {run.shard} is done: {run.total:,} of {run.shard.total:,} queries"
        tell_user(options, f"{part}; `pincite runs merge` puts all shards together")
    if done.not_compared is not None or done.nothing_done is not None or (unwritten and not done.kept):
        return CANNOT_RUN
    unjudged = run.document.summary.unjudged_pairs
    if settings.fail_on_unjudged and unjudged:
        tell_user(options, f"--fail-on-unjudged: {unjudged} pairs could not be judged", "error")
        return 1
    return 1 if run.alerts else 0


def tell_user(options: Namespace, text: str, kind: str = "note") -> None:
    if not options.quiet or kind == "error":
        note(text, kind)
