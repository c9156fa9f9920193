"""A report for a pull request's comment or a job's summary: a table, then the details.

What is quoted cannot become markup: text is escaped, a word that a page would turn into a link, a mention or
a reference is put in a code span, and passages in fences longer than any in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.config import Settings
from pincite.findings import RULES
from pincite.records import Finding, Report
from pincite.reports.display import folded, safe, where
from pincite.reports.findings.excerpt import ExcerptLines
from pincite.reports.findings.summary import Presentation, count_lines, usage_lines, verdict_line

MOST_QUOTED = 600
_MARKUP = re.compile(r"[\\`*_\[\]<>#|~&$!{}]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_BLOCK = re.compile(r"[-+=:](?!\d)|\d{1,9}(?=[.)](?:\s|$))")
"""How a list, a heading's underline or a table's rule begins."""
_WORD = re.compile(r"[^\s`|]++")
"""Without what a code span, or one in a table, could not hold as it is."""
_LIVE = re.compile(
    r"(?<![0-9a-z_])@|@[\w-]*+\.|//|www\."  # mentions and addresses, but not nDCG@5
    r"|[#!]\w|gh-\d"  # issues and merge requests
    r"|:(?!\d+:)[\w+-]++:"  # emoji, some of which are images
    r"|(?<![0-9a-z])[0-9a-f]{7,}+(?![0-9a-z])",  # commits
    re.IGNORECASE,
)
"""What GitHub and GitLab act on in a page's text, after Markdown was read: an escape does not stop them."""
_TICKS = re.compile("`++")


def write_markdown(reports: Sequence[Report], how: Presentation) -> str:
    lines = [f"## Pincite: {verdict_line(reports)}", ""]
    ending = (*count_lines(reports, how.settings), *usage_lines(reports, how.usage))
    lines += [f"- {escape(line)}" for line in ending]
    if any(report.findings for report in reports):
        lines += ["", "| Place | Code | Severity | Finding |", "| --- | --- | --- | --- |"]
        lines += [_row(report, finding) for report in reports for finding in report.findings]
        lines += ["", "### Details"]
        for report in reports:
            places = ExcerptLines(report.answer.text)
            for finding in report.findings:
                lines += ["", *_details(report, finding, places, how.settings)]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """The text on one line, so that a page shows it as it is and makes nothing of it."""
    shown = safe(folded(text))
    parts: list[str] = []
    at = 0
    for word in _WORD.finditer(shown):
        if _LIVE.search(word[0]) is not None:
            parts += [_escaped(shown[at : word.start()]), f"`{word[0]}`"]
            at = word.end()
    begin = _BLOCK.match(shown) if at == 0 or parts[0] else None
    made = "".join([*parts, _escaped(shown[at:])])
    if begin is None:
        return made
    return f"{begin[0]}\\{made[begin.end() :]}" if begin[0].isdigit() else f"\\{made}"


def _escaped(text: str) -> str:
    return _MARKUP.sub(lambda match: _ENTITIES.get(match[0], f"\\{match[0]}"), text)


def fence(text: str) -> list[str]:
    """The text in a code block whose fence is longer than any run of backticks in it."""
    longest = max((len(match[0]) for match in _TICKS.finditer(text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return [f"{ticks}text", *(safe(line.removesuffix("\r")) for line in text.split("\n")), ticks]


def _row(report: Report, finding: Finding) -> str:
    return f"| {_place(report, finding)} | {finding.code} | {finding.severity} | {escape(finding.message)} |"


def _place(report: Report, finding: Finding) -> str:
    return escape(f"{report.answer.name}:{finding.line}:{finding.column}")


def _details(report: Report, finding: Finding, places: ExcerptLines, settings: Settings) -> Iterator[str]:
    rule = RULES.get(finding.code)
    name = f" {rule.name}" if rule else ""
    yield f"**{finding.code}{name}** at {_place(report, finding)}"
    yield ""
    yield "In the answer:"
    yield ""
    yield from fence(_around(finding, places))
    if finding.source is not None and settings.reporting.detailed_span_analysis:
        yield ""
        yield escape(f"In {where(finding.source)}:")
        yield ""
        yield from fence(_short(finding.source.text))
    if finding.fix is not None:
        yield ""
        yield f"{'Fix (safe)' if finding.fix.safe else 'Suggestion'}: {escape(finding.fix.description)}"
        if finding.fix.replacement.strip():
            yield ""
            yield from fence(_short(finding.fix.replacement))


def _around(finding: Finding, places: ExcerptLines) -> str:
    """The line or lines of the finding, cropped around it when they are long."""
    start = places.start(places.place(finding.start)[0])
    end = places.end(places.place(max(finding.start, finding.end - 1))[0])
    reach = MOST_QUOTED // 2
    low, high = max(start, finding.start - reach), min(end, finding.end + reach)
    before = ("…" if low > start else "") + places.text[low : finding.start]
    after = places.text[finding.end : max(high, finding.end)] + ("…" if high < end else "")
    return before + _short(places.text[finding.start : finding.end]) + after


def _short(text: str) -> str:
    return text if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED]}…"
