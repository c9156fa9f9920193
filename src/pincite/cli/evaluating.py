"""What `pincite eval` does once its options are read: measure, print, write, and decide the exit code."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from pincite.cli.diverted import stdout_diverted
from pincite.cli.live import show_progress
from pincite.cli.output import emit, note, terminal_width, wants_color
from pincite.cli.printed_results import print_results
from pincite.cli.termination import INTERRUPTED, Termination
from pincite.config.settings import StoreSettings
from pincite.errors import InputError, PinciteError, StoreError, StorePlaceError
from pincite.records import Alert, Run
from pincite.reports.colour import Paint
from pincite.reports.findings.json_report import dump
from pincite.reports.runs.eval_table import run_markdown, run_text
from pincite.reports.runs.github import add_to_job_summary, write_run_github
from pincite.reports.runs.junit import write_run_junit
from pincite.runs.alerts.notify import CHANNELS, deliver, message
from pincite.runs.alerts.undelivered import keep
from pincite.runs.evaluation import Request, carry_out
from pincite.runs.finishing import Finished
from pincite.runs.results.document import plain_document
from pincite.runs.results.files import refuse_unwritable, write_results

if TYPE_CHECKING:
    from pincite.store.history import Store

NO_STORE = "none"


class Plan(Struct, frozen=True):
    """One run of `pincite eval`."""

    request: Request
    output: Path | None = None
    output_format: str = "text"
    no_color: bool = False
    quiet: bool = False
    progress: bool = True
    dry_run: bool = False
    names_store: bool = False
    """Whether `--store` was given: what was asked for by name must be there."""

    @property
    def to_stdout(self) -> bool:
        """Whether the results go to standard output, where the summary would stand."""
        return self.output == Path("-")


def run(plan: Plan) -> int:
    """Measure the system, print what came out, and give the exit code."""
    if plan.to_stdout and plan.output_format != "text":
        raise InputError("--output - and --output-format both print to standard output: give one of them")
    if plan.output is not None and not plan.to_stdout:
        refuse_unwritable(plan.output)  # better now than after an hour
    if plan.dry_run:
        from pincite.cli.commands.evaluation_dry import dry_run

        return dry_run(plan.request, plan.output_format)
    with Termination() as termination:
        try:
            return termination.code(_measure(plan))
        except KeyboardInterrupt:
            return termination.code(INTERRUPTED)


def _measure(plan: Plan) -> int:
    with _store(plan) as store, show_progress(plan.progress, plan.no_color) as tell, ExitStack() as stack:
        measuring = carry_out(plan.request, store, tell.update, lambda text: note(text, "warning"))
        # What a function under test prints is none of our output, which a program may read.
        with stdout_diverted():
            done = stack.enter_context(measuring)
        tell.end()
        _say_what_was_odd(plan, done)
        done = _deliver(plan, done, store)
        unwritten = _write(plan, done)
        _print(plan, done)
        return _exit_code(plan, done, unwritten)


def _deliver(plan: Plan, done: Finished, store: Any) -> Finished:
    """Tell the alerts to whom the settings name. That they were not delivered is an alert in every output."""
    settings = plan.request.settings.alerts
    if not done.run.alerts or not (settings.webhook or settings.command):
        return done
    try:
        problems = deliver(message(done.run), settings)
    except KeyboardInterrupt:  # of somebody who waits no longer; the results must not be lost with it
        problems = {name: f"the {name} was interrupted" for name in CHANNELS if getattr(settings, name)}
    run, said = done.run, "; ".join(problems.values())
    if problems:
        told = f"the alerts were not delivered: {said}; {_kept(store, run, problems)}"
        alert = Alert(kind="undelivered", metric="", value=None, message=told)
        run = msgspec.structs.replace(run, alerts=(*run.alerts, alert))
    metadata = run.document.metadata
    checked = {**metadata.quality_assurance, "alerts": f"not delivered: {said}" if said else "delivered"}
    metadata = msgspec.structs.replace(metadata, quality_assurance=checked)
    document = msgspec.structs.replace(run.document, metadata=metadata)
    return msgspec.structs.replace(done, run=msgspec.structs.replace(run, document=document))


def _kept(store: Any, run: Run, problems: dict[str, str]) -> str:
    if store is None:
        return "they are not saved, since there is no history"
    try:
        keep(store, run, problems)
    except (PinciteError, OSError) as error:
        return f"they could not be saved: {error}"
    return "they are saved: `pincite runs alerts --send` tries again"


@contextmanager
def _store(plan: Plan) -> Iterator[Any]:
    """The history; None where there shall be none, or where it cannot be opened."""
    url = plan.request.settings.store.url
    if url == NO_STORE:
        yield None
        return
    from pincite.store import open_store

    try:
        store = _writable(open_store(url))
    except StoreError as error:
        if plan.request.baseline:
            raise  # without the baseline, what was asked for cannot be said
        if isinstance(error, StorePlaceError) and (plan.names_store or url != StoreSettings().url):
            raise  # somebody named a place that can keep nothing: better said now than after an hour
        note(f"there is no history to write to: {error}; this run leaves none", "warning")
        yield None
        return
    try:
        yield store
    finally:
        try:
            store.close()
        except PinciteError as error:
            note(str(error), "warning")


def _writable(store: Store) -> Store:
    try:
        store.refuse_read_only()
    except StorePlaceError:
        store.close()
        raise
    except StoreError:
        pass  # it is busy, which may well be over when there is something to write
    return store


def _write(plan: Plan, done: Finished) -> str | None:
    """Write the results; what goes wrong is told, and the summary printed all the same."""
    if plan.output is None:
        return None
    if plan.to_stdout:
        print_results(done.run.document, done.items(), "json")
        return None
    try:
        write_results(done.run.document, done.items(), plan.output)
    except PinciteError as error:
        note(str(error), "error")
        return str(error)
    _tell(plan, f"results written to {plan.output}")
    return None


def _print(plan: Plan, done: Finished) -> None:
    if plan.to_stdout:
        return
    if plan.output_format == "json":
        emit(dump(plain_document(done.run.document)))
    elif plan.output_format == "junit":
        emit(write_run_junit(done.run, done.run.alerts))
    elif plan.output_format == "markdown":
        emit(_markdown(done))
    elif plan.output_format == "github":
        emit(write_run_github(done.run.alerts))
        add_to_job_summary(_markdown(done))
    else:
        _print_text(plan, done)


def _markdown(done: Finished) -> str:
    text = run_markdown(done.run)
    if done.comparison is None:
        return text
    from pincite.reports.runs.comparison_markdown import comparison_markdown

    return f"{text}\n{comparison_markdown(done.comparison)}"


def _print_text(plan: Plan, done: Finished) -> None:
    columns, color = terminal_width(sys.stdout), wants_color(plan.no_color, sys.stdout)
    emit(run_text(done.run, columns=columns, color=color))
    if done.comparison is not None:
        from pincite.reports.runs.comparison import comparison_text

        emit("\n" + comparison_text(done.comparison, Paint(color), columns))


def _exit_code(plan: Plan, done: Finished, unwritten: str | None) -> int:
    run, settings = done.run, plan.request.settings
    if run.status == "interrupted":
        again = (
            "run the same command again to resume" if settings.store.url != NO_STORE else "it was not saved"
        )
        note(f"interrupted after {run.successful + run.failed} queries: {again}", "warning")
        return INTERRUPTED
    for alert in run.alerts:
        _tell(plan, alert.message, "error")
    if done.not_compared is not None or done.nothing_done is not None:
        return 2
    if unwritten is not None and not done.kept:
        return 2
    unjudged = run.document.summary.unjudged_pairs
    if settings.fail_on_unjudged and unjudged:
        _tell(plan, f"--fail-on-unjudged: {unjudged} pairs could not be judged", "error")
        return 1
    return 1 if run.alerts else 0


def _say_what_was_odd(plan: Plan, done: Finished) -> None:
    if done.resumed:
        total = f"{done.run.total:,} {'query' if done.run.total == 1 else 'queries'}"
        _tell(plan, f"{done.resumed:,} of {total} resumed (--no-resume starts over)")
    for line in done.notes:
        _tell(plan, line)
    for line in done.oddities:
        _tell(plan, line, "warning")


def _tell(plan: Plan, text: str, kind: str = "note") -> None:
    if not plan.quiet or kind == "error":
        note(text, kind)
