"""`pincite eval`: measure a system, print and write what came out, and decide the exit code."""

from __future__ import annotations

from argparse import Namespace
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from pincite.cli.measuring import end_run, history_for, refuse_results_file
from pincite.cli.options import (
    COMMON,
    DRY_RUN,
    JUDGE,
    QUIET,
    SEED,
    WORKERS,
    Group,
    arg,
    choice,
    flag,
    formats,
    given,
    load_settings,
    on_command,
    opt,
)
from pincite.cli.output import emit_either, note, tell
from pincite.cli.process import run_to_end, stdout_diverted
from pincite.cli.progress import StatusLine, clock
from pincite.datasets import TracedAnswers, TracePlace, dataset_path, first_problem, open_dataset, open_traces
from pincite.errors import InputError
from pincite.reports import RUN_FORMATS, pick, plural
from pincite.runs import EvalRequest, EventsFile, Progress, read_thresholds, run_evaluation

_CUT_OFF = "warning: interrupted: run the same command again to resume\n"
_SYSTEM = (
    opt("--answers PATH", "recorded answers: JSON Lines, a JSON list, CSV, Parquet, or a folder of them"),
    opt("--traces PATH", "traces in a file or folder: OTLP JSON, or exports of Phoenix or Langfuse"),
    opt("--target SYSTEM", "a URL, package.module:function, or `answer`"),
    opt("--model NAME", "what drafts for --target answer (default: extractive)"),
    opt("--request-body FILE", "request body for a URL, with {query_text} in it"),
    opt("--answer-path PATH", "path of the answer in the reply: reply.text"),
    opt("--citations-path PATH", "path of the citations in the reply"),
    opt("--header NAME=ENV...", "a header for the URL, its value taken from the environment"),
    flag("--isolate", "run a function in separate processes, so a crash costs one query"),
    opt("--isolate-memory MB", "memory limit per isolated process", int),
    opt("--system-version TEXT", "a label for this version of the system"),
    opt("--timeout SECONDS", "seconds per answer (default: 30)", "evaluation.timeout_seconds"),
    opt("--retries N", "retries per failed call (default: 3)", "errors.max_retries"),
    opt("--in-flight N", "concurrent queries (default: 50)", "evaluation.max_in_flight"),
)
_MEASURING = (
    opt("-m, --metric NAME...", "nDCG@10, span_f1(tolerance=10) …"),
    opt("--limit N", "a random sample of N queries", int),
    SEED,
    opt("--resamples N", "bootstrap resamples (default: 10000)", "evaluation.resamples"),
    opt("--baseline ID", "compare with this earlier run"),
    opt("--labels FILE", "human labels used to correct the judged rates"),
    opt("--threshold METRIC=VALUE...", "required value of a metric"),
    opt("--max-failed SHARE", "share of queries that may fail (default: 0.05)", "alerts.max_failed"),
    flag("--fail-on-unjudged", "exit 1 when something could not be judged", "fail_on_unjudged"),
    WORKERS,
    choice("--engine", "where recorded answers are scored", "evaluation.engine", of=("local", "ray")),
    opt(
        "--address ADDRESS",
        "the Ray cluster: HOST:PORT or auto (default: one on this machine)",
        "evaluation.engine_address",
    ),
    *JUDGE,
)
_TRACES = (
    opt(
        "--events FILE",
        "add the results of each trace as gen_ai.evaluation.result events (OTLP JSON); traces that FILE has "
        "are skipped",
    ),
)
_OUTPUT = (
    opt("-o, --output FILE", "the results: .json, .yaml, .csv, .parquet, also .gz; - prints JSON"),
    formats(*RUN_FORMATS, help="how to print the summary"),
    opt("--name TEXT", "a name for the run"),
    opt("--store URL", "the history: a SQLite file, a postgresql:// address, or none", "store.url"),
    flag("--no-resume", "start over instead of resuming an interrupted run"),
    flag("--no-progress", "do not show progress"),
)


@on_command(
    "eval",
    arg("dataset", "DATASET", "a dataset file, or `sample`; not needed with --traces", nargs="?"),
    Group("the system", *_SYSTEM),
    Group("measuring", *_MEASURING),
    Group("traces", *_TRACES),
    Group("output", *_OUTPUT),
    DRY_RUN,
    QUIET,
    *COMMON,
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
def _run(options: Namespace) -> int:
    if options.answers is None and options.target is None and options.traces is None:
        raise InputError(
            "give one system to measure: recorded answers (--answers FILE), its traces (--traces PATH) or a "
            "target (--target SYSTEM: an address, package.module:function, or answer)"
        )
    if options.dataset is None and options.traces is None:
        raise InputError("give a dataset: its file, or `sample` for the bundled one")
    if options.traces is None and options.events:
        raise InputError("--events goes with --traces PATH")
    refuse_results_file(options)
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


def _target_options(options: Namespace) -> dict[str, Any]:
    chosen = {
        "request_body": Path(options.request_body) if options.request_body else None,
        "answer_path": options.answer_path,
        "citations_path": options.citations_path,
        "headers": tuple(options.header),
        "isolate": options.isolate,
        "model": options.model,
        "memory_mb": options.isolate_memory,
        "processes": given(options, "evaluation.max_in_flight") if options.isolate else None,
    }
    return {name: value for name, value in chosen.items() if value}


def _dry_run(request: EvalRequest, output_format: str) -> int:
    from pincite.cli.dry_runs import expect_run, run_lines

    with stdout_diverted():
        told = expect_run(request)
    emit_either(output_format, {"dry_run": msgspec.to_builtins(told)}, run_lines(told))
    return 0


def _measure(options: Namespace, request: EvalRequest) -> int:
    line = StatusLine(not (options.no_progress or options.quiet), plain=True)
    with ExitStack() as stack:
        traces, events = None, None
        if request.traces is not None:
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
        store = stack.enter_context(history_for(options, request))
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
        return end_run(options, request.settings, done)


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
