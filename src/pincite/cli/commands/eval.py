"""`pincite eval`: measure a system, print and write what came out, and decide the exit code."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from pincite.cli.history import NO_STORE, STDOUT, print_results
from pincite.cli.options import (
    DRY_RUN,
    QUIET,
    SEED,
    CommonOptions,
    JudgeOptions,
    Options,
    arg,
    command,
    flag,
    formats,
    load_settings,
    opt,
)
from pincite.cli.output import CANNOT_RUN, emit, emit_either, note, tell, terminal_width, wants_color
from pincite.cli.process import INTERRUPTED, run_to_end, stdout_diverted
from pincite.cli.progress import StatusLine, clock
from pincite.config import Settings, StoreSettings
from pincite.datasets import TracedAnswers, TracePlace, dataset_path, first_problem, open_dataset, open_traces
from pincite.errors import InputError, PinciteError, StoreError, StorePlaceError
from pincite.records import Alert
from pincite.reports import RUN_FORMATS, add_to_job_summary, pick, plural, write_run
from pincite.runs import (
    CHANNELS,
    EvalRequest,
    EventsFile,
    Progress,
    RunResult,
    deliver,
    message,
    read_thresholds,
    require_writable,
    run_evaluation,
    write_results,
)

_CUT_OFF = "warning: interrupted: run the same command again to resume\n"


class SystemOptions(Options, title="the system"):
    answers: str | None = opt(
        "--answers PATH", "recorded answers: JSON Lines, a JSON list, CSV, Parquet, or a folder of them"
    )
    traces: str | None = opt(
        "--traces PATH", "traces in a file or folder: OTLP JSON, or exports of Phoenix or Langfuse"
    )
    target: str | None = opt("--target SYSTEM", "a URL, package.module:function, or `answer`")
    model: str | None = opt("--model NAME", "what drafts for --target answer (default: extractive)")
    request_body: str | None = opt("--request-body FILE", "request body for a URL, with {query_text} in it")
    answer_path: str | None = opt("--answer-path PATH", "path of the answer in the reply: reply.text")
    citations_path: str | None = opt("--citations-path PATH", "path of the citations in the reply")
    header: list[str] = opt(
        "--header NAME=ENV...", "a header for the URL, its value taken from the environment"
    )
    isolate: bool = flag("--isolate", "run a function in separate processes, so a crash costs one query")
    isolate_memory: int | None = opt("--isolate-memory MB", "memory limit per isolated process", int)
    system_version: str | None = opt("--system-version TEXT", "a label for this version of the system")


class MeasuringOptions(Options, title="measuring"):
    metric: list[str] = opt("-m, --metric NAME...", "nDCG@10, span_f1(tolerance=10) …")
    limit: int | None = opt("--limit N", "a random sample of N queries", int)
    seed: int | None = SEED
    baseline: str | None = opt("--baseline ID", "compare with this earlier run")
    labels: str | None = opt("--labels FILE", "human labels used to correct the judged rates")
    threshold: list[str] = opt("--threshold METRIC=VALUE...", "required value of a metric")
    fail_on_unjudged: bool | None = flag(
        "--fail-on-unjudged", "exit 1 when something could not be judged", "fail_on_unjudged"
    )


class TracesOptions(Options, title="traces"):
    events: str | None = opt(
        "--events FILE",
        "add the results of each trace as gen_ai.evaluation.result events (OTLP JSON); traces that FILE has "
        "are skipped",
    )


class ResultOptions(Options, title="output"):
    output: str | None = opt(
        "-o, --output FILE", "the results: .json, .yaml, .csv, .parquet, also .gz; - prints JSON"
    )
    output_format: str = formats(*RUN_FORMATS, help="how to print the summary")
    name: str | None = opt("--name TEXT", "a name for the run")
    store: str | None = opt(
        "--store URL", "the history: a SQLite file, a postgresql:// address, or none", "store.url"
    )
    no_resume: bool = flag("--no-resume", "start over instead of resuming an interrupted run")


class EvalOptions(SystemOptions, MeasuringOptions, TracesOptions, ResultOptions, JudgeOptions, CommonOptions):
    dataset: str | None = arg("DATASET", "a dataset file, or `sample`; not needed with --traces", nargs="?")
    dry_run: bool = DRY_RUN
    quiet: bool = QUIET


@command(
    EvalOptions,
    epilog="""\
examples:
  pincite eval sample --answers sample:a
  pincite eval DATASET --answers answers.jsonl --output run.results.json
  pincite eval DATASET --target http://localhost:8000/ask --request-body body.json --answer-path reply.text
  pincite eval DATASET --target mypackage.rag:answer --limit 50 --seed 1
  pincite eval DATASET --target answer --model extractive
  pincite eval --traces traces.jsonl --events scores.jsonl
  pincite eval DATASET --answers answers.jsonl --baseline latest --threshold citation_correctness=0.9

exit codes: 0 clean, 1 a threshold missed, too many queries failed, or worse than before, 2 could not run,
            130 interrupted, 143 by SIGTERM
