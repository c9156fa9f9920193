"""Findings and runs for CI: JUnit XML, annotations for GitHub Actions and its job summary."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from pincite.config import Settings
from pincite.findings import RULES
from pincite.metrics import NO_ANSWER
from pincite.records import Finding, Report, Run, Score
from pincite.reports.display import kind_of, safe, says_replacement, where
from pincite.reports.findings.excerpt import ExcerptLines
from pincite.reports.findings.summary import Presentation, unread_sources
from pincite.text import escape_commands

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def write_github(reports: Sequence[Report], how: Presentation) -> str:
    lines = []
    for report in reports:
        places = ExcerptLines(report.answer.text)
        lines += [_annotation(report.answer.name, finding, places) for finding in report.findings]
    for source in unread_sources(reports):
        lines.append(f"::warning title=source not read::{command_data(f'{source.name}: {source.reason}')}")
    return "".join(f"{line}\n" for line in lines)


def _annotation(name: str, finding: Finding, places: ExcerptLines) -> str:
    end_line, end_column = places.place(finding.end)
    rule = RULES.get(finding.code)
    properties = {"file": name, "line": finding.line, "endLine": end_line, "col": finding.column}
    if end_line == finding.line:
        # Columns of another line than the first are refused by the runner.
        properties["endColumn"] = max(end_column, finding.column)
    properties["title"] = f"{finding.code} {rule.name}" if rule else finding.code
    listed = ",".join(f"{key}={command_property(str(value))}" for key, value in properties.items())
    message = finding.message
    if finding.fix is not None and finding.fix.description:
        message = f"{message}\n{kind_of(finding.fix)}: {finding.fix.description}"
    return f"::{_COMMANDS[finding.severity]} {listed}::{command_data(message)}"


def command_data(text: str) -> str:
    """What follows `::`: line breaks survive as escapes, everything else invisible is shown."""
    text = "\n".join(safe(line) for line in text.split("\n"))
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    return command_data(text).replace(":", "%3A").replace(",", "%2C")


_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
XML_ESCAPE = "&#{};"


def write_junit(reports: Sequence[Report], how: Presentation) -> str:
    suites = [_suite(report, how.settings) for report in reports]
    totals = {key: sum(counts[key] for counts, _ in suites) for key in ("tests", "failures", "skipped")}
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites name="pincite"{counts_of(totals)}>']
    for _, body in suites:
        lines += body
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _suite(report: Report, settings: Settings) -> tuple[dict[str, int], list[str]]:
    kinds = [_junit_kind(finding, settings) for finding in report.findings]
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


def _junit_kind(finding: Finding, settings: Settings) -> str:
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


def write_run_junit(run: Run) -> str:
    """A missed threshold or a change for the worse fails; a metric without a value is skipped."""
    changes = [alert for alert in run.alerts if alert.kind != "threshold"]
    failed = sum(score.passed is False for score in run.scores) + len(changes)
    skipped = sum(score.value is None for score in run.scores)
    counts = {"tests": len(run.scores) + len(changes), "failures": failed, "skipped": skipped}
    suite = attribute(run.name or run.run_id)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="pincite"{counts_of(counts)}>',
        f'  <testsuite name="{suite}"{counts_of(counts)} errors="0" time="{run.seconds:.3f}">',
    ]
    outcomes = [(score.metric, _run_outcome(score)) for score in run.scores]
    for alert in changes:
        failure = f'<failure type="{alert.kind}" message="{attribute(alert.message)}"/>'
        outcomes.append((f"{alert.subject}: {alert.kind}", failure))
    for name, outcome in outcomes:
        opened = f'    <testcase classname="{suite}" name="{attribute(name)}">'
        lines += [opened, f"      {outcome}", "    </testcase>"]
    return "\n".join([*lines, "  </testsuite>", "</testsuites>"]) + "\n"


def _run_outcome(score: Score) -> str:
    if score.value is None:
        why = f"no value: {score.not_scorable} not scorable, {score.unjudged} unjudged"
        return f'<skipped message="{attribute(why)}"/>'
    said = f"{score.value:.4f} over {score.n} queries"
    if score.confidence_interval is not None:
        low, high = score.confidence_interval
        said += f", 95% interval {low:.4f} to {high:.4f}"
    unanswered = score.reasons.get(NO_ANSWER, 0)
    if unanswered:
        said += f"; {unanswered} have no answer"
    if score.passed is False:
        message = f"{said}; the threshold is {score.threshold:g}"
        return f'<failure type="threshold" message="{attribute(message)}">{plain(message)}</failure>'
    return f"<system-out>{plain(said)}</system-out>"


def write_run_github(run: Run) -> str:
    """One workflow command per alert, each an error: any of them makes the command fail."""
    lines = []
    for alert in run.alerts:
        title = command_property(f"pincite {alert.kind}: {alert.subject}")
        lines.append(f"::error title={title}::{command_data(alert.message)}")
    return "".join(f"{line}\n" for line in lines)


def add_to_job_summary(markdown: str) -> bool:
    """Append to the job's summary, where there is a job; says whether it was written."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return False
    try:
        with open(path, "a", encoding="utf-8") as summary:  # noqa: PTH123
            summary.write(markdown)
    except OSError:
        return False
    return True
