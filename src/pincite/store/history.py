"""The history of runs: begin one, keep it, find it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import msgspec
from sqlalchemy import Connection, false, update

from pincite.errors import StoreError
from pincite.records import ItemResult, Run
from pincite.runs import leave_out
from pincite.store import browsing, documents, items, lifecycle, lookup, tags_and_notes, trends
from pincite.store.address import read_address
from pincite.store.browsing import ItemPage, Mentioned, RunFilter, RunOrder, RunSlice, Which
from pincite.store.database import PATIENCE_SECONDS, STATEMENT_SECONDS, Database, prepare
from pincite.store.journal import StoreJournal, open_journal
from pincite.store.leases import let_go, new_owner
from pincite.store.problems import explained
from pincite.store.schema import RUNS
from pincite.store.sqlite_file import refuse_place
from pincite.store.trends import TrendPoint

if TYPE_CHECKING:
    from pincite.config import Settings
    from pincite.runs import Comparison

LET_GO_SECONDS = 2.0
AGREEMENT = "judge_agreement"
"""The kind of the documents that say how well a judge agrees with people, by the name of the judge."""


class Store:
    """A history that is open. Several processes may write into it at once."""

    def __init__(self, url: str | Path, patience: float, statement_seconds: float) -> None:
        address = read_address(url)
        if address.kind == "sqlite":
            refuse_place(address)
            try:
                address.file.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise explained(error, address) from None
        self._database = Database(address, patience, statement_seconds)
        self._open: dict[str, tuple[int, str, StoreJournal]] = {}
        try:
            prepare(self._database)
        except BaseException:
            self._database.close()
            raise

    def __repr__(self) -> str:
        return f"Store({str(self._database.address)!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what waits, and let others resume the runs that were not finished.

        A journal that could not be written is reported once, here or before.
        """
        problem: StoreError | None = None
        for run_id, (_, _, journal) in list(self._open.items()):
            known = journal.failed
            try:
                self._let_go(run_id)
            except StoreError as met:
                problem = problem if known else met
        self._database.close()
        if problem is not None:
            raise problem

    def require_writable(self) -> None:
        """Raise `StorePlaceError` where the history can be read but not written."""
        unchanged = update(RUNS).where(false()).values(seconds=RUNS.c.seconds)
        self._database.write(lambda connection: connection.execute(unchanged), patience=0.0)

    # --- one run ---------------------------------------------------------------------------------

    def begin(self, run: Run, resume: bool = True) -> tuple[Run, StoreJournal]:
        """Begin a run, or resume an unfinished one of the same command that nobody works on.

        The same command has the same fingerprint and the same name.
        """
        owner = new_owner()
        try:
            number, begun = self._database.write(lifecycle.begin, run, owner, resume)
            journal = open_journal(self._database, number, owner, begun.seconds)
        except BaseException:
            let_go(owner)
            raise
        self._open[begun.run_id] = (number, owner, journal)
        return begun, journal

    def finish(self, run: Run) -> None:
        """Keep how the run came out. An `interrupted` one can be resumed."""
        if run.run_id in self._open:
            self._open[run.run_id][2].flush()
        self._database.write(lifecycle.finish, run)
        if run.run_id in self._open:
            self._let_go(run.run_id)

    def find(self, reference: str) -> Run:
        """`latest`, `latest~1`, an id, a unique beginning of one, or a name (its newest run)."""
        run = self._database.read(lookup.find, reference)
        return msgspec.structs.replace(run, items=lambda: self.items(run.run_id))

    def items(self, run_id: str) -> Iterator[ItemResult]:
        """The items of a run by their position in the dataset, read piece by piece."""
        number = self._database.read(lookup.number_of, run_id)
        return leave_out(lambda: items.read(self._database, number), self.find(run_id).unmeasured)()

    def verdicts(self, run_id: str) -> dict[str, dict[str, int]]:
        """How often the judge said what, by question and outcome."""
        return self._database.read(lookup.verdicts, run_id)

    # --- many runs -------------------------------------------------------------------------------

    def runs(
        self,
        dataset: str | None = None,
        metric: str | None = None,
        since: datetime | None = None,
        limit: int | None = None,
    ) -> list[Run]:
        """The runs, the newest first, without their documents."""
        return self._database.read(lookup.runs, dataset, metric, since, limit)

    def trend(
        self, metric: str, dataset: str | None = None, since: datetime | None = None, name: str | None = None
    ) -> list[TrendPoint]:
        """The metric in every finished run, or those of one name, the oldest first."""
        return self._database.read(trends.trend, metric, dataset, since, name)

    def metrics(self, dataset: str | None = None) -> list[str]:
        """The metrics that finished runs have, by name."""
        return self._database.read(trends.metrics, dataset)

    def compare(
        self, a: str, b: str, metrics: Sequence[str] | None = None, settings: Settings | None = None
    ) -> Comparison:
        """Whether run B is better than run A, each named as for `find`; notes say what else differs."""
        from pincite.runs import compare

        return compare(self.find(a), self.find(b), metrics, settings)

    # --- a page at a time ------------------------------------------------------------------------

    def browse(
        self,
        wanted: RunFilter | None = None,
        order: RunOrder | None = None,
        *,
        metric: str | None = None,
        after: str | None = None,
        before: str | None = None,
        limit: int = 50,
    ) -> RunSlice:
        """A page of runs, with their tags and notes, and the value of a metric where one is named.

        `after` and `before` are ids of runs, as the page beside this one gives them.
        """
        given = (wanted or RunFilter(), order or RunOrder(), metric, after, before)
        return self._database.read(browsing.browse_runs, *given, _page_size(limit))

    def browse_items(
        self,
        run: Run,
        *,
        which: Which = "all",
        after: str | None = None,
        before: str | None = None,
        limit: int = 50,
    ) -> ItemPage:
        """A page of a run's items, by their position in the dataset, or the worst first."""
        given = (run.run_id, which, after, before, _page_size(limit))
        page = self._database.read(browsing.browse_items, *given)
        measured = list(leave_out(lambda: iter(page.items), run.unmeasured)())
        return msgspec.structs.replace(page, items=measured)

    def item(self, run: Run, position: int) -> tuple[ItemResult, int | None, int | None] | None:
        """The item at a position of the dataset, with the positions before and after it."""

        def read(connection: Connection) -> tuple[ItemResult, int | None, int | None] | None:
            number = lookup.number_of(connection, run.run_id)
            found = browsing.item_at(connection, number, position)
            if found is None:
                return None
            measured = next(leave_out(lambda: iter((found,)), run.unmeasured)())
            return measured, *browsing.neighbours(connection, number, position)

        return self._database.read(read)

    def position_of(self, run_id: str, query_id: str) -> int | None:
        """Where a query of a run is, by its id."""
        return self._database.read(browsing.position_of, run_id, query_id)

    def mentioned(self, what: Literal["dataset", "judge"]) -> list[Mentioned]:
        """The datasets or judges of all runs, the most recently used first."""
        return self._database.read(browsing.mentioned, what)

    def remarks(self, run_id: str) -> tuple[tuple[str, ...], str]:
        """The tags and the note of a run."""
        return self._database.read(tags_and_notes.remarks, run_id)

    def remark(self, run_id: str, tags: Iterable[str] | None = None, note: str | None = None) -> None:
        """Replace the tags of a run, its note, or both."""
        read_tags = None if tags is None else tags_and_notes.read_tags(tags)
        read_note = None if note is None else tags_and_notes.read_note(note)
        self._database.write(tags_and_notes.write_remarks, run_id, read_tags, read_note)

    def tags(self) -> list[str]:
        """Every tag that a run has."""
        return self._database.read(tags_and_notes.all_tags)

    def old_runs(self, older_than_days: float, keep: Sequence[str] = ()) -> list[Run]:
        """What `prune` would remove, the oldest first."""
        return [old.run for old in self._database.read(lifecycle.old_runs, older_than_days, keep)]

    def prune(self, older_than_days: float, keep: Sequence[str] = ()) -> int:
        """Remove runs older than that, and say how many went.

        Those that `keep` names stay (a name keeps every run of it), as do those that are being worked on.
        """
        old = self._database.read(lifecycle.old_runs, older_than_days, keep)
        return lifecycle.remove(self._database, old)

    # --- documents of others ---------------------------------------------------------------------

    def put(self, kind: str, key: str, value: dict[str, Any]) -> None:
        """Keep a document, in the place of one with the same kind and key."""
        self._database.write(documents.put, kind, key, value)

    def get(self, kind: str, key: str) -> dict[str, Any] | None:
        return self._database.read(documents.get, kind, key)

    def remove(self, kind: str, key: str) -> None:
        """Remove a document, if it is there."""
        self._database.write(documents.remove, kind, key)

    def keys(self, kind: str) -> list[str]:
        """What documents of a kind are kept under, by name."""
        return self._database.read(documents.keys, kind)

    def update(
        self, kind: str, key: str, function: Callable[[dict[str, Any] | None], dict[str, Any]]
    ) -> dict[str, Any]:
        """Change a document, so that nobody else changes it meanwhile; the function gets None for a new one.

        After a cut line it is not known whether the change was kept: the function may then be called again
        with its own result, and must notice.
        """
        return self._database.write(documents.update, kind, key, function)

    def _let_go(self, run_id: str) -> None:
        number, owner, journal = self._open.pop(run_id)
        try:
            journal.flush()
            # A process that is gone is noticed anyway, so there is no need to wait long for this.
            self._database.write(lifecycle.release_run, number, owner, patience=LET_GO_SECONDS)
        finally:
            journal.close()
            let_go(owner)


def _page_size(limit: int) -> int:
    return max(1, min(limit, browsing.MOST_ON_A_PAGE))


def open_store(
    url: str | Path, *, patience: float = PATIENCE_SECONDS, statement_seconds: float = STATEMENT_SECONDS
) -> Store:
    """The history at a path, `sqlite:///path` or `postgresql://user@host/name`; made where there is none yet.

    Raises `StoreError` where it can neither be opened nor made, with what to do about it.
    """
    return Store(url, patience, statement_seconds)