""",
)
def run(options: EvalOptions) -> int:
    if options.answers is None and options.target is None and options.traces is None:
        raise InputError(
            "give one system to measure: recorded answers (--answers FILE), its traces (--traces PATH) or a "
            "target (--target SYSTEM: an address, package.module:function, or answer)"
        )
    if options.dataset is None and options.traces is None:
        raise InputError("give a dataset: its file, or `sample` for the bundled one")
    if options.traces is None and options.events:
        raise InputError("--events goes with --traces PATH")
    _require_results_file(options)
    settings = load_settings(options)
    request = EvalRequest(
        **pick(options, "dataset", "target", "answers", "traces", "name", "system_version"),
        **pick(options, "limit", "baseline"),
        metrics=tuple(options.metric),
        settings=settings,
        labels=Path(options.labels) if options.labels else None,
        thresholds=read_thresholds(options.threshold),
        resume=not options.no_resume,
        target_options=_target_options(options),
    )
    if options.dry_run:
        return _dry_run(request, options.output_format)
    return run_to_end(lambda: _measure(options, request), _CUT_OFF)


def _target_options(options: EvalOptions) -> dict[str, Any]:
    chosen = {
        "request_body": Path(options.request_body) if options.request_body else None,
        "answer_path": options.answer_path,
        "citations_path": options.citations_path,
        "headers": tuple(options.header),
        "isolate": options.isolate,
        "model": options.model,
        "memory_mb": options.isolate_memory,
        "processes": options.settings().get("evaluation.max_in_flight") if options.isolate else None,
    }
    return {name: value for name, value in chosen.items() if value}


def _dry_run(request: EvalRequest, output_format: str) -> int:
    from pincite.cli.dry_runs import expect_run, run_lines

    with stdout_diverted():
        told = expect_run(request)
    emit_either(output_format, {"dry_run": msgspec.to_builtins(told)}, run_lines(told))
    return 0


def _measure(options: EvalOptions, request: EvalRequest) -> int:
    line = StatusLine(not options.quiet, plain=True)
    with ExitStack() as stack:
        traces, events = None, None
        if options.traces is not None:
            traces = open_traces(options.traces)
            if traces.passed_over:
                tell(options, f"traces that are not about an answer: {traces.passed_over:,}")
            if options.events:
                warn = partial(note, kind="warning")
                events = stack.enter_context(EventsFile(Path(options.events), warn))
            if events is not None and request.dataset is None:
                new = traces.without(events.traces)
                done_before = len(traces.records) - len(new.records)
                if done_before:
                    tell(options, f"{plural(done_before, 'trace')} skipped: {options.events} has them")
                if not new.records:
                    return 0
                traces = new
            request = msgspec.structs.replace(request, traces=traces)
        store = stack.enter_context(_open_history(options, request))
        stack.callback(line.clear)

        def show(progress: Progress) -> None:
            line.show(lambda: _progress_words(progress))

        # What a function under test prints is none of our output, which a program may read.
        with stdout_diverted():
            measuring = run_evaluation(request, store, show, lambda text: note(text, "warning"))
            done = stack.enter_context(measuring)
        line.clear()
        if done.resumed:
            total = f"{done.run.total:,} {'query' if done.run.total == 1 else 'queries'}"
            tell(options, f"{done.resumed:,} of {total} resumed (--no-resume starts over)")
        if options.dataset is not None and not options.quiet:
            _tell_problem(dataset_path(options.dataset))
        if events is not None and traces is not None:
            count = events.add(done.items(), _places(traces, request))
            tell(options, f"events of {plural(count, 'trace')} added to {options.events}")
        return _end_run(options, request.settings, done)


def _tell_problem(path: Path) -> None:
    """A dataset that is not valid may still be measured, but not without a word."""
    problem = first_problem(path)
    if problem is not None:
        advice = f"`pincite data check {path}` lists every problem"
        note(f"the dataset was read, but is not valid: {problem}; {advice}")


def _places(traces: TracedAnswers, request: EvalRequest) -> dict[str, TracePlace]:
    """By the id of the query, where each answer came from."""
    if request.dataset is None:
        return traces.places()
    with open_dataset(request.dataset, request.settings) as dataset:
        return traces.places(dataset.queries())


def _progress_words(progress: Progress) -> str:
    """`120/500 done, 2 failed, 1 unjudged, 34.2/s, 0:11 left, $0.0123`."""
    parts = [f"{progress.done:,}/{progress.total:,} done"]
    if progress.resumed:
        parts.append(f"{progress.resumed:,} resumed")
    parts += [f"{progress.failed:,} failed", f"{progress.unjudged:,} unjudged", f"{progress.rate:.1f}/s"]
    if progress.seconds_left is not None:
        parts.append(f"{clock(progress.seconds_left)} left")
    cost = progress.cost
    if cost is None:
        parts.append("cost unknown")
    elif cost:
        parts.append(f"${cost:.4f}")
    return ", ".join(parts)


# --- what a run ends with: its place in the history, its alerts, its files and its summary ---------


@contextmanager
def _open_history(options: EvalOptions, request: EvalRequest) -> Iterator[Any]:
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
        if isinstance(error, StorePlaceError) and (options.store or url != StoreSettings().url):
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


def _deliver_alerts(settings: Settings, done: RunResult) -> RunResult:
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


def _require_results_file(options: EvalOptions) -> None:
    """What cannot be written is said before anything is done: better now than after an hour."""
    if options.output == STDOUT and options.output_format != "text":
        raise InputError("--output - and --output-format both print to standard output: give one of them")
    if options.output and options.output != STDOUT:
        require_writable(Path(options.output))


def _end_run(options: EvalOptions, settings: Settings, done: RunResult) -> int:
    """Tell and write what came out of a run."""
    for kind, texts in (("note", done.notes), ("warning", done.oddities)):
        for text in texts:
            tell(options, text, kind)
    done = _deliver_alerts(settings, done)
    unwritten = _write(options, done)
    if options.output != STDOUT:
        color = wants_color(options.no_color, sys.stdout)
        columns = terminal_width(sys.stdout)
        emit(write_run(done.run, options.output_format, done.comparison, columns=columns, color=color))
        if options.output_format == "github":
            add_to_job_summary(write_run(done.run, "markdown", done.comparison))
    return _exit_code(options, settings, done, unwritten)


def _write(options: EvalOptions, done: RunResult) -> bool:
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


def _exit_code(options: EvalOptions, settings: Settings, done: RunResult, unwritten: bool) -> int:
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
