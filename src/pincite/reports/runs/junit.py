"""JUnit XML of a run: a case a metric, and a case for each other thing to be told."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.metrics.citations.judged import NO_ANSWER
from pincite.records import Alert, Run, Score
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
    for score in run.scores:
        lines += _metric(suite, score)
    for alert in changes:
        lines += _change(suite, alert)
    return "\n".join([*lines, "  </testsuite>", "</testsuites>"]) + "\n"


def _metric(suite: str, score: Score) -> list[str]:
    opened = f'    <testcase classname="{suite}" name="{attribute(score.metric)}">'
    if score.value is None:
        why = f"no value: {score.not_scorable} not scorable, {score.unjudged} unjudged"
        return [opened, f'      <skipped message="{attribute(why)}"/>', "    </testcase>"]
    said = f"{score.value:.4f} over {score.n} queries"
    if score.confidence_interval is not None:
        low, high = score.confidence_interval
        said += f", 95% interval {low:.4f} to {high:.4f}"
    unanswered = score.reasons.get(NO_ANSWER, 0)
    if unanswered:
        said += f"; {unanswered} have no answer"
    if score.passed is False:
        message = f"{said}; the threshold is {score.threshold:g}"
        failure = f'      <failure type="threshold" message="{attribute(message)}">{plain(message)}</failure>'
        return [opened, failure, "    </testcase>"]
    return [opened, f"      <system-out>{plain(said)}</system-out>", "    </testcase>"]


def _change(suite: str, alert: Alert) -> list[str]:
    name = attribute(f"{alert.subject}: {alert.kind}")
    return [
        f'    <testcase classname="{suite}" name="{name}">',
        f'      <failure type="{alert.kind}" message="{attribute(alert.message)}"/>',
        "    </testcase>",
    ]
