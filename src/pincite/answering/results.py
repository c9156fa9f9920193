"""A result as a JSON document, with its schema version."""

from __future__ import annotations

from typing import Any

import msgspec

from pincite.answering.records import AnswerResult
from pincite.records import Report


def result_shape(result: AnswerResult) -> dict[str, Any]:
    """The result as plain values; of the report the findings and the counts."""
    shape: dict[str, Any] = {"schema_version": result.schema_version}
    for name in result.__struct_fields__:
        if name not in ("schema_version", "report"):
            shape[name] = msgspec.to_builtins(getattr(result, name))
    shape["report"] = None if result.report is None else _report_shape(result.report)
    return shape


def _report_shape(report: Report) -> dict[str, Any]:
    findings = [
        {
            "code": finding.code,
            "severity": finding.severity,
            "message": finding.message,
            "start": finding.start,
            "end": finding.end,
        }
        for finding in report.findings
    ]
    summary = report.summary
    counts = ("citations", "targets", "claims", "unjudged", "score", "judged", "judge", "doubtful")
    return {
        "ok": report.ok,
        "findings": findings,
        "summary": {name: getattr(summary, name) for name in counts},
    }
