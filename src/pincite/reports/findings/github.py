"""Annotations for GitHub Actions: one workflow command per finding."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.findings import RULES
from pincite.records import Finding, Report
from pincite.reports.display import kind_of, safe
from pincite.reports.findings.excerpt import ExcerptLines
from pincite.reports.findings.totals import Presentation, unread_sources

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def write(reports: Sequence[Report], how: Presentation) -> str:
    lines = []
    for report in reports:
        places = ExcerptLines(report.answer.text)
        lines += [_annotation(report.answer.name, finding, places) for finding in report.findings]
    for source in unread_sources(reports):
        lines.append(f"::warning title=source not read::{command_data(f'{source.name}: {source.reason}')}")
    return "".join(f"{line}\n" for line in lines)


def _annotation(name: str, finding: Finding, places: ExcerptLines) -> str:
    end_line, end_column = places.place(finding.end)
    rule = RULES.get(finding.code)
    properties = {"file": name, "line": finding.line, "endLine": end_line, "col": finding.column}
    if end_line == finding.line:
        # Columns of another line than the first are refused by the runner.
        properties["endColumn"] = max(end_column, finding.column)
    properties["title"] = f"{finding.code} {rule.name}" if rule else finding.code
    listed = ",".join(f"{key}={command_property(str(value))}" for key, value in properties.items())
    message = finding.message
    if finding.fix is not None and finding.fix.description:
        message = f"{message}\n{kind_of(finding.fix)}: {finding.fix.description}"
    return f"::{_COMMANDS[finding.severity]} {listed}::{command_data(message)}"


def command_data(text: str) -> str:
    """What follows `::`: line breaks survive as escapes, everything else invisible is shown."""
    text = "\n".join(safe(line) for line in text.split("\n"))
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    return command_data(text).replace(":", "%3A").replace(",", "%2C")
