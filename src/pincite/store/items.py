"""The items of a run as rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from heapq import merge
from typing import Any, TypedDict

from sqlalchemy import Connection, Table, and_, or_, select
from sqlalchemy.exc import DBAPIError

from pincite.records import ItemResult
from pincite.store.database import Database
from pincite.store.packing import as_text, pack, unpack
from pincite.store.schema import ITEMS, VERDICTS

PAGE = 500
"""Items read in one go: no transaction stays open while somebody works on them."""


class ItemRow(TypedDict):
    """What is written of one item."""

    item: dict[str, Any]
    verdicts: list[dict[str, Any]]


def row_of(run: int, result: ItemResult) -> ItemRow:
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
        "wrong": len(result.failures),
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


def write(connection: Connection, rows: Sequence[ItemRow], again: bool = False) -> None:
    """Add the rows. `again` says that some may be there: a line was cut while they were written."""
    if again:
        keys = [row["item"]["key"] for row in rows]
        held = select(ITEMS.c.key).where(ITEMS.c.run == rows[0]["item"]["run"], ITEMS.c.key.in_(keys))
        there = {bytes(key) for key in connection.scalars(held)}
        rows = [row for row in rows if row["item"]["key"] not in there]
    add_rows(connection, ITEMS, [row["item"] for row in rows])
    add_rows(connection, VERDICTS, [verdict for row in rows for verdict in row["verdicts"]])


def key_hash(key: str) -> bytes:
    return blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def key_number(hashed: bytes) -> int:
    """Half of a hash: enough to know an item by, and a set of a million takes 70 MB."""
    return int.from_bytes(hashed[:8], "big")


def kept_keys(database: Database, run: int) -> set[int]:
    """The numbers of all kept items, read page by page."""
    keys: set[int] = set()
    after = b""
    while found := database.read(_keys_after, run, after):
        keys.update(map(key_number, found))
        after = found[-1]
    return keys


def _keys_after(connection: Connection, run: int, after: bytes) -> list[bytes]:
    # By key, since the index that keeps keys unique has them in this order.
    wanted = select(ITEMS.c.key).where(ITEMS.c.run == run, ITEMS.c.key > after)
    return [bytes(key) for key in connection.scalars(wanted.order_by(ITEMS.c.key).limit(PAGE * 20))]


def read(database: Database, run: int) -> Iterator[ItemResult]:
    """The items by position, a page at a time."""
    rows = database.read(_items_after, run, None)
    while rows:
        for _, _, body in rows:
            yield unpack(body, ItemResult)
        rows = database.read(_items_after, run, rows[-1]) if len(rows) == PAGE else []


def _items_after(connection: Connection, run: int, last: Any | None) -> list[Any]:
    wanted = select(ITEMS.c.position, ITEMS.c.number, ITEMS.c.body).where(ITEMS.c.run == run)
    if last is not None:
        later = and_(ITEMS.c.position == last.position, ITEMS.c.number > last.number)
        wanted = wanted.where(ITEMS.c.position >= last.position, or_(ITEMS.c.position > last.position, later))
    return list(connection.execute(wanted.order_by(ITEMS.c.position, ITEMS.c.number).limit(PAGE)))


def merged(stored: Iterator[ItemResult], waiting: Sequence[ItemRow]) -> Iterator[ItemResult]:
    """The stored items and those that could not be written, by position."""
    unwritten = (unpack(row["item"]["body"], ItemResult) for row in waiting)
    last = None
    for item in merge(stored, unwritten, key=lambda item: item.position):
        if item.key != last:  # a line that was cut may have written it after all
            yield item
        last = item.key


def add_rows(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Add rows that all have the same columns, in the way that each database takes them fastest."""
    if not rows:
        return
    names = list(rows[0])
    columns = ", ".join(table.columns[name].name for name in names)
    values = [tuple(row[name] for name in names) for row in rows]
    if connection.dialect.name == "postgresql":
        _copy(connection, f"COPY {table.name} ({columns}) FROM STDIN", values)
    else:
        # Only names of our own tables are in the statement.
        places = ", ".join("?" * len(names))
        connection.exec_driver_sql(f"INSERT INTO {table.name} ({columns}) VALUES ({places})", values)  # noqa: S608


def _copy(connection: Connection, statement: str, values: Sequence[tuple[Any, ...]]) -> None:
    import psycopg

    cursor: Any = connection.connection.cursor()
    try:
        with cursor, cursor.copy(statement) as stream:
            for row in values:
                stream.write_row(row)
    except psycopg.Error as error:
        # As SQLAlchemy gives the errors of everything else.
        raise DBAPIError("COPY", None, error, hide_parameters=True) from None
