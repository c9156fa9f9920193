"""`pincite explain CODE`: what a code means, with an example."""

from __future__ import annotations

import sys
from argparse import Namespace

from pincite.cli.options import Parser


def parser() -> Parser:
    made = Parser("explain", "Explain one code, with an example.")
    made.add_argument("code", metavar="CODE", help="a code (PIN203) or its name (number-differs)")
    made.choice(
        "-f", "--output-format", of=("text", "markdown", "json"), default="text", help="how to print it"
    )
    made.add_argument(
        "--no-color", action="store_true", help="disable colour; NO_COLOR and FORCE_COLOR work too"
    )
    return made


def run(options: Namespace) -> int:
    from pincite.cli.output import emit, is_terminal, terminal_width, wants_color
    from pincite.findings.catalogue import explain

    rule = explain(options.code)
    if options.output_format == "json":
        from pincite.records import SCHEMA_VERSION
        from pincite.reports.findings.json_report import dump

        shape = {
            "schema_version": SCHEMA_VERSION,
            "code": rule.code,
            "name": rule.name,
            "severity": rule.severity,
            "summary": rule.summary,
            "explanation": rule.explanation,
        }
        emit(dump(shape))
        return 0
    text = f"# {rule.code} {rule.name} ({rule.severity})\n\n{rule.summary}\n\n{rule.explanation}\n"
    if options.output_format == "text" and is_terminal(sys.stdout):
        from rich.console import Console
        from rich.markdown import Markdown

        columns = min(terminal_width(sys.stdout) or 100, 100)
        console = Console(no_color=not wants_color(options.no_color, sys.stdout), width=columns)
        console.print(Markdown(text))
    else:
        emit(text)
    return 0
