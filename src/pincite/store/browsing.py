"""Runs and items a page at a time: searched, filtered and sorted by the database.

A page is continued after the last row that was shown, not at a number of rows: a run that begins meanwhile
moves nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Select, and_, func, or_, select

from pincite.errors import InputError
from pincite.records import ItemResult, Run
from pincite.store.database import now
from pincite.store.leases import is_alive
from pincite.store.lookup import OF_A_RUN, counted, number_of
from pincite.store.packing import as_text, unpack
from pincite.store.schema import HAS_ALERTS, HAS_FAILED, HAS_WRONG, ITEMS, RUN_NOTES, RUN_TAGS, RUNS, SCORES

MOST_ON_A_PAGE = 500
Which = Literal["all", "wrong", "failed"]
"""Of the items of a run: all, those with something wrong (the worst first), those without an answer."""


class RunFilter(Struct, frozen=True, kw_only=True):
    """Which runs are wanted; None and empty texts ask for nothing."""

    text: str = ""
    """In the id, the name, the dataset, the system, the judge, a tag or the note."""
    dataset: str | None = None
    status: str | None = None
    tag: str | None = None
    judge: str | None = None
    since: float | None = None
    """Seconds since 1970, UTC."""
    until: float | None = None
    alerted: bool = False
    """Only those with alerts."""


class RunOrder(Struct, frozen=True, kw_only=True):
    """How runs are sorted: by a column, or by the value of the metric that is shown."""

    by: Literal["started", "name", "dataset", "status", "seconds", "metric"] = "started"
    descending: bool = True


class ListedRun(Struct, frozen=True):
    """A run of a list, with what people wrote about it."""

    run: Run
    tags: tuple[str, ...]
    note: str
    value: float | None = None
    """Of the metric that was asked for."""
    interval: tuple[float, float] | None = None


class RunSlice(Struct, frozen=True):
    """One page of a list of runs."""

    runs: list[ListedRun]
    total: int
    """How many runs fit, on all pages."""
    before: str | None
    """The run before which the page ahead of this one ends; None on the first page."""
    after: str | None
    """The run after which the next page begins; None on the last page."""


def browse_runs(
    connection: Connection,
    wanted: RunFilter,
    order: RunOrder,
    metric: str | None,
    after: str | None,
    before: str | None,
    limit: int,
) -> RunSlice:
    conditions = list(_conditions(connection, wanted))
    column = _column(order)
    backwards = before is not None
    mark = before if backwards else after
    found: Select[Any] = select(
        *OF_A_RUN, RUNS.c.run_id, RUN_NOTES.c.note, SCORES.c.value, SCORES.c.low, SCORES.c.high
    )
    found = found.outerjoin(RUN_NOTES, RUN_NOTES.c.run == RUNS.c.number).outerjoin(SCORES, _value_of(metric))
    down = order.descending != backwards
    here = [*conditions, *([] if mark is None else [_beyond(connection, column, metric, mark, down)])]
    ordered = (column.desc(), RUNS.c.number.desc()) if down else (column, RUNS.c.number)
    read = connection.execute(found.where(*here).order_by(*ordered).limit(limit + 1)).all()
    rows, has_before, has_after = _turned(read, limit, mark, backwards)
    tags = _tags_of(connection, [row.number for row in rows])
    runs = [
        ListedRun(
            counted(connection, row),
            tags.get(row.number, ()),
            row.note or "",
            row.value,
            None if row.low is None or row.high is None else (row.low, row.high),
        )
        for row in rows
    ]
    total = connection.scalar(
        select(func.count())
        .select_from(RUNS.outerjoin(RUN_NOTES, RUN_NOTES.c.run == RUNS.c.number))
        .where(*conditions)
    )
    return RunSlice(
        runs,
        total or 0,
        rows[0].run_id if rows and has_before else None,
        rows[-1].run_id if rows and has_after else None,
    )


def _turned(
    read: Sequence[Any], limit: int, mark: str | None, backwards: bool
) -> tuple[Sequence[Any], bool, bool]:
    """The rows of a page in their order, and whether there are pages before and after it.

    One row more than the page has was asked for, to see that there are more.
    """
    more, rows = len(read) > limit, read[:limit]
    return (rows[::-1], more, mark is not None) if backwards else (rows, mark is not None, more)


def _value_of(metric: str | None) -> ColumnElement[bool]:
    return and_(SCORES.c.run == RUNS.c.number, SCORES.c.metric == as_text(metric or ""))


def _column(order: RunOrder) -> ColumnElement[Any]:
    # A run without a value goes below all that have one; no figure comes near this.
    columns: dict[str, ColumnElement[Any]] = {
        "started": RUNS.c.started,
        "name": func.coalesce(RUNS.c.name, ""),
        "dataset": RUNS.c.dataset_id,
        "status": RUNS.c.status,
        "seconds": RUNS.c.seconds,
        "metric": func.coalesce(SCORES.c.value, -1e300),
    }
    return columns[order.by]


def _beyond(
    connection: Connection, column: ColumnElement[Any], metric: str | None, mark: str, down: bool
) -> ColumnElement[bool]:
    """What comes after the run that a page ended with."""
    of_mark = select(RUNS.c.number, column.label("at")).outerjoin(SCORES, _value_of(metric))
    row = connection.execute(of_mark.where(RUNS.c.run_id == as_text(mark))).first()
    if row is None:
        raise InputError(f"the run {mark!r:.100}, which the page would continue from, is not in the history")
    beyond = operator.lt if down else operator.gt
    return or_(beyond(column, row.at), and_(column == row.at, beyond(RUNS.c.number, row.number)))


def _conditions(connection: Connection, wanted: RunFilter) -> Iterable[ColumnElement[bool]]:
    if wanted.text:
        text = as_text(wanted.text) or ""
        tagged = select(RUN_TAGS.c.run).where(RUN_TAGS.c.tag.icontains(text, autoescape=True))
        of_run = (RUNS.c.run_id, RUNS.c.name, RUNS.c.dataset_id, RUNS.c.system, RUNS.c.judge)
        searched = (column.icontains(text, autoescape=True) for column in (*of_run, RUN_NOTES.c.note))
        yield or_(*searched, RUNS.c.number.in_(tagged))
    for column, value in ((RUNS.c.dataset_id, wanted.dataset), (RUNS.c.judge, wanted.judge)):
        if value:
            yield column == as_text(value)
    if wanted.tag:
        yield RUNS.c.number.in_(select(RUN_TAGS.c.run).where(RUN_TAGS.c.tag == as_text(wanted.tag)))
    if wanted.since is not None:
        yield RUNS.c.started >= wanted.since
    if wanted.until is not None:
        yield RUNS.c.started < wanted.until
    if wanted.alerted:
        yield HAS_ALERTS
    if wanted.status in ("running", "interrupted"):
        going = _going(connection)
        alive = RUNS.c.number.in_(going)
        dead = and_(RUNS.c.status == "running", RUNS.c.number.not_in(going))
        yield alive if wanted.status == "running" else or_(RUNS.c.status == "interrupted", dead)
    elif wanted.status:
        yield RUNS.c.status == as_text(wanted.status)


def _going(connection: Connection) -> list[int]:
    """Runs that somebody works on now: one whose process is gone still says that it is running."""
    moment = now(connection)
    said = select(RUNS.c.number, RUNS.c.owner, RUNS.c.heartbeat).where(RUNS.c.status == "running")
    return [row.number for row in connection.execute(said) if is_alive(row.owner, moment - row.heartbeat)]


def _tags_of(connection: Connection, numbers: Sequence[int]) -> dict[int, tuple[str, ...]]:
    found: dict[int, list[str]] = {}
    wanted = (
        select(RUN_TAGS.c.run, RUN_TAGS.c.tag).where(RUN_TAGS.c.run.in_(numbers)).order_by(RUN_TAGS.c.tag)
    )
    for row in connection.execute(wanted):
        found.setdefault(row.run, []).append(row.tag)
    return {run: tuple(tags) for run, tags in found.items()}


# --- the items of a run ----------------------------------------------------------------------------


class ItemPage(Struct, frozen=True):
    """One page of a run's items."""

    items: list[ItemResult]
    total: int
    """How many there are, on all pages."""
    before: str | None
    after: str | None
    """Where the neighbouring pages begin, as `browse_items` takes it."""


