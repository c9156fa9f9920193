"""`pincite data …`: datasets, checked, converted and begun."""

from __future__ import annotations

COMMANDS = {
    "validate": ("pincite.cli.data_validate", "check a file against its format, all problems at once"),
    "check": ("pincite.cli.data_check", "check the quality of a dataset"),
    "convert": ("pincite.cli.data_convert", "read one format and write another"),
    "stats": ("pincite.cli.data_stats", "count what a dataset holds"),
    "fill": ("pincite.cli.data_fill", "add documents, and the places of gold citations by their words"),
    "new": ("pincite.cli.data_new", "begin a dataset, from documents or from the sample"),
    "labels": ("pincite.cli.data_labels", "turn people's verdicts on findings into labels"),
}
