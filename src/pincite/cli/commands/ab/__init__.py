"""`pincite ab …`: A/B tests with a sample size that fits and a stop that is valid at any time."""

from __future__ import annotations

COMMANDS = {
    "plan": (
        "pincite.cli.commands.ab.plan",
        "estimate the queries needed, and start a test",
    ),
    "add": ("pincite.cli.commands.ab.add", "add paired results to a test"),
    "status": ("pincite.cli.commands.ab.status", "show a test's result so far"),
}
