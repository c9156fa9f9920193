"""JUnit XML: one suite per answer, one case per finding; an answer without findings is a case that passes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.config import Settings
from pincite.findings import RULES
from pincite.records import Finding, Report
from pincite.reports.display import kind_of, says_replacement, where
from pincite.reports.findings.totals import Presentation
from pincite.text import escape_commands

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
XML_ESCAPE = "&#{};"


def write(reports: Sequence[Report], how: Presentation) -> str:
    suites = [_suite(report, how.settings) for report in reports]
    totals = {key: sum(counts[key] for counts, _ in suites) for key in ("tests", "failures", "skipped")}
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites name="pincite"{counts_of(totals)}>']
    for _, body in suites:
        lines += body
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _suite(report: Report, settings: Settings) -> tuple[dict[str, int], list[str]]:
    kinds = [_kind(finding, settings) for finding in report.findings]
    failed, skipped = kinds.count("failure"), kinds.count("skipped")
    counts = {"tests": max(1, len(kinds)), "failures": failed, "skipped": skipped}
    name = attribute(report.answer.name)
    body = [f'  <testsuite name="{name}"{counts_of(counts)} errors="0">']
    if not kinds:
        body.append(f'    <testcase classname="{name}" name="citations"/>')
    for finding, kind in zip(report.findings, kinds, strict=True):
        body += _case(name, finding, kind)
    body += [
        f"    <system-err>{plain(f'could not read {source.name}: {source.reason}')}</system-err>"
        for source in report.unread
    ]
    return counts, [*body, "  </testsuite>"]


def _kind(finding: Finding, settings: Settings) -> str:
    """Errors fail, warnings too when strict; what could not be judged is skipped; the rest passes."""
    if finding.severity == "error" or (finding.severity == "warning" and settings.strict):
        return "failure"
    return "skipped" if finding.code == "PIN206" else "passed"


def _case(name: str, finding: Finding, kind: str) -> Iterator[str]:
    rule = RULES.get(finding.code)
    title = f"{finding.code} {rule.name if rule else ''} at {finding.line}:{finding.column}"
    yield f'    <testcase classname="{name}" name="{attribute(title)}" line="{finding.line}">'
    message, details = attribute(finding.message), plain("\n".join(_details(finding)))
    if kind == "failure":
        yield f'      <failure type="{finding.code}" message="{message}">{details}</failure>'
    elif kind == "skipped":
        yield f'      <skipped message="{message}"/>'
    else:
        yield f"      <system-out>{details}</system-out>"
    yield "    </testcase>"


def _details(finding: Finding) -> Iterator[str]:
    yield f"{finding.severity}: {finding.message}"
    if finding.citation is not None:
        yield f"citation: {finding.citation}"
    if finding.source is not None:
        yield f"source: {where(finding.source)}: {finding.source.text}"
    fix = finding.fix
    if fix is not None:
        new = "" if says_replacement(fix) else f": {fix.replacement}"
        yield f"{kind_of(fix)}: {fix.description}{new}"


def counts_of(counts: dict[str, int]) -> str:
    return "".join(f' {key}="{value}"' for key, value in counts.items())


def attribute(text: str) -> str:
    escaped = "".join(_ESCAPES.get(character, character) for character in _NOT_XML.sub("\ufffd", text))
    return escape_commands(escaped, XML_ESCAPE)


def plain(text: str) -> str:
    plain = _NOT_XML.sub("\ufffd", text)
    escaped = plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    return escape_commands(escaped, XML_ESCAPE)
