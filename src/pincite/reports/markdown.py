"""A report for a pull request's comment or a job's summary: a table, then the details.

What is quoted cannot become markup: text is escaped, and passages stand in fences longer than any in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.config import Settings
from pincite.findings.catalogue import RULES
from pincite.records import Finding, Report, Usage
from pincite.reports.display import folded, safe
from pincite.reports.excerpt import Lines
from pincite.reports.totals import count_lines, usage_lines, verdict_line
from pincite.reports.wording import where

MOST_QUOTED = 600
_MARKUP = re.compile(r"[\\`*_\[\]<>#|~&@$!{}]|:(?=//)|(?<=[Ww][Ww][Ww])\.")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"}
_TICKS = re.compile("`++")


def write_markdown(reports: Sequence[Report], settings: Settings, usage: Usage | None = None) -> str:
    verdict = verdict_line(reports)
    lines = [f"## Pincite: {verdict}", ""]
    lines += [f"- {escape(line)}" for line in (*count_lines(reports, settings), *usage_lines(reports, usage))]
    if any(report.findings for report in reports):
        lines += ["", "| Place | Code | Severity | Finding |", "| --- | --- | --- | --- |"]
        lines += [_row(report, finding) for report in reports for finding in report.findings]
        lines += ["", "### Details"]
        for report in reports:
            places = Lines(report.answer.text)
            for finding in report.findings:
                lines += ["", *_details(report, finding, places, settings)]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """The text on one line, with every character that Markdown, HTML or a linkifier would act on escaped."""
    return _MARKUP.sub(lambda match: _ENTITIES.get(match[0], f"\\{match[0]}"), safe(folded(text)))


def fence(text: str) -> list[str]:
    """The text in a code block whose fence is longer than any run of backticks in it."""
    longest = max((len(match[0]) for match in _TICKS.finditer(text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return [f"{ticks}text", *(safe(line.removesuffix("\r")) for line in text.split("\n")), ticks]


def _row(report: Report, finding: Finding) -> str:
    place = f"{escape(report.answer.name)}:{finding.line}:{finding.column}"
    return f"| {place} | {finding.code} | {finding.severity} | {escape(finding.message)} |"


def _details(report: Report, finding: Finding, places: Lines, settings: Settings) -> Iterator[str]:
    rule = RULES.get(finding.code)
    name = f" {rule.name}" if rule else ""
    yield f"**{finding.code}{name}** at {escape(report.answer.name)}:{finding.line}:{finding.column}"
    yield ""
    yield "In the answer:"
    yield ""
    yield from fence(_around(finding, places))
    if finding.source is not None and settings.reporting.detailed_span_analysis:
        yield ""
        yield f"In {escape(where(finding.source))}:"
        yield ""
        yield from fence(_short(finding.source.text))
    if finding.fix is not None:
        yield ""
        yield f"{'Fix (safe)' if finding.fix.safe else 'Suggestion'}: {escape(finding.fix.description)}"
        if finding.fix.replacement.strip():
            yield ""
            yield from fence(_short(finding.fix.replacement))


def _around(finding: Finding, places: Lines) -> str:
    """The line or lines of the finding, cropped round it when they are long."""
    start = places.start(places.place(finding.start)[0])
    end = places.end(places.place(max(finding.start, finding.end - 1))[0])
    reach = MOST_QUOTED // 2
    low, high = max(start, finding.start - reach), min(end, finding.end + reach)
    before = ("…" if low > start else "") + places.text[low : finding.start]
    after = places.text[finding.end : max(high, finding.end)] + ("…" if high < end else "")
    return before + _short(places.text[finding.start : finding.end]) + after


def _short(text: str) -> str:
    return text if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED]}…"
