"""Findings with the judge's way to its verdict: all of an answer, or those that were asked for."""

from __future__ import annotations

import re

import msgspec

from pincite.findings.catalogue import RULES, refuse_unknown_codes
from pincite.judges import Judge, trace_verdict
from pincite.records import Finding, Report

_PLACE = re.compile(r"(?:(?P<file>.+):)?(?P<line>\d+):(?P<column>\d+)|(?P<only>\d+)")


def refuse_unknown_finding(which: str) -> None:
    """What names neither a place nor a code is refused before anything is checked."""
    if _PLACE.fullmatch(which) is None and which.lower() not in {rule.name for rule in RULES.values()}:
        refuse_unknown_codes((which.upper(),))


def explain_findings(report: Report, judge: Judge, which: str | None = None) -> Report:
    """The report with a trace in the explanation of its findings, and of what it found doubtful.

    `which` keeps to some of them: a code or the beginning of one (`PIN203`, `PIN2`), a code's name, a line
    (`3`), or a place as findings are printed with it (`3:42`, `answer.md:3:42`).
    """

    def explained(finding: Finding) -> Finding:
        found = finding.explanation
        if found is None or (which is not None and not _is_meant(finding, report.answer.name, which)):
            return finding
        traced = msgspec.structs.replace(found, trace=trace_verdict(judge, found.pair, found.verdict))
        return msgspec.structs.replace(finding, explanation=traced)

    findings, doubtful = map(explained, report.findings), map(explained, report.doubtful)
    return msgspec.structs.replace(report, findings=tuple(findings), doubtful=tuple(doubtful))


def is_explained(finding: Finding) -> bool:
    return finding.explanation is not None and finding.explanation.trace is not None


def _is_meant(finding: Finding, name: str, which: str) -> bool:
    place = _PLACE.fullmatch(which)
    if place is None:
        return finding.code.startswith(which.upper()) or RULES[finding.code].name == which.lower()
    if place["only"] is not None:
        return finding.line == int(place["only"])
    here = place["file"] is None or place["file"] == name
    return here and (finding.line, finding.column) == (int(place["line"]), int(place["column"]))
