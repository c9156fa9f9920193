"""`pincite check`: answers in, findings out, and an exit code that a script can trust."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pincite.cli.options import Config, MaxAnswer, MaxSource, NoColor, Provider, Sources, limit_flags


class OutputFormat(StrEnum):
    """How findings are printed."""

    full = "full"
    concise = "concise"
    json = "json"
    sarif = "sarif"
    junit = "junit"
    github = "github"
    markdown = "markdown"


class Offsets(StrEnum):
    """What cited offsets count from."""

    document = "document"
    page = "page"


class Attach(StrEnum):
    """What a marker at the end of a paragraph speaks for."""

    sentence = "sentence"
    paragraph = "paragraph"


Codes = list[str] | None


def check(
    answers: Annotated[
        list[str],
        typer.Argument(
            metavar="ANSWERS", help="Files, folders, JSON Lines of answers, or - for standard input."
        ),
    ],
    sources: Sources = None,
    fix: Annotated[bool, typer.Option("--fix", help="Rewrite what has a safe fix.")] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change, and write nothing.")
    ] = False,
    output_format: Annotated[
        OutputFormat, typer.Option("--output-format", "-f", help="How to print the findings.")
    ] = OutputFormat.full,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the findings to this file.")
    ] = None,
    provider: Provider = None,
    select: Annotated[
        Codes, typer.Option("--select", metavar="CODE", help="Only these codes or groups: PIN203, PIN2.")
    ] = None,
    ignore: Annotated[
        Codes, typer.Option("--ignore", metavar="CODE", help="Not these codes or groups.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail too.")] = False,
    fail_under: Annotated[
        float | None,
        typer.Option("--fail-under", metavar="SCORE", help="Fail when the score, 0 to 1, is below this."),
    ] = None,
    fail_on_unjudged: Annotated[
        bool, typer.Option("--fail-on-unjudged", help="Fail when a target could not be judged.")
    ] = False,
    judge: Annotated[
        str | None, typer.Option("--judge", metavar="NAME", help="Who decides.", show_default="rules")
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option("--baseline", metavar="FILE", help="Silence the findings in this file.")
    ] = None,
    write_baseline: Annotated[
        Path | None,
        typer.Option(
            "--write-baseline", metavar="FILE", help="Write today's findings to this file as known."
        ),
    ] = None,
    config: Config = None,
    offsets: Annotated[
        Offsets | None,
        typer.Option("--offsets", help="What cited offsets count from.", show_default="document"),
    ] = None,
    attach: Annotated[
        Attach | None,
        typer.Option(
            "--attach", help="What a marker at a paragraph's end speaks for.", show_default="sentence"
        ),
    ] = None,
    max_answer_mb: MaxAnswer = None,
    max_source_mb: MaxSource = None,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Count the findings of each code.")
    ] = False,
    no_color: NoColor = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Only findings: no summary, no notes.")
    ] = False,
) -> None:
    """Check the citations of answers against their sources.

    Exits 0 when nothing is wrong, 1 for errors found or a threshold missed, 2 when it could not run.
    """
    from pincite.cli import checking

    settings = checking.load(
        config,
        select=select or None,
        ignore=ignore or None,
        strict=strict or None,
        fail_under=fail_under,
        fail_on_unjudged=fail_on_unjudged or None,
        judge=judge,
        baseline=str(baseline) if baseline else None,
        offsets=offsets and offsets.value,
        attach=attach and attach.value,
        sources=sources or None,
        **limit_flags(max_answer_mb, max_source_mb),
    )
    plan = checking.Plan(
        answers=tuple(answers),
        settings=settings,
        output_format=output_format.value,
        output=output,
        provider=provider,
        fix=fix,
        diff=diff,
        write_baseline=write_baseline,
        statistics=statistics,
        no_color=no_color,
        quiet=quiet,
    )
    raise typer.Exit(checking.run(plan))
