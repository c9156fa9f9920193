"""One line a finding, as editors and `grep` like it."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.config import Settings
from pincite.records import Finding, Report, Usage
from pincite.reports.colour import Paint
from pincite.reports.display import safe
from pincite.reports.findings.totals import (
    count_lines,
    skipped_lines,
    unjudged_lines,
    unread_lines,
    usage_lines,
    verdict_line,
)


def write_concise(
    reports: Sequence[Report],
    settings: Settings,
    *,
    color: bool = False,
    quiet: bool = False,
    usage: Usage | None = None,
) -> str:
    paint = Paint(color)
    lines = [
        headline(report.answer.name, finding, paint) for report in reports for finding in report.findings
    ]
    if not quiet:
        lines += unread_lines(reports, settings)
        lines += usage_lines(reports, usage)
        lines.append(f"{verdict_line(reports)}; {count_lines(reports, settings)[0]}")
        lines += unjudged_lines(reports)
        lines += skipped_lines(reports)
    return "".join(f"{line}\n" for line in lines)


def headline(name: str, finding: Finding, paint: Paint) -> str:
    """`answer.md:3:42 PIN203 12% in the claim, 21% in the source`."""
    place = paint(f"{safe(name)}:{finding.line}:{finding.column}", "bold")
    kind = "" if finding.severity == "error" else f" {paint(f'[{finding.severity}]', finding.severity)}"
    can_fix = paint(" [*]", "safe") if finding.fix is not None and finding.fix.safe else ""
    return f"{place} {paint(finding.code, finding.severity)}{kind}{can_fix} {safe(finding.message)}"
