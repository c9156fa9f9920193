"""`pincite eval --traces PATH --follow`: answers from production are measured as they come.

Each batch of new traces is a run of its own: it is kept in the history, its alerts are delivered, and its
results are added to the file of events, which also says which traces are done. A batch that is cut off by a
kill is measured again, so that every trace has its results in that file exactly once.
"""

from __future__ import annotations

import asyncio  # noqa: F401 - closing needs it, and a signal must not come in the middle of its import
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import msgspec

from pincite.cli.measuring import deliver_alerts, history_for
from pincite.cli.output import emit_lines, note, tell
from pincite.cli.process import INTERRUPTED, stdout_diverted
from pincite.datasets import TracedAnswers, WatchedTraces, make_traces
from pincite.errors import InputError
from pincite.records import Run
from pincite.reports import plural, safe
from pincite.runs import EventsFile, Request, carry_out

_MOST_SCORES = 4


def follow(options: Namespace, request: Request) -> int:
    """Watch until somebody stops it, which is how it ends."""
    _refuse(options)
    path = Path(options.traces)
    with EventsFile(Path(options.events), lambda text: note(text, "warning")) as events:
        watched = WatchedTraces(path, events.traces, options.settle, monotonic)
        if events.traces:
            tell(options, f"{plural(len(events.traces), 'trace')} in {options.events} are done already")
        tell(options, f"following {path}; Ctrl-C ends it, and the same command resumes")
        waiting: list[dict[str, Any]] = []
        since = monotonic()
        while True:
            found = watched.look()
            for text in found.problems:
                note(text, "warning")
            since = since if waiting else monotonic()
            waiting += found.records
            if len(waiting) >= options.batch or (waiting and monotonic() - since >= options.max_wait):
                batch, waiting = waiting[: options.batch], waiting[options.batch :]
                if _measure(options, request, make_traces(path, batch), events) == "interrupted":
                    return INTERRUPTED
            elif not found.more:
                sleep(options.interval)


def _refuse(options: Namespace) -> None:
    if not options.events:
        raise InputError("--follow needs --events FILE: it says which traces are done, also after a kill")
    if options.dataset is not None:
        raise InputError("--follow measures whatever people ask: it takes no dataset")
    for name in ("output", "limit", "baseline", "labels"):
        if getattr(options, name) is not None:
            raise InputError(f"--{name} does not go with --follow")
    for name in ("interval", "max_wait", "settle"):
        if not 0 < getattr(options, name) < 1e9:
            raise InputError(f"--{name.replace('_', '-')} is a number of seconds above 0")
    if options.batch < 1:
        raise InputError("--batch is 1 or more")


def _measure(options: Namespace, request: Request, batch: TracedAnswers, events: EventsFile) -> str:
    """Measure one batch, and keep what came of it; how it ended."""
    asked = msgspec.structs.replace(request, traces=batch)
    places = batch.places()
    with history_for(options, request) as store, ExitStack() as stack:
        with stdout_diverted():
            measuring = carry_out(asked, store, None, lambda text: note(text, "warning"))
            done = stack.enter_context(measuring)
        # First of all the results: what is there is done, whatever happens next.
        for item in done.items():
            events.append(item, places[item.query_id])
        for text in (*done.notes, *done.oddities):
            tell(options, text, "warning")
        if done.run.status != "interrupted":
            done = deliver_alerts(request.settings, done, store)
        emit_lines([_summary(done.run)])
        for alert in done.run.alerts:
            note(alert.message, "error")
    return done.run.status


def _summary(run: Run) -> str:
    """`2026-03-01T12:00:00Z 20 answers, 1 without an answer: citation_correctness 0.853, …; 1 alert`."""
    scores = [score for score in run.scores if score.value is not None and score.threshold is not None]
    told = [f"{safe(score.metric)} {score.value:.3f}" for score in scores[:_MOST_SCORES]]
    traces = plural(run.successful + run.failed, "trace")
    failed = f", {run.failed:,} without an answer" if run.failed else ""
    alerts = f"; {plural(len(run.alerts), 'alert')}" if run.alerts else ""
    listed = ", ".join(told) or "nothing could be measured"
    return f"{run.finished_at or run.started_at} {traces}{failed}: {listed}{alerts}"
