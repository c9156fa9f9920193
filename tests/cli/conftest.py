from __future__ import annotations

import os
from pathlib import Path

import pytest
from cli_run import MINUTES, REPORT, Runner


@pytest.fixture
def pincite(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    for name in list(os.environ):
        if name.startswith("PINCITE_") or name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PINCITE_JUDGE", "rules")  # these tests are about the command line, not about judging
    monkeypatch.chdir(tmp_path)
    runner = Runner(tmp_path, capsys, monkeypatch)
    runner.write("pincite.toml", "")
    runner.write("docs/report.txt", REPORT)
    runner.write("docs/minutes.txt", MINUTES)
    return runner
