"""`pincite eval`: the options of measuring a system, and the request that they make."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from pincite.cli.options import (
    Parser,
    add_calibration,
    add_common,
    add_llm,
    add_workers,
    limit_flags,
    llm_flags,
    setting,
)
from pincite.errors import InputError

FORMATS = ("text", "json", "markdown", "junit", "github")
EXAMPLES = """\
examples:
  pincite eval sample --answers sample:a
  pincite eval DATASET --answers answers.jsonl --output run.results.json
  pincite eval DATASET --target http://localhost:8000/ask --request-body body.json --answer-path reply.text
  pincite eval DATASET --target mypackage.rag:answer --limit 50 --seed 1
  pincite eval DATASET --target reference
  pincite eval DATASET --answers answers.jsonl --baseline latest --threshold citation_correctness=0.9

exit codes: 0 clean, 1 a threshold missed, too many queries failed, or worse than before, 2 could not run,
            130 interrupted, 143 by SIGTERM
"""


def parser() -> Parser:
    made = Parser("eval", "Measure a system on a dataset, with an interval for every metric.", EXAMPLES)
    add = made.add_argument
    add("dataset", metavar="DATASET", help="a dataset file, or `sample` for the bundled one")
    system = made.add_argument_group("the system")
    system.add_argument("--answers", metavar="FILE", help="recorded answers, as JSON Lines")
    system.add_argument("--target", metavar="SYSTEM", help="a URL, package.module:function, or `reference`")
    system.add_argument(
        "--request-body", metavar="FILE", help="request body for a URL, with {query_text} in it"
    )
    system.add_argument("--answer-path", metavar="PATH", help="path of the answer in the reply: reply.text")
    system.add_argument("--citations-path", metavar="PATH", help="path of the citations in the reply")
    system.add_argument(
        "--header",
        action="append",
        metavar="NAME=ENV",
        help="a header for the URL, its value taken from the environment; repeatable",
    )
    system.add_argument(
        "--isolate",
        action="store_true",
        help="run a function in separate processes, so a crash costs one query",
    )
    system.add_argument("--isolate-memory", type=int, metavar="MB", help="memory limit per isolated process")
    system.add_argument("--system-version", metavar="TEXT", help="a label for this version of the system")
    system.add_argument(
        "--timeout",
        type=setting("evaluation.timeout_seconds"),
        metavar="SECONDS",
        help="seconds per answer (default: 30)",
    )
    system.add_argument(
        "--retries",
        type=setting("errors.max_retries"),
        metavar="N",
        help="retries per failed call (default: 3)",
    )
    system.add_argument(
        "--in-flight",
        type=setting("evaluation.max_in_flight"),
        metavar="N",
        help="concurrent queries (default: 50)",
    )
    measuring = made.add_argument_group("measuring")
    measuring.add_argument(
        "-m", "--metric", action="append", metavar="NAME", help="nDCG@10, span_f1(tolerance=10) …; repeatable"
    )
    measuring.add_argument("--limit", type=int, metavar="N", help="a random sample of N queries")
    measuring.add_argument(
        "--seed",
        type=setting("evaluation.random_seed"),
        metavar="S",
        help="seed for sampling, intervals and tests (default: 42)",
    )
    measuring.add_argument(
        "--resamples",
        type=setting("evaluation.resamples"),
        metavar="N",
        help="bootstrap resamples (default: 10000)",
    )
    measuring.add_argument("--baseline", metavar="ID", help="compare with this earlier run")
    measuring.add_argument("--labels", metavar="FILE", help="human labels used to correct the judged rates")
    measuring.add_argument(
        "--threshold", action="append", metavar="METRIC=VALUE", help="required value of a metric; repeatable"
    )
    measuring.add_argument(
        "--max-failed",
        type=setting("alerts.max_failed"),
        metavar="SHARE",
        help="share of queries that may fail (default: 0.05)",
    )
    measuring.add_argument(
        "--fail-on-unjudged", action="store_true", help="exit 1 when something could not be judged"
    )
    add_workers(measuring)
    measuring.add_argument("--judge", metavar="NAME", help="which judge to use (default: entailment)")
    measuring.add_argument("--online", action="store_true", help="allow a judge to download its model")
    add_calibration(made)
    add_llm(made)
    kept = made.add_argument_group("output")
    kept.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="the results: .json, .yaml, .csv, .parquet, also .gz; - prints JSON",
    )
    made.choice("-f", "--output-format", of=FORMATS, default="text", help="how to print the summary")
    kept.add_argument("--name", metavar="TEXT", help="a name for the run")
    kept.add_argument(
        "--store", metavar="URL", help="the history: a SQLite file, a postgresql:// address, or none"
    )
    kept.add_argument(
        "--no-resume", action="store_true", help="start over instead of resuming an interrupted run"
    )
    kept.add_argument("--no-progress", action="store_true", help="do not show progress")
    add("--dry-run", action="store_true", help="estimate the work and cost without calling a judge")
    add("-q", "--quiet", action="store_true", help="no notes and no progress")
    add_common(made)
    return made


def run(options: Namespace) -> int:
    from pathlib import Path

    from pincite.cli import evaluating
    from pincite.cli.commands.settings import load_settings
    from pincite.runs.choosing import read_thresholds
    from pincite.runs.evaluation import Request

    if options.answers is None and options.target is None:
        raise InputError(
            "give one system to measure: recorded answers (--answers FILE) or a target (--target SYSTEM: an "
            "address, package.module:function, or reference)"
        )
    settings = load_settings(
        options.config,
        judge=options.judge,
        calibration=options.calibration,
        online=options.online or None,
        fail_on_unjudged=options.fail_on_unjudged or None,
        evaluation_timeout_seconds=options.timeout,
        evaluation_workers=options.workers,
        evaluation_max_in_flight=options.in_flight,
        evaluation_resamples=options.resamples,
        evaluation_random_seed=options.seed,
        errors_max_retries=options.retries,
        alerts_max_failed=options.max_failed,
        store_url=options.store,
        **llm_flags(options),
        **limit_flags(options),
    )
    request = Request(
        dataset=options.dataset,
        target=options.target,
        answers=options.answers,
        metrics=tuple(options.metric or ()),
        settings=settings,
        limit=options.limit,
        baseline=options.baseline,
        labels=Path(options.labels) if options.labels else None,
        name=options.name,
        system_version=options.system_version,
        thresholds=read_thresholds(options.threshold or ()),
        resume=not options.no_resume,
        target_options=_target_options(options),
    )
    plan = evaluating.Plan(
        request=request,
        output=Path(options.output) if options.output else None,
        output_format=options.output_format,
        no_color=options.no_color,
        quiet=options.quiet,
        progress=not (options.no_progress or options.quiet),
        dry_run=options.dry_run,
        names_store=options.store is not None,
    )
    return evaluating.run(plan)


def _target_options(options: Namespace) -> dict[str, Any]:
    from pathlib import Path

    given = {
        "request_body": Path(options.request_body) if options.request_body else None,
        "answer_path": options.answer_path,
        "citations_path": options.citations_path,
        "headers": tuple(options.header or ()),
        "isolate": options.isolate,
        "memory_mb": options.isolate_memory,
        "processes": options.in_flight if options.isolate else None,
    }
    return {name: value for name, value in given.items() if value}
