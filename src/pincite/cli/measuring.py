"""What a measured run ends with: its place in the history, its alerts, its files and its summary."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from pincite.cli.history import NO_STORE, STDOUT, print_results
from pincite.cli.options import given
from pincite.cli.output import CANNOT_RUN, emit, note, tell, terminal_width, wants_color
from pincite.cli.process import INTERRUPTED
from pincite.config import Settings, StoreSettings
from pincite.errors import InputError, PinciteError, StoreError, StorePlaceError
from pincite.records import Alert
from pincite.reports import add_to_job_summary, write_run
from pincite.runs import CHANNELS, EvalRequest, RunResult, deliver, message, require_writable, write_results


@contextmanager
def history_for(options: Namespace, request: EvalRequest) -> Iterator[Any]:
    """The history; None with `--store none`, or where it cannot be opened."""
    url = request.settings.store.url
    if url == NO_STORE:
        yield None
        return
    from pincite.store import open_store

    try:
        store = open_store(url, statement_seconds=request.settings.store.statement_seconds)
        try:
            store.require_writable()
        except StorePlaceError:
            store.close()
            raise
        except StoreError:
            pass  # it is busy, which may well be over when there is something to write
    except StoreError as error:
        if request.baseline:
            raise  # without the baseline, what was asked for cannot be said
        if isinstance(error, StorePlaceError) and (given(options, "store.url") or url != StoreSettings().url):
            raise  # somebody named a place that can keep nothing: better said now than after an hour
        note(f"run not saved: {error}", "warning")
        yield None
        return
    try:
        yield store
    finally:
        try:
            store.close()
        except PinciteError as error:
            note(str(error), "warning")


def deliver_alerts(settings: Settings, done: RunResult) -> RunResult:
    """Send the alerts to whom the settings name. That they were not delivered is an alert in every output."""
    alerts = settings.alerts
    if not done.run.alerts or not (alerts.webhook or alerts.command):
        return done
    try:
        problems = deliver(message(done.run), alerts)
    except KeyboardInterrupt:  # of somebody who waits no longer; the results must not be lost with it
        problems = {name: f"the {name} was interrupted" for name in CHANNELS if getattr(alerts, name)}
    run, said = done.run, "; ".join(problems.values())
    if problems:
        alert = Alert(
            kind="undelivered", metric="", value=None, message=f"the alerts were not delivered: {said}"
        )
        run = msgspec.structs.replace(run, alerts=(*run.alerts, alert))
    metadata = run.document.metadata
    checked = {**metadata.quality_assurance, "alerts": f"not delivered: {said}" if said else "delivered"}
    metadata = msgspec.structs.replace(metadata, quality_assurance=checked)
    document = msgspec.structs.replace(run.document, metadata=metadata)
    return msgspec.structs.replace(done, run=msgspec.structs.replace(run, document=document))


def refuse_results_file(options: Namespace) -> None:
    """What cannot be written is said before anything is done: better now than after an hour."""
    if options.output == STDOUT and options.output_format != "text":
        raise InputError("--output - and --output-format both print to standard output: give one of them")
    if options.output and options.output != STDOUT:
        require_writable(Path(options.output))


def end_run(options: Namespace, settings: Settings, done: RunResult) -> int:
    """Tell and write what came out of a run."""
    for kind, texts in (("note", done.notes), ("warning", done.oddities)):
        for text in texts:
            tell(options, text, kind)
    done = deliver_alerts(settings, done)
    unwritten = _write(options, done)
    if options.output != STDOUT:
        color = wants_color(options.no_color, sys.stdout)
        columns = terminal_width(sys.stdout)
        emit(write_run(done.run, options.output_format, done.comparison, columns=columns, color=color))
        if options.output_format == "github":
            add_to_job_summary(write_run(done.run, "markdown", done.comparison))
    return _exit_code(options, settings, done, unwritten)


def _write(options: Namespace, done: RunResult) -> bool:
    """Write the results. If that goes wrong the summary is printed all the same; True says that it did."""
    if options.output == STDOUT:
        print_results(done.run.document, iter(done.items()), "json")
    elif options.output:
        try:
            write_results(done.run.document, done.items(), Path(options.output))
        except PinciteError as error:
            note(str(error), "error")
            return True
        tell(options, f"results written to {options.output}")
    return False


def _exit_code(options: Namespace, settings: Settings, done: RunResult, unwritten: bool) -> int:
    run = done.run
    if run.status == "interrupted":
        again = "run the same command again to resume"
        if settings.store.url == NO_STORE:
            again = "it was not saved"
        elif not run.fingerprint:
            again = (
                "the same command starts over, since the function may have changed; name its --system-version"
            )
        note(f"interrupted after {run.successful + run.failed} queries: {again}", "warning")
        return INTERRUPTED
    for alert in run.alerts:
        tell(options, alert.message, "error")
    if done.not_compared is not None or done.nothing_done is not None or (unwritten and not done.kept):
        return CANNOT_RUN
    unjudged = run.document.summary.unjudged_pairs
    if settings.fail_on_unjudged and unjudged:
        tell(options, f"--fail-on-unjudged: {unjudged} pairs could not be judged", "error")
        return 1
    return 1 if run.alerts else 0
