"""The history of runs that a command line names, and the runs in it or in files of results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.cli.options import HistoryOptions, load_settings, read_age
from pincite.errors import InputError
from pincite.records import SCHEMA_VERSION, ItemResult, ResultsDocument, Run
from pincite.reports import JSON_ESCAPE, pick

if TYPE_CHECKING:
    from datetime import datetime

    from pincite.config import Settings
    from pincite.store import Store

NO_STORE = "none"
STDOUT = "-"


class RunHistory:
    """A history, opened when something is looked for in it. Only to `write` is a new one begun."""

    def __init__(self, settings: Settings, stack: ExitStack, *, write: bool = False) -> None:
        self.settings = settings
        self._stack = stack
        self._write = write
        self._store: Store | None = None

    @property
    def begun(self) -> bool:
        """Whether there is a history to look into; a server is asked only when it is opened."""
        from pincite.store import read_address

        if self.settings.store.url == NO_STORE:
            raise InputError("there is no history in `none`: give the place of one with --store")
        address = read_address(self.settings.store.url)
        return address.kind != "sqlite" or address.file.exists()

    @property
    def store(self) -> Store:
        if self._store is None:
            from pincite.store import open_store

            if not self.begun and not self._write:
                raise InputError(self.nothing_yet())
            place = self.settings.store
            opened = open_store(place.url, statement_seconds=place.statement_seconds)
            self._store = self._stack.enter_context(opened)
        return self._store

    def nothing_yet(self) -> str:
        """What to do about an empty history."""
        from pincite.store import read_address

        address = read_address(self.settings.store.url)
        return f"there are no runs in {address} yet; `pincite eval DATASET --answers FILE` makes one"

    def find(self, reference: str) -> Run:
        """A run by its place in the history, or by a file of its results."""
        from pincite.runs import is_results_file, read_results

        return read_results(Path(reference)) if is_results_file(reference) else self.store.find(reference)


@contextmanager
def open_history(options: HistoryOptions, *, write: bool = False) -> Iterator[RunHistory]:
    with ExitStack() as stack:
        yield RunHistory(load_settings(options), stack, write=write)


def since(age: str | None) -> datetime | None:
    """The moment that long ago."""
    from datetime import UTC, datetime, timedelta

    days = read_age(age, "--since")
    if days is None:
        return None
    try:
        return datetime.now(UTC) - timedelta(days=days)
    except OverflowError:  # before the calendar begins, so before everything
        return None


def moment(written: str) -> str:
    """`2026-03-05T10:00:00Z` for a person, to the minute; the time is UTC."""
    return written[:16].replace("T", " ")


def document_of(run: Run) -> dict[str, Any]:
    """The results document of a run; of one that was cut off, as much as is known of it."""
    from pincite.runs import plain_document

    if run.document.evaluation_id:
        return plain_document(run.document)
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": run.run_id,
        **pick(run, "name", "status"),
        "timestamp": run.started_at,
        **pick(run, "system_version", "dataset_id", "dataset_version"),
        "summary": {"total_queries": run.total},
    }


def print_results(document: ResultsDocument | dict[str, Any], items: Iterator[ItemResult], form: str) -> None:
    """Print what a file of this form would hold. It is made as a file first: whole, or an error before it."""
    from tempfile import TemporaryDirectory

    from pincite.base import gone_at_end
    from pincite.cli.output import emit
    from pincite.runs import write_results
    from pincite.text import escape_commands

    with TemporaryDirectory(prefix="pincite-results-") as folder, gone_at_end(Path(folder)):
        path = Path(folder) / f"run.results.{form}"
        write_results(document, items, path)
        with path.open(encoding="utf-8", newline="") as file:
            for line in file:
                # Of the other forms the writers see to it: only JSON can be escaped anywhere in its text.
                if not emit(escape_commands(line, JSON_ESCAPE) if form == "json" else line):
                    return
