"""`pincite rules`: every code."""

from __future__ import annotations

import sys
from argparse import Namespace

from pincite.cli.options import Parser


def parser() -> Parser:
    made = Parser("rules", "List every code, its severity and what it means.")
    made.choice("-f", "--output-format", of=("table", "json"), default="table", help="how to print the list")
    return made


def run(options: Namespace) -> int:
    from pincite.cli.output import emit, terminal_width
    from pincite.findings.catalogue import RULES

    if options.output_format == "json":
        from pincite.records import SCHEMA_VERSION
        from pincite.reports.findings.json_report import dump

        listed = [
            {"code": rule.code, "name": rule.name, "severity": rule.severity, "summary": rule.summary}
            for rule in RULES.values()
        ]
        emit(dump({"schema_version": SCHEMA_VERSION, "rules": listed}))
        return 0
    from pincite.cli.tables import table

    rows = [(rule.code, rule.severity, rule.name, rule.summary) for rule in RULES.values()]
    emit(table(("code", "severity", "name", "summary"), rows, terminal_width(sys.stdout), wrap=True))
    return 0
