"""`pincite judge score|calibrate`: use a judge on rows of your own, and find out how far to trust it."""

from __future__ import annotations

COMMANDS = {
    "score": ("pincite.cli.commands.judge.score", "judge rows of claims and their evidence"),
    "calibrate": (
        "pincite.cli.commands.judge.calibrate",
        "compare a judge with human labels, and calibrate it",
    ),
}
