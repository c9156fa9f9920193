"""One line per finding, for editors and `grep`."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.records import Finding, Report
from pincite.reports.display import Paint, safe
from pincite.reports.findings import totals


def write(reports: Sequence[Report], how: totals.Presentation) -> str:
    paint = Paint(how.color)
    lines = [
        headline(report.answer.name, finding, paint) for report in reports for finding in report.findings
    ]
    if not how.quiet:
        lines += totals.unread_lines(reports, how.settings)
        lines += totals.usage_lines(reports, how.usage)
        lines.append(f"{totals.verdict_line(reports)}; {totals.count_lines(reports, how.settings)[0]}")
        lines += totals.unjudged_lines(reports)
        lines += totals.skipped_lines(reports)
    return "".join(f"{line}\n" for line in lines)


def headline(name: str, finding: Finding, paint: Paint) -> str:
    """`answer.md:3:42 PIN203 12% in the claim, 21% in the source`."""
    place = paint(f"{safe(name)}:{finding.line}:{finding.column}", "bold")
    kind = "" if finding.severity == "error" else f" {paint(f'[{finding.severity}]', finding.severity)}"
    can_fix = paint(" [*]", "safe") if finding.fix is not None and finding.fix.safe else ""
    return f"{place} {paint(finding.code, finding.severity)}{kind}{can_fix} {safe(finding.message)}"
