"""A run for machines: JUnit XML with one case per metric, and annotations for GitHub Actions."""

from __future__ import annotations

import os
from collections.abc import Sequence

from pincite.metrics import NO_ANSWER
from pincite.records import Alert, Run, Score
from pincite.reports.findings.github import command_data, command_property
from pincite.reports.findings.junit import attribute, counts_of, plain


def write_run_junit(run: Run, alerts: Sequence[Alert] = ()) -> str:
    """A missed threshold or a change for the worse fails; a metric without a value is skipped."""
    changes = [alert for alert in alerts if alert.kind != "threshold"]
    failed = sum(score.passed is False for score in run.scores) + len(changes)
    skipped = sum(score.value is None for score in run.scores)
    counts = {"tests": len(run.scores) + len(changes), "failures": failed, "skipped": skipped}
    suite = attribute(run.name or run.run_id)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="pincite"{counts_of(counts)}>',
        f'  <testsuite name="{suite}"{counts_of(counts)} errors="0" time="{run.seconds:.3f}">',
    ]
    outcomes = [(score.metric, _outcome(score)) for score in run.scores]
    for alert in changes:
        failure = f'<failure type="{alert.kind}" message="{attribute(alert.message)}"/>'
        outcomes.append((f"{alert.subject}: {alert.kind}", failure))
    for name, outcome in outcomes:
        opened = f'    <testcase classname="{suite}" name="{attribute(name)}">'
        lines += [opened, f"      {outcome}", "    </testcase>"]
    return "\n".join([*lines, "  </testsuite>", "</testsuites>"]) + "\n"


def _outcome(score: Score) -> str:
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


def write_run_github(alerts: Sequence[Alert]) -> str:
    """One workflow command per alert, each an error: any of them makes the command fail."""
    lines = []
    for alert in alerts:
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
