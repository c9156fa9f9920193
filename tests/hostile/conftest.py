"""The hostile texts are shared with the bench, which lives beside the tests."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = str(Path(__file__).resolve().parents[2])
if ROOT not in sys.path:
    sys.path.append(ROOT)


@pytest.fixture(scope="module", autouse=True)
def judged_by_rules(rules_by_default: None) -> None:
    """These tests are about what a text may do to a check, not about judging."""
