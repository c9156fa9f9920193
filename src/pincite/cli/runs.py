"""`pincite runs …`: the history of evaluations."""

from __future__ import annotations

COMMANDS = {
    "list": ("pincite.cli.runs_list", "list the runs, the newest first"),
    "show": ("pincite.cli.runs_show", "show one run"),
    "compare": ("pincite.cli.runs_compare", "say with a proper test whether one run is better than another"),
    "report": ("pincite.cli.runs_report", "say which failures dominate a run, where, and what to do"),
    "graph": ("pincite.cli.runs_graph", "show which documents the answers of a run cite"),
    "trend": ("pincite.cli.runs_trend", "show a metric over time"),
    "export": ("pincite.cli.runs_export", "write a run as JSON, YAML, CSV or Parquet"),
    "alerts": ("pincite.cli.runs_alerts", "show the alerts that were not delivered, and send them again"),
    "prune": ("pincite.cli.runs_prune", "remove old runs"),
}
