"""Lets these tests share helpers that stand beside them, and the examples of the specification."""

from __future__ import annotations

import sys
from pathlib import Path

for folder in (Path(__file__).parent, Path(__file__).parents[1] / "specification"):
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
