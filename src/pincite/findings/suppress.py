"""Known findings, silenced: by a comment in the answer, or by a baseline file."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from pincite.base import read_json, read_small_file, write_json
from pincite.errors import InputError
from pincite.findings.report import without
from pincite.records import SCHEMA_VERSION, Finding, Report, Span
from pincite.text import SpanIndex, trim

MOST_BYTES = 1024 * 1024 * 1024
"""Of a file of known findings, or a saved report."""
_COMMENT = re.compile(r"<!--[ \t]*+pincite:[ \t]*+(ignore-file|ignore)\b([^>\n]{0,400})-->", re.IGNORECASE)
_CODE = re.compile(r"[A-Za-z]{3}[0-9]{1,3}")
_NEAR = 1_000
_BLANK_LINE = re.compile(r"\n[ \t\r]*+\n")


class Suppressions:
    """Where which codes are silenced: a code or the beginning of one, or the empty string for all of them."""

    def __init__(self, places: Mapping[str, Sequence[Span]]) -> None:
        self._places = {code: SpanIndex(spans) for code, spans in places.items()}

    def cover(self, finding: Finding) -> bool:
        beginnings = (finding.code[:length] for length in range(len(finding.code) + 1))
        at = finding.start
        return any(code in self._places and self._places[code].overlaps(at, at + 1) for code in beginnings)


def find_suppressions(text: str) -> Suppressions:
    """Read every `<!-- pincite: ignore … -->` in the answer.

    Beside other words it speaks for its line; alone on a line, for the paragraph that follows.
    """
    places: dict[str, list[Span]] = {}
    line = words = after = Span(0, 0)
    for comment in _COMMENT.finditer(text):
        if comment.start() >= line.end:
            line = Span(text.rfind("\n", line.start, comment.start()) + 1, _line_end(text, comment.end()) + 1)
            words = trim(text, line.start, line.end)
        if comment[1].lower() == "ignore-file":
            span = Span(0, len(text) + 1)
        elif words != Span(comment.start(), comment.end()):
            span = line
        else:
            after = span = _paragraph_after(text, line.end - 1, after)
        for code in {found.upper() for found in _CODE.findall(comment[2])} or {""}:
            places.setdefault(code, []).append(span)
    return Suppressions(places)


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end


def _paragraph_after(text: str, line_end: int, known: Span) -> Span:
    """The paragraph that follows; `known` is the last one found, whose end need not be looked for again."""
    start = line_end
    while start < len(text) and text[start].isspace():
        start += 1
    if known.start <= start < known.end:
        return Span(start, known.end)
    blank = _BLANK_LINE.search(text, start)
    return Span(start, blank.start() + 1 if blank else len(text) + 1)


# --- baselines -----------------------------------------------------------------------------------


class Baseline(msgspec.Struct, frozen=True):
    """Findings that were there before, by fingerprint, with how often each occurred."""

    fingerprints: dict[str, int]
    schema_version: int = SCHEMA_VERSION


def fingerprint(report: Report, finding: Finding, folder: Path | None = None) -> str:
    """A name for a finding that survives moving to another line, but not a change of what it speaks of.

    `folder` is where the baseline lies: an answer is known by its path from there, so that it is the same
    answer from wherever the check is run.
    """
    # Of a long line only what is near the finding counts: a line may be a whole answer.
    before = report.answer.text[max(0, finding.start - _NEAR) : finding.start].rpartition("\n")[2]
    after = report.answer.text[finding.start : finding.start + _NEAR].partition("\n")[0]
    line = " ".join((before + after).split())
    parts = (_seen_from(folder, report.answer.name), finding.code, finding.citation or "", line)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _seen_from(folder: Path | None, name: str) -> str:
    if folder is None or name.startswith("<"):  # standard input is nowhere
        return name
    try:
        return os.path.relpath(name, folder).replace(os.sep, "/")
    except ValueError:  # on another drive
        return name


class _SavedFinding(msgspec.Struct, frozen=True):
    code: str
    message: str
    start: int
    end: int
    citation: str | None = None
    file: str = ""


class _SavedReport(msgspec.Struct, frozen=True):
    """What of a saved JSON report tells its findings apart."""

    findings: list[_SavedFinding]
    schema_version: int = SCHEMA_VERSION


def _saved_name(finding: Finding | _SavedFinding, file: str) -> str:
    # A report keeps no line of the answer, so the message identifies the place.
    length = str(finding.end - finding.start)
    return "\0".join((file, finding.code, finding.citation or "", finding.message, length))


def make_baseline(reports: Sequence[Report], folder: Path | None = None) -> Baseline:
    found = Counter(fingerprint(report, finding, folder) for report in reports for finding in report.findings)
    return Baseline(dict(sorted(found.items())))


def load_baseline(path: Path) -> Baseline:
    """Read a baseline file, or a saved JSON report; what is not there or neither is an `InputError`."""
    try:
        known = read_json(read_small_file(path, MOST_BYTES))
        if isinstance(known, dict) and "findings" in known:
            saved = msgspec.convert(known, _SavedReport).findings
            return Baseline(dict(Counter(_saved_name(finding, finding.file) for finding in saved)))
        return msgspec.convert(known, Baseline)
    except OSError as error:
        raise InputError(f"cannot read the baseline {path}: {error.strerror or error}") from error
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        problem = f"{path} is not a baseline file ({error})"
        raise InputError(f"{problem}; make one with --write-baseline") from error


def write_baseline(reports: Sequence[Report], path: Path) -> None:
    """Write the findings of `reports` as a baseline."""
    encoded = write_json(make_baseline(reports, path.parent), indent=2)
    try:
        path.write_bytes(encoded + b"\n")
    except OSError as error:
        raise InputError(f"cannot write the baseline {path}: {error.strerror or error}") from error


def apply_baseline(reports: Sequence[Report], baseline: Baseline, folder: Path | None = None) -> list[Report]:
    """The reports without the findings that the baseline in `folder` knows, their summaries counted again."""
    left = Counter(baseline.fingerprints)
    cleaned = []
    for report in reports:
        known = set()
        for index, finding in enumerate(report.findings):
            for name in (fingerprint(report, finding, folder), _saved_name(finding, report.answer.name)):
                if left[name] > 0:
                    left[name] -= 1
                    known.add(index)
                    break
        cleaned.append(without(report, known))
    return cleaned
