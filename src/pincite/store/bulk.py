"""Many rows at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.exc import DBAPIError


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
        # Only names of our own tables stand in the statement.
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
