"""Run the command line inside the test's process, and files to run it on."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from pincite.cli import main

REPORT = (
    "Revenue grew by 21% in the first quarter. The company opened three offices in Spain. "
    "Staff stayed at 400.\n"
)
MINUTES = "The board met in March 2024 and approved the budget. It rejected the merger with Acme.\n"
WRONG = "Revenue grew by 12% in the first quarter [report.txt:0-41].\n"
RIGHT = "Revenue grew by 21% in the first quarter [report.txt:0-41].\n"
FIXABLE = "The company opened three offices in Spain [report.txt:0-41].\n"
FIXED = "The company opened three offices in Spain [report.txt:42-84].\n"


class Done(NamedTuple):
    code: int
    out: str
    err: str


class Runner:
    """Calls `pincite` with arguments, in a folder with two sources in `docs/`."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._capture = capture
        self._patch = patch

    def __call__(self, *arguments: str, stdin: bytes | None = None) -> Done:
        if stdin is not None:
            self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        self._capture.readouterr()
        code = main(arguments)
        out, err = self._capture.readouterr()
        return Done(code, out, err)

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path
