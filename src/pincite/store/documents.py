"""Small documents that other parts keep in the history, by kind and key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from pincite.errors import InputError
from pincite.store.database import keep_others_out
from pincite.store.packing import MOST_CHARACTERS, as_text, pack, unpack
from pincite.store.schema import DOCUMENTS


def put(connection: Connection, kind: str, key: str, value: dict[str, Any]) -> None:
    if len(key) > MOST_CHARACTERS:
        raise InputError(f"a name has at most {MOST_CHARACTERS} characters, not {len(key):,}")
    at = {"kind": as_text(kind), "key": as_text(key)}
    body = pack(value)
    insert: Any = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert
    added = insert(DOCUMENTS).values(**at, body=body)
    connection.execute(added.on_conflict_do_update(index_elements=["kind", "key"], set_={"body": body}))


def get(connection: Connection, kind: str, key: str) -> dict[str, Any] | None:
    at = (DOCUMENTS.c.kind == as_text(kind), DOCUMENTS.c.key == as_text(key))
    body = connection.scalar(select(DOCUMENTS.c.body).where(*at))
    return None if body is None else unpack(body, dict[str, Any])


def remove(connection: Connection, kind: str, key: str) -> None:
    at = (DOCUMENTS.c.kind == as_text(kind), DOCUMENTS.c.key == as_text(key))
    connection.execute(delete(DOCUMENTS).where(*at))


def keys(connection: Connection, kind: str) -> list[str]:
    kept = select(DOCUMENTS.c.key).where(DOCUMENTS.c.kind == as_text(kind)).order_by(DOCUMENTS.c.key)
    return list(connection.scalars(kept))


def update(
    connection: Connection, kind: str, key: str, function: Callable[[dict[str, Any] | None], dict[str, Any]]
) -> dict[str, Any]:
    keep_others_out(connection, f"document {kind} {key}")
    value = function(get(connection, kind, key))
    put(connection, kind, key, value)
    return value
