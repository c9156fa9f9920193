"""Runs the scripts of the GitHub Action as a runner would."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
REPORT = "Revenue grew by 21% in the first quarter.\n"
WRONG = "Revenue grew by 12% in the first quarter [report.txt:0-41].\n"


def run_action(
    action: Any, workspace: Path, step: str = "check", more: dict[str, str] | None = None, **inputs: str
) -> subprocess.CompletedProcess[str]:
    """The script of one of the action's own steps, with its inputs as the runner would set them."""
    found = next(one for one in action["runs"]["steps"] if step in (one.get("id"), one.get("name")))
    defaults = {name: str(value.get("default", "")) for name, value in action["inputs"].items()}
    given = defaults | {name.replace("_", "-"): value for name, value in inputs.items()}
    variables = {}
    for variable, expression in found["env"].items():
        name = expression.removeprefix("${{ ").removesuffix(" }}")
        is_python = name == "steps.python.outputs.python-path"
        variables[variable] = sys.executable if is_python else given[name.removeprefix("inputs.")]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PINCITE_", "GITHUB_"))}
    (workspace / "temp").mkdir(exist_ok=True)
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", found["run"]],
        cwd=workspace,
        env={
            **kept,
            "GITHUB_OUTPUT": str(workspace / "output"),
            "GITHUB_STEP_SUMMARY": str(workspace / "summary"),
            "RUNNER_TEMP": str(workspace / "temp"),
            **variables,
            **(more or {}),
        },
        capture_output=True,
        text=True,
    )
