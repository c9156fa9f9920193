"""The stable machine-readable shape of a check, with its schema version."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from pincite.findings.explaining import is_explained
from pincite.findings.summary import combine
from pincite.records import SCHEMA_VERSION, Finding, Report, Summary, Usage
from pincite.reports.findings.explained import explanation_dict
from pincite.reports.findings.totals import unread_sources
from pincite.text.log_commands import escape_commands

_SURROGATE = re.compile("[\ud800-\udfff]")
JSON_ESCAPE = "\\u{:04x}"


def write_json(reports: Sequence[Report], usage: Usage | None = None) -> str:
    total = combine(report.summary for report in reports)
    doubtful = [
        {**finding_dict(finding), "file": report.answer.name}
        for report in reports
        for finding in report.doubtful
        if is_explained(finding)
    ]
    return dump(
        {
            "schema_version": SCHEMA_VERSION,
            "findings": [
                {**finding_dict(finding), "file": report.answer.name}
                for report in reports
                for finding in report.findings
            ],
            **({"doubtful": doubtful} if doubtful else {}),
            "summary": {**summary_dict(total), "usage": usage_dict(usage or Usage())},
            "answers": [
                {"file": report.answer.name, "summary": summary_dict(report.summary)} for report in reports
            ],
            "unread": [{"name": source.name, "reason": source.reason} for source in unread_sources(reports)],
            "run": {"judge": total.judge, "judged": total.judged, "silenced": total.silenced},
        }
    )


def finding_dict(finding: Finding) -> dict[str, Any]:
    source, fix = finding.source, finding.fix
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "start": finding.start,
        "end": finding.end,
        "line": finding.line,
        "column": finding.column,
        "citation": finding.citation,
        "source": source
        and {
            "document": source.document,
            "page": source.page,
            "start": source.start,
            "end": source.end,
            "text": source.text,
        },
        "fix": fix
        and {
            "start": fix.start,
            "end": fix.end,
            "replacement": fix.replacement,
            "safe": fix.safe,
            "description": fix.description,
        },
        **(
            {"explanation": explanation_dict(finding.explanation)}
            if finding.explanation is not None and is_explained(finding)
            else {}
        ),
    }


def summary_dict(summary: Summary) -> dict[str, Any]:
    return {
        "citations": summary.citations,
        "targets": summary.targets,
        "claims": summary.claims,
        "findings_by_code": summary.findings_by_code,
        "unjudged": summary.unjudged,
        "sources_failed": summary.sources_failed,
        "score": summary.score,
        "skipped": summary.skipped,
        "doubtful": summary.doubtful,
    }


def usage_dict(usage: Usage) -> dict[str, Any]:
    """What judging took. `asked` and `asked_further` count pairs, for a judge of several stages."""
    return {
        "requests": usage.requests,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost": usage.cost,
        "cache_hits": usage.cache_hits,
        "asked": usage.asked,
        "asked_further": usage.asked_further,
    }


def dump(value: Any, *, indent: int | None = 2) -> str:
    """JSON that can be written as UTF-8 whatever it quotes: half a surrogate pair stays an escape.

    So does part of whatever a CI system would obey in a log.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    text = _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    return escape_commands(text, JSON_ESCAPE) + "\n"
