from __future__ import annotations

import sys
from pathlib import Path

# The server that misbehaves is the one that the judges' tests use.
sys.path.append(str(Path(__file__).parents[1] / "judges"))
