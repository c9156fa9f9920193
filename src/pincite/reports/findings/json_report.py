"""The stable machine-readable shape of a check, with its schema version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from pincite.findings import combine, is_explained
from pincite.records import SCHEMA_VERSION, Explanation, Finding, Report, Summary, Usage
from pincite.reports.display import dump, pick
from pincite.reports.findings.totals import Presentation, unread_sources, verdict_level

_EXCERPT = ("document", "page", "start", "end", "text")


def write(reports: Sequence[Report], how: Presentation) -> str:
    total = combine(report.summary for report in reports)
    named = [(report.answer.name, report) for report in reports]
    doubtful = [
        {**_finding(finding), "file": name}
        for name, report in named
        for finding in report.doubtful
        if is_explained(finding)
    ]
    return dump(
        {
            "schema_version": SCHEMA_VERSION,
            "findings": [
                {**_finding(finding), "file": name} for name, report in named for finding in report.findings
            ],
            **({"doubtful": doubtful} if doubtful else {}),
            "summary": {**summary_dict(total), "usage": msgspec.to_builtins(how.usage or Usage())},
            "answers": [{"file": name, "summary": summary_dict(report.summary)} for name, report in named],
            "unread": [pick(source, "name", "reason") for source in unread_sources(reports)],
            "run": pick(total, "judge", "judged", "silenced"),
        }
    )


def _finding(finding: Finding) -> dict[str, Any]:
    source, fix = finding.source, finding.fix
    shape = pick(finding, "code", "severity", "message", "start", "end", "line", "column", "citation")
    shape["source"] = source and pick(source, *_EXCERPT)
    shape["fix"] = fix and pick(fix, "start", "end", "replacement", "safe", "description")
    if finding.explanation is not None and is_explained(finding):
        shape["explanation"] = _explanation(finding.explanation)
    return shape


def _explanation(found: Explanation) -> dict[str, Any]:
    """How a judge came to its verdict. Offsets count in the document, as those of a finding's `source` do."""
    verdict, trace = found.verdict, found.trace
    return {
        "claim": found.pair.claim,
        "passages": [pick(passage, *_EXCERPT, "context") for passage in found.pair.passages],
        **pick(verdict, "judge", "outcome", "score"),
        "level": verdict_level(verdict),
        **pick(verdict, "cause", "reason"),
        "stages": [pick(stage, "name", "score", "note") for stage in (trace.stages if trace else ())],
        "observations": list(trace.observations) if trace else [],
    }


def summary_dict(summary: Summary) -> dict[str, Any]:
    counted = ("citations", "targets", "claims", "findings_by_code", "unjudged", "sources_failed")
    return pick(summary, *counted, "score", "skipped", "doubtful")
