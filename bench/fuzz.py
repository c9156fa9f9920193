"""Fuzzing of everything that reads what others wrote: inputs a second, crashes and hangs.

A short run of what `make fuzz` does for an hour. It is not guided by coverage, which takes long to set up.
`python -m bench.fuzzing --help` has its options.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.figures import Figure
from bench.fuzzing.runner import fuzz

INPUTS = 50_000
SEED = "7"


def run(data: Path | None) -> Iterator[Figure]:
    """Every target for a bounded number of inputs."""
    crashes = hangs = 0
    with tempfile.TemporaryDirectory(prefix="pincite-fuzz-") as folder:
        for done in fuzz(INPUTS, SEED, Path(folder), guided=False):
            crashes += done.count("crash")
            hangs += done.count("hang")
            said = "; ".join(failure.where for failure in done.failures.values())
            rate = done.inputs / done.seconds if done.seconds else 0.0
            yield Figure(f"fuzz {done.name}", rate, "/s", note=said or f"{done.inputs:,} inputs")
    yield Figure("fuzzing, inputs that crashed", crashes, "", 0, at_most=True)
    yield Figure("fuzzing, inputs that hung", hangs, "", 0, at_most=True)
