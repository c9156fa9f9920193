"""What the cache does inside its one table: seal a reply, note its use, and make room."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite3 import Connection

KEPT_SHARE = 0.9
"""What a full cache is cut down to, so that not every reply has to push another one out."""


def seal(key: str, reply: str) -> str:
    """Tells a reply whose bytes were changed on the disk, which SQLite does not notice by itself."""
    return sha256(f"{key}\n{reply}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def trim(connection: Connection, most: int, expired_before: float) -> None:
    """Remove what is too old, then what was used longest ago, until the file is small enough."""
    if _bytes_in_use(connection) <= most:
        return
    connection.execute("DELETE FROM replies WHERE made < ?", (expired_before,))
    goal = int(most * KEPT_SHARE)
    while (excess := _bytes_in_use(connection) - goal) > 0:
        question = "SELECT id, length(reply) FROM replies ORDER BY used, id LIMIT 200"
        oldest = connection.execute(question).fetchall()
        if not oldest:
            return
        doomed = []
        for row, size in oldest:
            doomed.append((row,))
            excess -= size
            if excess <= 0:
                break
        connection.executemany("DELETE FROM replies WHERE id = ?", doomed)


def _bytes_in_use(connection: Connection) -> int:
    def value(name: str) -> int:
        return int(connection.execute(f"PRAGMA {name}").fetchone()[0])

    return (value("page_count") - value("freelist_count")) * value("page_size")


def apply_touches(connection: Connection, touched: Mapping[str, float]) -> None:
    rows = [(used, key) for key, used in touched.items()]
    connection.executemany("UPDATE replies SET used = max(used, ?) WHERE key = ?", rows)


def write_touches(connection: Connection, touched: dict[str, float]) -> None:
    """Losing them only makes the order of use less exact, so nothing here may cost a reply."""
    with suppress(Exception):
        connection.execute("BEGIN IMMEDIATE")
        apply_touches(connection, touched)
        connection.execute("COMMIT")
    if connection.in_transaction:
        with suppress(Exception):
            connection.rollback()
    touched.clear()
