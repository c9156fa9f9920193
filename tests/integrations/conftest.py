"""Skips the tests of a framework that is not installed: `make test-integrations` runs them where it is."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from frameworks import missing

HERE = Path(__file__).parent


class Left(pytest.File):
    """A file of tests that cannot even be imported here."""

    reason: str

    def collect(self) -> Iterable[pytest.Item]:
        pytest.skip(self.reason)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> Left | None:
    """A folder's name, not an import, says which framework it needs: the folder itself could be imported."""
    inside = module_path.relative_to(HERE).parts
    reason = missing(inside[0]) if len(inside) > 1 else None
    if reason is None:
        return None
    left = Left.from_parent(parent, path=module_path)
    left.reason = reason
    return left
