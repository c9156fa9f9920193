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
    made = Parser("eval", "Measure a system on a dataset: every metric with its interval.", EXAMPLES)
    add = made.add_argument
    add("dataset", metavar="DATASET", help="a dataset file, or `sample` for the one that comes with Pincite")
    system = made.add_argument_group("the system")
    system.add_argument("--answers", metavar="FILE", help="recorded answers, as JSON Lines")
    system.add_argument(
        "--target", metavar="SYSTEM", help="an address, package.module:function, or `reference`"
    )
    system.add_argument(
        "--request-body", metavar="FILE", help="what is posted to an address, with {query_text} in it"
    )
    system.add_argument("--answer-path", metavar="PATH", help="where the reply has the answer: reply.text")
    system.add_argument("--citations-path", metavar="PATH", help="where the reply has the citations")
    system.add_argument(
        "--header",
        action="append",
        metavar="NAME=ENV",
        help="a header for the address, its value from the environment; repeatable",
    )
    system.add_argument(
        "--isolate",
        action="store_true",
        help="run a function in processes of its own, so that a crash costs one query",
    )
    system.add_argument("--isolate-memory", type=int, metavar="MB", help="of each of these processes at most")
    system.add_argument("--system-version", metavar="TEXT", help="what to call this version of the system")
    system.add_argument(
        "--timeout",
        type=setting("evaluation.timeout_seconds"),
        metavar="SECONDS",
        help="for one answer (default: 30)",
    )
    system.add_argument(
        "--retries",
        type=setting("errors.max_retries"),
        metavar="N",
        help="further tries of a failed call (default: 3)",
    )
    system.add_argument(
        "--in-flight",
        type=setting("evaluation.max_in_flight"),
        metavar="N",
        help="queries under way at once (default: 50)",
    )
    measuring = made.add_argument_group("measuring")
    measuring.add_argument(
        "-m", "--metric", action="append", metavar="NAME", help="nDCG@10, span_f1(tolerance=10) …; repeatable"
    )
    measuring.add_argument("--limit", type=int, metavar="N", help="only N queries, drawn by the seed")
    measuring.add_argument(
        "--seed",
        type=setting("evaluation.random_seed"),
        metavar="S",
        help="of the draw, intervals and tests (default: 42)",
    )
    measuring.add_argument(
        "--resamples",
        type=setting("evaluation.resamples"),
        metavar="N",
        help="of the bootstrap intervals (default: 10000)",
    )
    measuring.add_argument("--baseline", metavar="ID", help="test against this earlier run")
    measuring.add_argument("--labels", metavar="FILE", help="human labels that correct the judged rates")
    measuring.add_argument(
        "--threshold", action="append", metavar="METRIC=VALUE", help="what a metric must reach; repeatable"
    )
    measuring.add_argument(
        "--max-failed",
        type=setting("alerts.max_failed"),
        metavar="SHARE",
        help="of the queries, that may fail (default: 0.05)",
    )
    measuring.add_argument(
        "--fail-on-unjudged", action="store_true", help="fail when something could not be judged"
    )
    add_workers(measuring)
    measuring.add_argument("--judge", metavar="NAME", help="who decides (default: entailment)")
    measuring.add_argument("--online", action="store_true", help="let a judge fetch the model that it names")
    add_calibration(made)
    add_llm(made)
    kept = made.add_argument_group("what becomes of it")
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
    kept.add_argument("--no-resume", action="store_true", help="begin anew, also where a run was interrupted")
    kept.add_argument("--no-progress", action="store_true", help="do not tell how far it has got")
    add("--dry-run", action="store_true", help="say what there is to judge and what it may cost; ask nobody")
    add("-q", "--quiet", action="store_true", help="no notes, no progress")
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
