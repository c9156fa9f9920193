"""What the harness asks of a place that keeps results. `store` implements it and is never imported here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from pincite.measured import ItemResult


class Journal(Protocol):
    """Keeps the items of one run as they come, so that a run that was killed goes on where it stopped."""

    def done(self, key: str) -> bool:
        """Whether an item with this key was kept before."""

    def append(self, result: ItemResult) -> None:
        """Keep one result. It may be written with others a moment later, but never after `flush`."""

    def flush(self) -> None:
        """Write what waits."""

    def results(self) -> Iterator[ItemResult]:
        """Every kept item, by its position in the dataset, read piece by piece."""


class MemoryJournal:
    """Keeps the items of a run in memory, for a run that leaves no history."""

    def __init__(self) -> None:
        self._kept: dict[str, ItemResult] = {}

    def done(self, key: str) -> bool:
        return key in self._kept

    def append(self, result: ItemResult) -> None:
        self._kept[result.key] = result

    def flush(self) -> None:
        """Nothing waits."""

    def results(self) -> Iterator[ItemResult]:
        yield from sorted(self._kept.values(), key=lambda result: result.position)