def browse_items(
    connection: Connection, run_id: str, which: Which, after: str | None, before: str | None, limit: int
) -> ItemPage:
    conditions: list[ColumnElement[bool]] = [ITEMS.c.run == number_of(connection, run_id)]
    if which != "all":
        conditions.append(HAS_WRONG if which == "wrong" else HAS_FAILED)
    backwards = before is not None
    mark = before if backwards else after
    here = [*conditions, *([] if mark is None else [_past(which, mark, backwards)])]
    worst = [ITEMS.c.wrong if backwards else ITEMS.c.wrong.desc()] if which == "wrong" else []
    in_order = (ITEMS.c.position, ITEMS.c.number)
    ordered = [*worst, *((column.desc() for column in in_order) if backwards else in_order)]
    found = select(ITEMS.c.position, ITEMS.c.number, ITEMS.c.wrong, ITEMS.c.body).where(*here)
    read = connection.execute(found.order_by(*ordered).limit(limit + 1)).all()
    rows, has_before, has_after = _turned(read, limit, mark, backwards)
    total = connection.scalar(select(func.count()).select_from(ITEMS).where(*conditions)) or 0
    marks = [f"{row.wrong}.{row.position}.{row.number}" for row in (*rows[:1], *rows[-1:])]
    return ItemPage(
        [unpack(row.body, ItemResult) for row in rows],
        total,
        marks[0] if rows and has_before else None,
        marks[-1] if rows and has_after else None,
    )


