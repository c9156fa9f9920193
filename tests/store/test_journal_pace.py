"""When the journal writes: many items together, few after a moment, and never only at the end."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from history_items import new_item, new_run

from pincite.store import Store, open_store
from pincite.store import journal as journals


def written(store: Store, run_id: str, expected: int, patience: float = 5.0) -> int:
    """How many items are in the database, as soon as it is as many as expected."""
    end = time.monotonic() + patience
    while (found := sum(1 for _ in store.items(run_id))) < expected and time.monotonic() < end:
        time.sleep(0.01)
    return found


def test_a_few_items_are_written_after_a_moment(tmp_path: Path) -> None:
    with open_store(tmp_path / "runs.sqlite") as store:
        run, journal = store.begin(new_run())
        for position in range(3):
            journal.append(new_item(position))
        assert written(store, run.run_id, 3) == 3
        journal.append(new_item(3))
        assert written(store, run.run_id, 4) == 4


def test_so_many_items_as_make_a_batch_are_written_without_lingering(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journals, "LINGER_SECONDS", 60.0)
    with open_store(tmp_path / "runs.sqlite") as store:
        run, journal = store.begin(new_run())
        for position in range(journals.BATCH - 1):
            journal.append(new_item(position))
        time.sleep(0.2)
        assert written(store, run.run_id, 0) == 0
        journal.append(new_item(journals.BATCH))
        assert written(store, run.run_id, journals.BATCH) == journals.BATCH
