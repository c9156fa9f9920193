"""The history that the bench fills is one that the store reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import history
from pincite.store import open_store


def test_a_run_of_the_filled_history_is_found_with_its_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "RUNS", 3)
    with open_store(tmp_path / "runs.sqlite") as store:
        history.fill_runs(store)
        assert store.find("latest~1").document.summary.total_queries == 500
