"""`pincite explain CODE` and `pincite rules`: what the codes mean."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from pincite.cli.options import ListFormat, NoColor


class TextFormat(StrEnum):
    """How an explanation is printed."""

    text = "text"
    markdown = "markdown"
    json = "json"


def explain(
    code: Annotated[
        str, typer.Argument(metavar="CODE", help="A code (PIN203) or its name (number-differs).")
    ],
    output_format: Annotated[
        TextFormat, typer.Option("--output-format", "-f", help="How to print it.")
    ] = TextFormat.text,
    no_color: NoColor = False,
) -> None:
    """Explain one code, with an example."""
    from pincite.cli.output import emit, is_terminal, terminal_width, wants_color
    from pincite.findings.catalogue import explain as find_rule

    rule = find_rule(code)
    if output_format is TextFormat.json:
        from pincite.records import SCHEMA_VERSION
        from pincite.reports.json_report import dump

        emit(
            dump(
                {
                    "schema_version": SCHEMA_VERSION,
                    "code": rule.code,
                    "name": rule.name,
                    "severity": rule.severity,
                    "summary": rule.summary,
                    "explanation": rule.explanation,
                }
            )
        )
        return
    text = f"# {rule.code} {rule.name} ({rule.severity})\n\n{rule.summary}\n\n{rule.explanation}\n"
    if output_format is TextFormat.text and is_terminal(sys.stdout):
        from rich.console import Console
        from rich.markdown import Markdown

        console = Console(
            no_color=not wants_color(no_color, sys.stdout), width=min(terminal_width(sys.stdout) or 100, 100)
        )
        console.print(Markdown(text))
    else:
        emit(text)


def rules(
    output_format: Annotated[
        ListFormat, typer.Option("--output-format", "-f", help="How to print the list.")
    ] = ListFormat.table,
) -> None:
    """List every code."""
    from pincite.cli.output import emit, terminal_width
    from pincite.findings.catalogue import RULES

    if output_format is ListFormat.json:
        from pincite.records import SCHEMA_VERSION
        from pincite.reports.json_report import dump

        listed = [
            {"code": rule.code, "name": rule.name, "severity": rule.severity, "summary": rule.summary}
            for rule in RULES.values()
        ]
        emit(dump({"schema_version": SCHEMA_VERSION, "rules": listed}))
        return
    from pincite.cli.tables import table

    rows = [(rule.code, rule.severity, rule.name, rule.summary) for rule in RULES.values()]
    emit(table(("code", "severity", "name", "summary"), rows, terminal_width(sys.stdout)))
