"""Large datasets and files of recorded answers: time, and the memory of a process that does nothing else.

An evaluation's memory is that of all its processes together.

A tenth of the full size by default; `PINCITE_BENCH_FULL=1` takes 1 GB and 1,000,000 queries.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench._large_dataset import write_answers, write_dataset
from bench.figures import Figure

BAR_MEGABYTES = 500
QUERIES = 1_000_000
PADDING = 650
"""Characters that make a million queries and their documents about a gigabyte."""


def run(data: Path | None = None) -> Iterator[Figure]:
    queries = QUERIES if os.environ.get("PINCITE_BENCH_FULL") else QUERIES // 10
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as folder:
        dataset, answers = Path(folder) / "large.eval.json", Path(folder) / "answers.jsonl"
        write_dataset(dataset, queries, PADDING)
        write_answers(answers, queries)
        size = dataset.stat().st_size / 1e6
        note = f"{size:,.0f} MB, {queries:,} queries"
        for work, what, file in (
            ("validate", "validate a dataset", dataset),
            ("read", "open it and go through its queries", dataset),
            ("answers", "index recorded answers, look up every 100th", answers),
            ("evaluate", "evaluate it with three metrics and the rule judge", dataset),
        ):
            seconds, megabytes, counted = measure(work, file)
            assert counted == (0 if work == "validate" else queries)
            yield Figure(f"{what}, seconds", seconds, " s", note=note)
            yield Figure(f"{what}, most memory", megabytes, " MB", BAR_MEGABYTES, at_most=True)


def measure(work: str, file: Path) -> tuple[float, float, int]:
    """Seconds, megabytes and count of a process that does this work alone."""
    command = [sys.executable, "-m", "bench._large_dataset", work, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, megabytes, counted = json.loads(done.stdout)
    return seconds, megabytes, counted
