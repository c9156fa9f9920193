"""Lets these tests use the server of the judges' tests."""

from __future__ import annotations

import sys
from pathlib import Path

JUDGES = str(Path(__file__).parents[1] / "judges")

if JUDGES not in sys.path:
    sys.path.append(JUDGES)
