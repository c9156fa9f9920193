"""`pincite runs …`: the history of evaluations."""

from __future__ import annotations

COMMANDS = {
    "list": ("pincite.cli.commands.runs.list", "list the runs, newest first"),
    "show": ("pincite.cli.commands.runs.show", "show one run"),
    "compare": (
        "pincite.cli.commands.runs.compare",
        "test whether one run is better than another",
    ),
    "report": (
        "pincite.cli.commands.runs.report",
        "show which failures dominate a run, where, and what to do",
    ),
    "graph": ("pincite.cli.commands.runs.graph", "show which documents a run's answers cite"),
    "trend": ("pincite.cli.commands.runs.trend", "show a metric over time"),
    "export": ("pincite.cli.commands.runs.export", "write a run as JSON, YAML, CSV or Parquet"),
    "alerts": (
        "pincite.cli.commands.runs.alerts",
        "show undelivered alerts, and send them again",
    ),
    "prune": ("pincite.cli.commands.runs.prune", "remove old runs"),
}
