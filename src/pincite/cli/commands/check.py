"""`pincite check`: the options of a check, and the plan that they make."""

from __future__ import annotations

from argparse import Namespace

from pincite.cli.options import (
    Parser,
    add_answers,
    add_calibration,
    add_common,
    add_llm,
    add_sources,
    add_workers,
    limit_flags,
    llm_flags,
    setting,
)

FORMATS = ("full", "concise", "json", "sarif", "junit", "github", "markdown")
EXAMPLES = """\
examples:
  pincite check answer.md --sources docs/
  pincite check answers/ --sources docs/ --output-format concise
  pincite check answer.md --sources docs/ --fix
  pincite check - --sources report.pdf --output-format sarif --output findings.sarif
  pincite check reply.json --from anthropic --sources docs/

exit codes: 0 clean, 1 errors found or a threshold missed, 2 could not run
"""


def parser() -> Parser:
    made = Parser("check", "Check the citations of answers against their sources.", EXAMPLES)
    add_answers(made)
    add_sources(made)
    add = made.add_argument
    add("--fix", action="store_true", help="apply safe fixes")
    add(
        "--unsafe-fixes",
        action="store_true",
        help="with --fix or --diff, also add the citations that PIN302 is sure of",
    )
    add("--diff", action="store_true", help="show what --fix would change without writing it")
    add("--dry-run", action="store_true", help="estimate the work and cost without calling a judge")
    made.choice("-f", "--output-format", of=FORMATS, default="full", help="how to print the findings")
    add("-o", "--output", metavar="FILE", help="write the findings to this file")
    add(
        "--select",
        action="append",
        metavar="CODE",
        help="report report only these codes or groups: PIN203, PIN2; repeatable",
    )
    add("--ignore", action="append", metavar="CODE", help="ignore these codes or groups; repeatable")
    add("--strict", action="store_true", help="exit 1 on warnings too")
    add(
        "--fail-under",
        type=setting("fail_under"),
        metavar="SCORE",
        help="exit 1 when the score (0 to 1) is below this",
    )
    add("--fail-on-unjudged", action="store_true", help="exit 1 when a target could not be judged")
    add("--judge", metavar="NAME", help="how support is decided (default: entailment)")
    add("--online", action="store_true", help="allow a judge to download its model")
    add_workers(made)
    add_calibration(made)
    add_llm(made)
    add("--baseline", metavar="FILE", help="ignore findings recorded in this file")
    add("--write-baseline", metavar="FILE", help="record the current findings in this file")
    made.choice(
        "--offsets",
        of=("document", "page"),
        default=None,
        help="what cited offsets count from",
    )
    made.choice(
        "--attach",
        of=("sentence", "paragraph"),
        default=None,
        help="what a marker at the end of a paragraph covers",
    )
    add("--statistics", action="store_true", help="count findings per code")
    add(
        "--explain",
        metavar="WHICH",
        help="explain the verdicts of a code (PIN203), a line (3) or a place (3:42)",
    )
    add("-v", "--verbose", action="store_true", help="explain every finding, and list doubtful claims")
    add("-q", "--quiet", action="store_true", help="print findings only: no summary, no notes")
    add_common(made)
    return made


def run(options: Namespace) -> int:
    from pathlib import Path

    from pincite.cli import checking

    settings = checking.load(
        options.config,
        select=options.select,
        ignore=options.ignore,
        strict=options.strict or None,
        fail_under=options.fail_under,
        fail_on_unjudged=options.fail_on_unjudged or None,
        judge=options.judge,
        calibration=options.calibration,
        evaluation_workers=options.workers,
        online=options.online or None,
        baseline=options.baseline,
        offsets=options.offsets,
        attach=options.attach,
        sources=options.sources,
        **llm_flags(options),
        **limit_flags(options),
    )
    plan = checking.Plan(
        answers=tuple(options.answers),
        settings=settings,
        output_format=options.output_format,
        output=Path(options.output) if options.output else None,
        provider=options.provider,
        fix=options.fix,
        unsafe_fixes=options.unsafe_fixes,
        diff=options.diff,
        write_baseline=Path(options.write_baseline) if options.write_baseline else None,
        statistics=options.statistics,
        no_color=options.no_color,
        quiet=options.quiet,
        dry_run=options.dry_run,
        verbose=options.verbose,
        explain=options.explain,
    )
    return checking.run(plan)
