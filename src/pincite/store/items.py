"""The items of a run as rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import merge
from typing import Any, TypedDict

from sqlalchemy import Connection, and_, func, or_, select

from pincite.records import ItemResult
from pincite.store.bulk import add_rows
from pincite.store.database import Database
from pincite.store.keys import KeySet, key_hash
from pincite.store.packing import as_text, pack, unpack
from pincite.store.schema import ITEMS, VERDICTS

PAGE = 500
"""Items read in one go: no transaction stays open while somebody works on them."""


class Row(TypedDict):
    """What is written of one item."""

    item: dict[str, Any]
    verdicts: list[dict[str, Any]]


def row_of(run: int, result: ItemResult) -> Row:
    item = {
        "run": run,
        "key": key_hash(result.key),
        "position": result.position,
        "query_id": as_text(result.query_id),
        "failed": int(result.failure is not None),
        "query_type": as_text(result.query_type),
        "difficulty": as_text(result.difficulty),
        "latency_ms": result.latency_ms,
        "body": pack(result),
    }
    return {"item": item, "verdicts": verdict_rows(run, result)}


def verdict_rows(run: int, result: ItemResult) -> list[dict[str, Any]]:
    return [
        {
            "run": run,
            "position": result.position,
            "question": verdict.question,
            "outcome": as_text(verdict.outcome),
            "score": verdict.score,
            "judge": as_text(verdict.judge),
            "document": as_text(verdict.documents[0]) if verdict.documents else None,
        }
        for verdict in result.verdicts
    ]


def write(connection: Connection, rows: Sequence[Row], again: bool = False) -> None:
    """Add the rows. `again` says that some may be there: a line was cut while they were written."""
    if again:
        keys = [row["item"]["key"] for row in rows]
        held = select(ITEMS.c.key).where(ITEMS.c.run == rows[0]["item"]["run"], ITEMS.c.key.in_(keys))
        there = {bytes(key) for key in connection.scalars(held)}
        rows = [row for row in rows if row["item"]["key"] not in there]
    add_rows(connection, ITEMS, [row["item"] for row in rows])
    add_rows(connection, VERDICTS, [verdict for row in rows for verdict in row["verdicts"]])


def kept_keys(database: Database, run: int) -> KeySet:
    """The hashes of all kept items, read page by page."""

    def count(connection: Connection) -> int:
        return connection.scalar(select(func.count()).select_from(ITEMS).where(ITEMS.c.run == run)) or 0

    keys = KeySet(database.read(count))
    after = b""
    while True:

        def page(connection: Connection, after: bytes = after) -> list[bytes]:
            # By key, since the index that keeps keys unique has them in this order.
            wanted = select(ITEMS.c.key).where(ITEMS.c.run == run, ITEMS.c.key > after)
            return list(connection.scalars(wanted.order_by(ITEMS.c.key).limit(PAGE * 20)))

        found = [bytes(key) for key in database.read(page)]
        for key in found:
            keys.add(key)
        if not found:
            return keys
        after = found[-1]


def read(database: Database, run: int) -> Iterator[ItemResult]:
    """The items by position, a page at a time."""
    last: tuple[int, int] | None = None
    while True:

        def page(connection: Connection, last: tuple[int, int] | None = last) -> list[Any]:
            wanted = select(ITEMS.c.position, ITEMS.c.number, ITEMS.c.body).where(ITEMS.c.run == run)
            if last is not None:
                position, number = last
                later = and_(ITEMS.c.position == position, ITEMS.c.number > number)
                wanted = wanted.where(ITEMS.c.position >= position, or_(ITEMS.c.position > position, later))
            return list(connection.execute(wanted.order_by(ITEMS.c.position, ITEMS.c.number).limit(PAGE)))

        rows = database.read(page)
        for _, _, body in rows:
            yield unpack(body, ItemResult)
        if len(rows) < PAGE:
            return
        last = (rows[-1][0], rows[-1][1])


def merged(stored: Iterator[ItemResult], waiting: Sequence[Row]) -> Iterator[ItemResult]:
    """The stored items and those that could not be written, by position."""
    unwritten = (unpack(row["item"]["body"], ItemResult) for row in waiting)
    last = None
    for item in merge(stored, unwritten, key=lambda item: item.position):
        if item.key != last:  # a line that was cut may have written it after all
            yield item
        last = item.key
