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
    add("--fix", action="store_true", help="rewrite what has a safe fix")
    add("--diff", action="store_true", help="show what --fix would change, and write nothing")
    add("--dry-run", action="store_true", help="say what there is to judge and what it may cost; ask nobody")
    made.choice("-f", "--output-format", of=FORMATS, default="full", help="how to print the findings")
    add("-o", "--output", metavar="FILE", help="write the findings to this file")
    add(
        "--select",
        action="append",
        metavar="CODE",
        help="only these codes or groups: PIN203, PIN2; repeatable",
    )
    add("--ignore", action="append", metavar="CODE", help="not these codes or groups; repeatable")
    add("--strict", action="store_true", help="warnings fail too")
    add(
        "--fail-under",
        type=setting("fail_under"),
        metavar="SCORE",
        help="fail when the score, 0 to 1, is below this",
    )
    add("--fail-on-unjudged", action="store_true", help="fail when a target could not be judged")
    add("--judge", metavar="NAME", help="who decides whether a source supports a claim (default: entailment)")
    add("--online", action="store_true", help="let a judge fetch the model that it names")
    add_workers(made)
    add_calibration(made)
    add_llm(made)
    add("--baseline", metavar="FILE", help="silence the findings that this file knows")
    add("--write-baseline", metavar="FILE", help="write today's findings to this file as known")
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
        help="what a marker at the end of a paragraph speaks for",
    )
    add("--statistics", action="store_true", help="count the findings of each code")
    add(
        "--explain",
        metavar="WHICH",
        help="show how the judge came to its verdict: of a code (PIN203), a line (3) or a place (3:42)",
    )
    add("-v", "--verbose", action="store_true", help="the same for every finding, and for doubtful claims")
    add("-q", "--quiet", action="store_true", help="only findings: no summary, no notes")
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
