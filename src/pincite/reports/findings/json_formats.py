"""Findings as data: the stable JSON of a check with its schema version, and SARIF 2.1.0 for code scanning."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import quote

import msgspec

from pincite import __version__
from pincite.findings import RULES, combine, is_explained
from pincite.records import SCHEMA_VERSION, Explanation, Finding, Report, SourceExcerpt, Summary, Usage
from pincite.reports.display import dump, pick
from pincite.reports.findings.excerpt import ExcerptLines
from pincite.reports.findings.summary import Presentation, unread_sources, verdict_level

_EXCERPT = ("document", "page", "start", "end", "text")


def write_json(reports: Sequence[Report], how: Presentation) -> str:
    total = combine(report.summary for report in reports)
    named = [(report.answer.name, report) for report in reports]
    doubtful = [
        {**_finding_dict(finding), "file": name}
        for name, report in named
        for finding in report.doubtful
        if is_explained(finding)
    ]
    return dump(
        {
            "schema_version": SCHEMA_VERSION,
            "findings": [
                {**_finding_dict(finding), "file": name}
                for name, report in named
                for finding in report.findings
            ],
            **({"doubtful": doubtful} if doubtful else {}),
            "summary": {**summary_dict(total), "usage": msgspec.to_builtins(how.usage or Usage())},
            "answers": [{"file": name, "summary": summary_dict(report.summary)} for name, report in named],
            "unread": [pick(source, "name", "reason") for source in unread_sources(reports)],
            "run": pick(total, "judge", "judged", "silenced"),
        }
    )


def _finding_dict(finding: Finding) -> dict[str, Any]:
    source, fix = finding.source, finding.fix
    shape = pick(finding, "code", "severity", "message", "start", "end", "line", "column", "citation")
    shape["source"] = source and pick(source, *_EXCERPT)
    shape["fix"] = fix and pick(fix, "start", "end", "replacement", "safe", "description")
    if finding.explanation is not None and is_explained(finding):
        shape["explanation"] = _explanation_dict(finding.explanation)
    return shape


def _explanation_dict(found: Explanation) -> dict[str, Any]:
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


SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_INDEX = {code: index for index, code in enumerate(RULES)}


def write_sarif(reports: Sequence[Report], how: Presentation) -> str:
    results = []
    for report in reports:
        lines = ExcerptLines(report.answer.text)
        results += [_sarif_result(report, finding, lines) for finding in report.findings]
    unread = [
        {
            "level": "warning",
            "descriptor": {"id": "unread-source"},
            "message": {"text": f"{source.name} could not be read: {source.reason}"},
        }
        for source in unread_sources(reports)
    ]
    run = {
        "tool": {"driver": _driver()},
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": {"uri": _uri(report.answer.name)}} for report in reports],
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": unread}],
        "results": results,
        "properties": {"summary": summary_dict(combine(report.summary for report in reports))},
    }
    return dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _driver() -> dict[str, Any]:
    return {
        "name": "pincite",
        "version": __version__,
        "semanticVersion": __version__,
        "notifications": [
            {"id": "unread-source", "shortDescription": {"text": "A source could not be read."}}
        ],
        "rules": [
            {
                "id": rule.code,
                "name": "".join(word.capitalize() for word in rule.name.split("-")),
                "shortDescription": {"text": rule.summary},
                "fullDescription": {"text": rule.summary},
                "help": {"text": rule.explanation, "markdown": rule.explanation},
                "defaultConfiguration": {"level": rule.severity},
            }
            for rule in RULES.values()
        ],
    }


def _sarif_result(report: Report, finding: Finding, lines: ExcerptLines) -> dict[str, Any]:
    uri = _uri(report.answer.name)
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": _sarif_region(finding, lines)}}
        ],
        "partialFingerprints": {"pincite/v1": _fingerprint(finding, lines)},
    }
    if finding.code in _INDEX:
        result["ruleIndex"] = _INDEX[finding.code]
    if finding.source is not None:
        result["relatedLocations"] = [_related(finding.source)]
    if finding.fix is not None and report.answer.provider is None:
        fix = finding.fix
        deleted = {"charOffset": fix.start, "charLength": fix.end - fix.start}
        replaced = {"deletedRegion": deleted, "insertedContent": {"text": fix.replacement}}
        change = {"artifactLocation": {"uri": uri}, "replacements": [replaced]}
        described = {"text": fix.description or "Replace the marker."}
        result["fixes"] = [
            {"description": described, "artifactChanges": [change], "properties": {"safe": fix.safe}}
        ]
    return result


def _sarif_region(finding: Finding, lines: ExcerptLines) -> dict[str, Any]:
    end_line, end_column = lines.place(finding.end)
    return {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": end_line,
        "endColumn": end_column,
        "charOffset": finding.start,
        "charLength": finding.end - finding.start,
        "snippet": {"text": lines.text[finding.start : finding.end]},
    }


def _related(source: SourceExcerpt) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(source.document)}}
    said = "the cited passage"
    if source.start is not None and source.end is not None:
        place["region"] = {
            "charOffset": source.start,
            "charLength": source.end - source.start,
            "snippet": {"text": source.text},
        }
        said = f"characters {source.start}–{source.end}"
    if source.page is not None:
        said = f"page {source.page}, {said}"
    return {"id": 0, "physicalLocation": place, "message": {"text": said}}


def _fingerprint(finding: Finding, lines: ExcerptLines) -> str:
    """The same for a finding that only moved to another line."""
    line, _ = lines.place(finding.start)
    # Of a very long line only what is near, so that the cost does not grow with the line for each finding.
    start, end = max(lines.start(line), finding.start - 500), min(lines.end(line), finding.start + 500)
    text = " ".join(lines.text[start:end].split())
    whole = "\0".join((finding.code, finding.citation or "", text))
    return sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _uri(name: str) -> str:
    """A relative reference for any name; colons are escaped, as the first would end a scheme."""
    return quote(name.replace("\\", "/").encode("utf-8", "surrogatepass"), safe="/~!$&'()*+,;=@")
