"""Rooms that compute with arrays cost no numpy until they compute."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from pincite.stats import betting
from pincite.judges import open_judge
judge = open_judge()
assert "numpy" not in sys.modules, "imported too early"
assert betting([0.5, 0.25]).rows == 2
assert "numpy" in sys.modules
"""


def test_numpy_is_imported_by_the_first_computation_and_not_before() -> None:
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
