"""The helpers of other rooms' tests, for examples that need a model's server or the command line."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

for room in ("judges", "cli"):
    folder = str(Path(__file__).parents[1] / room)
    if folder not in sys.path:
        sys.path.append(folder)

from cli_run import Runner  # noqa: E402


@pytest.fixture
def pincite(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    """The command line in an empty folder, with the rule judge and nothing of the person's own settings."""
    for name in list(os.environ):
        if name.startswith("PINCITE_") or name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PINCITE_JUDGE", "rules")
    monkeypatch.chdir(tmp_path)
    return Runner(tmp_path, capsys, monkeypatch)
