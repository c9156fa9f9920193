"""What the tests of this room share."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module", autouse=True)
def judged_by_rules(rules_by_default: None) -> None:
    """These tests are about how findings are written, not about judging."""
