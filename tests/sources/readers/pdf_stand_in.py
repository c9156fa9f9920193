"""A program in the place of the one that reads PDFs, which nobody can trust once a file has taken it over."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest


def stand_in(program: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every process that is started from now on runs `serve` of this program."""
    (folder / "stand_in.py").write_text(program, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    real = subprocess.Popen

    def start(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        return real([*command[:-1], "stand_in"], **options)

    monkeypatch.setattr(subprocess, "Popen", start)
