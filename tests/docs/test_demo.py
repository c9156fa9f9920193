"""`make demo` runs both jobs on shipped data, and fails where they do not come out as planted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_demo_checks_an_answer_and_compares_two_systems(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "demo.py"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        env={**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert done.stdout.count("  better\n") == 4
    assert len(done.stdout.splitlines()) <= 48, "more than two screens"
    for name in ("answer.html", "comparison.html"):
        assert name in done.stdout.splitlines()[-1]
        assert (tmp_path / "build" / name).read_text(encoding="utf-8").startswith("<!doctype html>")
