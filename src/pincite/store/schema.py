"""The tables of the history, one shape for SQLite and PostgreSQL.

Records are kept whole, packed, so that a new field changes no table; beside them are the columns to query by.
Names begin with `pincite_`, for a database that others use too.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy
from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    TypeDecorator,
    UniqueConstraint,
    literal_column,
)

from pincite.errors import StoreError

METADATA = MetaData()


class Text(TypeDecorator[str]):
    """Text that is text when it is read: SQLite keeps any value in any column of a damaged file."""

    impl = sqlalchemy.Text
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:
        return value if value is None or isinstance(value, str) else _refuse("text", value)


class Double(TypeDecorator[float]):
    """A number that is a number when it is read."""

    impl = sqlalchemy.Double
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> float | None:
        return value if value is None or isinstance(value, float | int) else _refuse("a number", value)


def _refuse(expected: str, value: object) -> Any:
    raise StoreError(
        f"a row of the history is damaged: expected {expected}, found {type(value).__name__}: "
        "restore a copy of the file, or move it away to start a new one"
    )


# SQLite counts up by itself only in a column of exactly this type.
_NUMBER = BigInteger().with_variant(Integer, "sqlite")


def _run() -> Column[int]:
    return Column("run", ForeignKey("pincite_runs.number", ondelete="CASCADE"), nullable=False)


VERSION = 1
SCHEMA = Table("pincite_schema", METADATA, Column("version", Integer, primary_key=True, autoincrement=False))
"""Which shape the tables have. Another one is refused, since a history is never changed into it."""

RUNS = Table(
    "pincite_runs",
    METADATA,
    Column("number", _NUMBER, primary_key=True, autoincrement=True),
    Column("run_id", Text, nullable=False, unique=True),
    Column("day", Text, nullable=False),
    Column("name", Text),
    Column("fingerprint", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("started", Double, nullable=False),
    Column("dataset_id", Text, nullable=False),
    Column("owner", Text),
    Column("heartbeat", Double, nullable=False),
    Column("head", LargeBinary, nullable=False),
    Column("document", LargeBinary),
    Column("seconds", Double, nullable=False),
    Column("judge", Text, nullable=False),
    Column("system", Text, nullable=False),
    Column("alerts", Integer, nullable=False),
    Index("pincite_runs_day", "day"),
    Index("pincite_runs_name", "name"),
    Index("pincite_runs_fingerprint", "fingerprint"),
    Index("pincite_runs_started", "started"),
    Index("pincite_runs_dataset", "dataset_id", "started"),
    sqlite_autoincrement=True,  # the number of a run that was removed is never given again
)

ITEMS = Table(
    "pincite_items",
    METADATA,
    Column("number", _NUMBER, primary_key=True, autoincrement=True),
    _run(),
    Column("key", LargeBinary, nullable=False),
    Column("position", _NUMBER, nullable=False),
    Column("query_id", Text, nullable=False),
    Column("failed", SmallInteger, nullable=False),
    Column("query_type", Text),
    Column("difficulty", Text),
    Column("latency_ms", Double),
    Column("body", LargeBinary, nullable=False),
    Column("wrong", Integer, nullable=False),
    UniqueConstraint("run", "key", name="pincite_items_key"),
    Index("pincite_items_position", "run", "position"),
)

HAS_FAILED = ITEMS.c.failed == literal_column("1")
"""With the number written out: only then does a database see that the index below answers it."""
FAILED_ITEMS = Index(
    "pincite_items_failed", ITEMS.c.run, sqlite_where=HAS_FAILED, postgresql_where=HAS_FAILED
)
"""So that the failures of a run are counted without reading all of its items."""

HAS_WRONG = ITEMS.c.wrong > literal_column("0")
WRONG_ITEMS = Index(
    "pincite_items_wrong",
    ITEMS.c.run,
    ITEMS.c.wrong,
    ITEMS.c.position,
    sqlite_where=HAS_WRONG,
    postgresql_where=HAS_WRONG,
)
"""So that the worst answers of a run are listed without reading all of its items."""

HAS_ALERTS = RUNS.c.alerts > literal_column("0")
ALERTED_RUNS = Index(
    "pincite_runs_alerts", RUNS.c.started, sqlite_where=HAS_ALERTS, postgresql_where=HAS_ALERTS
)

RUN_TAGS = Table(
    "pincite_run_tags",
    METADATA,
    Column("run", ForeignKey("pincite_runs.number", ondelete="CASCADE"), primary_key=True),
    Column("tag", Text, primary_key=True),
    Index("pincite_run_tags_tag", "tag", "run"),
)

RUN_NOTES = Table(
    "pincite_run_notes",
    METADATA,
    Column("run", ForeignKey("pincite_runs.number", ondelete="CASCADE"), primary_key=True),
    Column("note", Text, nullable=False),
)
"""What people wrote about a run; gone with it."""

VERDICTS = Table(
    "pincite_verdicts",
    METADATA,
    Column("number", _NUMBER, primary_key=True, autoincrement=True),
    _run(),
    Column("position", _NUMBER, nullable=False),
    Column("question", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("score", Double),
    Column("judge", Text, nullable=False),
    Column("document", Text),
    Index("pincite_verdicts_run", "run"),
)
"""What a judge said, for counting; claim and reason are in the item's body."""

SCORES = Table(
    "pincite_scores",
    METADATA,
    Column("run", ForeignKey("pincite_runs.number", ondelete="CASCADE"), primary_key=True),
    Column("metric", Text, primary_key=True),
    Column("value", Double),
    Column("low", Double),
    Column("high", Double),
    Column("n", _NUMBER, nullable=False),
    Column("not_scorable", _NUMBER, nullable=False),
    Column("unjudged", _NUMBER, nullable=False),
    Index("pincite_scores_metric", "metric", "run"),
)

DOCUMENTS = Table(
    "pincite_documents",
    METADATA,
    Column("kind", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("body", LargeBinary, nullable=False),
)
