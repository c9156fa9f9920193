"""What holds for every report, whatever the answer and the sources were."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pincite
from pincite.findings import apply_fixes
from pincite.records import Report
from pincite.reports import FORMATS, write

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def assert_sound(report: Report) -> None:
    """Spans inside the answer, true lines and columns, fixes that apply to a text that parses."""
    text = report.answer.text
    for finding in report.findings:
        assert 0 <= finding.start <= finding.end <= len(text)
        assert finding.line == text.count("\n", 0, finding.start) + 1
        assert finding.column == finding.start - (text.rfind("\n", 0, finding.start) + 1) + 1
        if finding.citation is not None and report.answer.provider is None:
            assert finding.citation == text[finding.start : finding.end]
        if finding.fix is not None:
            assert 0 <= finding.fix.start <= finding.fix.end <= len(text)
            fixed = text[: finding.fix.start] + finding.fix.replacement + text[finding.fix.end :]
            pincite.parse(fixed)
    pincite.parse(apply_fixes(text, report.findings))
    score = report.summary.score
    assert score is None or 0 <= score <= 1
    assert (score is None) == (report.summary.targets == report.summary.targets_left_out)


def assert_writable(report: Report) -> None:
    """Every format is valid UTF-8; machines can read theirs back, people's holds nothing that acts."""
    for name in FORMATS:
        written = write([report], name)
        written.encode("utf-8")
        if name in ("json", "sarif"):
            assert isinstance(json.loads(written), dict)
        elif name == "junit":
            ElementTree.fromstring(written)
        else:
            assert CONTROL.search(written) is None
        if name in ("markdown", "junit"):
            outside = written if name == "junit" else without_fences(written)
            assert "<script" not in outside


def without_fences(markdown: str) -> str:
    """The text outside of code blocks, in which nothing acts; a block ends with the fence it began with."""
    kept, fence = [], None
    for line in markdown.split("\n"):
        if fence is not None:
            fence = None if line.strip() == fence else fence
        elif line.startswith("```"):
            fence = line[: len(line) - len(line.lstrip("`"))]
        else:
            kept.append(line)
    assert fence is None, "a code block that is never closed"
    return "\n".join(kept)
