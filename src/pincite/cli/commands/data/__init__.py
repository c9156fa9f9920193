"""`pincite data …`: datasets, checked, converted and begun."""

from __future__ import annotations

COMMANDS = {
    "validate": (
        "pincite.cli.commands.data.validate",
        "check a file against its format and list all problems",
    ),
    "check": ("pincite.cli.commands.data.check", "check the quality of a dataset"),
    "convert": ("pincite.cli.commands.data.convert", "read one format and write another"),
    "stats": ("pincite.cli.commands.data.stats", "count what a dataset holds"),
    "fill": (
        "pincite.cli.commands.data.fill",
        "add documents, and locate gold citations by their words",
    ),
    "new": ("pincite.cli.commands.data.new", "start a dataset, from documents or from the sample"),
    "labels": ("pincite.cli.commands.data.labels", "turn human verdicts on findings into labels"),
}
