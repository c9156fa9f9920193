"""Runs that a command line names: by their place in the history, or by a file of their results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pincite.errors import InputError

if TYPE_CHECKING:
    from pincite.config import Settings
    from pincite.records import ItemResult, Run
    from pincite.store.history import Store


class FoundRun(NamedTuple):
    """A run as a comparison needs it."""

    name: str
    """Its id, or what else there is to call it by."""
    title: str
    """The name that somebody gave it, if any."""
    conditions: Run
    """The run itself, for what else differs beside the system."""
    items: Iterator[ItemResult]


class NamedRuns:
    """Runs by reference. The history is opened when one is looked for there. Only to `write` is one begun."""

    def __init__(self, settings: Settings, stack: ExitStack, *, write: bool = False) -> None:
        self._url = settings.store.url
        self._stack = stack
        self._write = write
        self._store: Store | None = None

    def find(self, reference: str) -> FoundRun:
        from pincite.runs.results.items import is_results_file, read_results

        named = is_results_file(reference)
        found = read_results(Path(reference)) if named else self.store.find(reference)
        return FoundRun(found.run_id, found.name or "", found, found.items())

    @property
    def store(self) -> Store:
        if self._store is None:
            from pincite.cli.history import is_begun, no_runs_in
            from pincite.store import open_store

            if not is_begun(self._url) and not self._write:
                raise InputError(no_runs_in(self._url))
            self._store = self._stack.enter_context(open_store(self._url))
        return self._store
