"""A run for GitHub Actions: an annotation an alert, and the table for the job's summary."""

from __future__ import annotations

import os
from collections.abc import Sequence

from pincite.records import Alert
from pincite.reports.findings.github import command_data, command_property


def write_run_github(alerts: Sequence[Alert]) -> str:
    """One workflow command an alert, an error each: any of them makes the command fail."""
    lines = []
    for alert in alerts:
        title = command_property(f"pincite {alert.kind}: {alert.subject}")
        lines.append(f"::error title={title}::{command_data(alert.message)}")
    return "".join(f"{line}\n" for line in lines)


def add_to_job_summary(markdown: str) -> bool:
    """Append to the job's summary, where there is a job; tells whether it was written."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return False
    try:
        with open(path, "a", encoding="utf-8") as summary:  # noqa: PTH123
            summary.write(markdown)
    except OSError:
        return False
    return True
