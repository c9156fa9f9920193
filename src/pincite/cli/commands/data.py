"""`pincite data …`: datasets, checked, converted and begun."""

from __future__ import annotations

COMMANDS = {
    "validate": (
        "pincite.cli.commands.data_validate",
        "check a file against its format and list all problems",
    ),
    "check": ("pincite.cli.commands.data_check", "check the quality of a dataset"),
    "convert": ("pincite.cli.commands.data_convert", "read one format and write another"),
    "stats": ("pincite.cli.commands.data_stats", "count what a dataset holds"),
    "fill": (
        "pincite.cli.commands.data_fill",
        "add documents, and locate gold citations by their words",
    ),
    "new": ("pincite.cli.commands.data_new", "start a dataset, from documents or from the sample"),
    "labels": ("pincite.cli.commands.data_labels", "turn human verdicts on findings into labels"),
}