def _past(which: Which, mark: str, backwards: bool) -> ColumnElement[bool]:
    numbers = mark.split(".")
    if len(numbers) != 3 or not all(one.isascii() and one.isdecimal() and len(one) < 19 for one in numbers):
        raise InputError(f"a page of queries cannot begin at {mark!r:.60}")
    wrong, position, number = map(int, numbers)
    beyond, other = (operator.lt, operator.gt) if backwards else (operator.gt, operator.lt)
    here = ITEMS.c.position == position
    past = or_(beyond(ITEMS.c.position, position), and_(here, beyond(ITEMS.c.number, number)))
    if which == "wrong":  # the worst come first
        return or_(other(ITEMS.c.wrong, wrong), and_(ITEMS.c.wrong == wrong, past))
    # The first part says nothing new, but an index answers it.
    return and_(ITEMS.c.position <= position if backwards else ITEMS.c.position >= position, past)


def item_at(connection: Connection, run: int, position: int) -> ItemResult | None:
    """The item at a place of the dataset."""
    wanted = select(ITEMS.c.body).where(ITEMS.c.run == run, ITEMS.c.position == position)
    body = connection.scalar(wanted.order_by(ITEMS.c.number).limit(1))
    return None if body is None else unpack(body, ItemResult)


def neighbours(connection: Connection, run: int, position: int) -> tuple[int | None, int | None]:
    """The places before and after, where there is an item."""
    of_run = ITEMS.c.run == run
    before = select(func.max(ITEMS.c.position)).where(of_run, ITEMS.c.position < position)
    after = select(func.min(ITEMS.c.position)).where(of_run, ITEMS.c.position > position)
    return connection.scalar(before), connection.scalar(after)


def position_of(connection: Connection, run_id: str, query_id: str) -> int | None:
    """Where a query is, by its id."""
    run = number_of(connection, run_id)
    wanted = select(ITEMS.c.position).where(ITEMS.c.run == run, ITEMS.c.query_id == as_text(query_id))
    return connection.scalar(wanted.order_by(ITEMS.c.position).limit(1))


# --- what runs have in common ----------------------------------------------------------------------


class Mentioned(Struct, frozen=True):
    """A dataset or a judge that runs name."""

    name: str
    runs: int
    latest: str
    """The id of the newest run."""
    started: float


def mentioned(connection: Connection, what: Literal["dataset", "judge"]) -> list[Mentioned]:
    """All datasets or judges, the most recently used first."""
    column = RUNS.c.dataset_id if what == "dataset" else RUNS.c.judge
    grouped = (
        select(column.label("name"), func.count().label("runs"), func.max(RUNS.c.number).label("latest"))
        .where(column != "")
        .group_by(column)
        .subquery()
    )
    found = select(grouped.c.name, grouped.c.runs, RUNS.c.run_id, RUNS.c.started).join(
        RUNS, RUNS.c.number == grouped.c.latest
    )
    rows = connection.execute(found.order_by(RUNS.c.started.desc(), grouped.c.name)).all()
    return [Mentioned(row.name, row.runs, row.run_id, row.started) for row in rows]
