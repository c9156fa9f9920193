"""A history of an older Pincite is brought up to date; one of a newer is refused."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from history_items import finished, new_item, new_run
from msgspec import structs
from sqlalchemy import Connection, inspect, text

from pincite.errors import StoreError
from pincite.records import Alert
from pincite.store import RUNS, RunFilter, migrations, open_store, pack, read_address
from pincite.store.database import Database
from pincite.store.items import row_of
from pincite.store.migrations import MIGRATIONS, NEWEST, Migration
from pincite.store.schema import ITEMS, METADATA

VERSION_1 = """
CREATE TABLE pincite_schema_version (
    version INTEGER NOT NULL PRIMARY KEY, applied_at TEXT NOT NULL, change TEXT NOT NULL
);
CREATE TABLE pincite_runs (
    number {number}, run_id TEXT NOT NULL UNIQUE, day TEXT NOT NULL, name TEXT, fingerprint TEXT NOT NULL,
    status TEXT NOT NULL, started {double} NOT NULL, dataset_id TEXT NOT NULL, owner TEXT,
    heartbeat {double} NOT NULL, head {bytes} NOT NULL, document {bytes}
);
CREATE INDEX pincite_runs_day ON pincite_runs (day);
CREATE INDEX pincite_runs_name ON pincite_runs (name);
CREATE INDEX pincite_runs_fingerprint ON pincite_runs (fingerprint);
CREATE INDEX pincite_runs_started ON pincite_runs (started);
CREATE INDEX pincite_runs_dataset ON pincite_runs (dataset_id, started);
CREATE TABLE pincite_items (
    number {number}, run {integer} NOT NULL,
    key {bytes} NOT NULL, position {integer} NOT NULL, query_id TEXT NOT NULL, failed SMALLINT NOT NULL,
    query_type TEXT, difficulty TEXT, latency_ms {double}, body {bytes} NOT NULL,
    CONSTRAINT pincite_items_key UNIQUE (run, key),
    FOREIGN KEY (run) REFERENCES pincite_runs (number) ON DELETE CASCADE
);
CREATE INDEX pincite_items_position ON pincite_items (run, position);
CREATE TABLE pincite_scores (
    run {integer} NOT NULL, metric TEXT NOT NULL,
    value {double}, low {double}, high {double}, n {integer} NOT NULL, not_scorable {integer} NOT NULL,
    unjudged {integer} NOT NULL, PRIMARY KEY (run, metric),
    FOREIGN KEY (run) REFERENCES pincite_runs (number) ON DELETE CASCADE
);
CREATE INDEX pincite_scores_metric ON pincite_scores (metric, run);
CREATE TABLE pincite_documents (
    kind TEXT NOT NULL, key TEXT NOT NULL, body {bytes} NOT NULL, PRIMARY KEY (kind, key)
);
INSERT INTO pincite_schema_version VALUES (1, '2026-01-01T00:00:00Z', 'runs, items, scores and documents');
"""
TYPES = {
    "sqlite": {
        "number": "INTEGER NOT NULL PRIMARY KEY",
        "integer": "INTEGER",
        "double": "DOUBLE",
        "bytes": "BLOB",
    },
    "postgresql": {
        "number": "BIGSERIAL PRIMARY KEY",
        "integer": "BIGINT",
        "double": "DOUBLE PRECISION",
        "bytes": "BYTEA",
    },
}


DEPENDENT_FIRST = [table.name for table in reversed(METADATA.sorted_tables)]


def make_version_1(url: str) -> None:
    """A history as the first version wrote it, with a run of three items."""
    database = Database(read_address(url), 5)

    def make(connection: Connection) -> None:
        for statement in VERSION_1.format(**TYPES[connection.dialect.name]).split(";")[:-1]:
            connection.execute(text(statement))
        alert = Alert(kind="threshold", metric="m", value=0.1, message="too low")
        run = structs.replace(finished(new_run(run_id="eval_run_20260305_001")), judge="j 1", alerts=(alert,))
        connection.execute(
            RUNS.insert().values(
                number=7,
                run_id=run.run_id,
                day="20260305",
                fingerprint="f",
                status="finished",
                started=1.0,
                dataset_id="d",
                heartbeat=1.0,
                head=pack(run),
            )
        )
        rows = [row_of(7, new_item(place))["item"] for place in range(3)]
        for row in rows:
            del row["wrong"]  # which a later version added
        connection.execute(ITEMS.insert(), rows)

    database.write(make)
    database.close()


def shape(url: str) -> dict[str, Any]:
    database = Database(read_address(url), 5)

    def look(connection: Connection) -> dict[str, Any]:
        found = inspect(connection)
        return {
            table: (
                [
                    (column["name"], str(column["type"]), column["nullable"])
                    for column in found.get_columns(table)
                ],
                sorted((index["name"], index["column_names"]) for index in found.get_indexes(table)),
                [(key["referred_table"], key["options"]) for key in found.get_foreign_keys(table)],
                found.get_pk_constraint(table)["constrained_columns"],
            )
            for table in sorted(found.get_table_names())
        }

    try:
        return database.read(look)
    finally:
        database.close()


def test_an_old_history_is_brought_up_to_date_with_all_it_holds(url: str) -> None:
    make_version_1(url)
    with open_store(url) as store:
        assert [item.position for item in store.items("latest")] == [0, 1, 2]
        assert store.verdicts("latest") == {"support": {"supported": 3}}
        assert [one.name for one in store.mentioned("judge")] == ["j 1"]
        assert store.browse(RunFilter(alerted=True)).total == 1
        run, journal = store.begin(new_run())
        journal.append(new_item(0))
        store.finish(finished(run))
        assert run.run_id == "eval_run_20260305_002"
    with open_store(url) as store:  # and only once
        assert store.verdicts("eval_run_20260305_001") == {"support": {"supported": 3}}


def test_an_old_history_ends_up_in_the_shape_of_a_new_one(url: str) -> None:
    with open_store(url):
        pass
    new = shape(url)
    database = Database(read_address(url), 5)
    drop = "DROP TABLE {}" if database.is_sqlite else "DROP TABLE {} CASCADE"
    database.write(
        lambda connection: [connection.execute(text(drop.format(name))) for name in DEPENDENT_FIRST]
    )
    database.close()
    make_version_1(url)
    with open_store(url):
        pass
    assert shape(url) == new


def test_each_change_stands_in_the_history_of_the_schema(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with open_store(path):
        pass
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT version, change FROM pincite_schema_version").fetchall()
    connection.close()
    assert rows == [(migration.version, migration.change) for migration in MIGRATIONS]
    assert [version for version, _ in rows] == list(range(1, NEWEST + 1))


def test_a_change_that_fails_leaves_the_old_history_as_it_was(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_version_1(url)
    before = shape(url)

    def fail(connection: Connection) -> None:
        MIGRATIONS[1].apply(connection)
        raise StoreError("no room")

    monkeypatch.setattr(migrations, "MIGRATIONS", (MIGRATIONS[0], Migration(2, "fails", fail)))
    with pytest.raises(StoreError, match="no room"):
        open_store(url)
    assert shape(url) == before
    monkeypatch.undo()
    with open_store(url) as store:
        assert store.verdicts("latest") == {"support": {"supported": 3}}


def test_a_newer_history_is_refused_and_left_alone(url: str) -> None:
    with open_store(url):
        pass
    database = Database(read_address(url), 5)
    database.write(
        lambda connection: connection.execute(
            text("INSERT INTO pincite_schema_version VALUES (99, '2030-01-01', 'something')")
        )
    )
    database.close()
    with pytest.raises(StoreError, match=r"newer Pincite \(schema 99; .* upgrade Pincite"):
        open_store(url)


def test_the_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE customers (name TEXT)")
    connection.close()
    with pytest.raises(StoreError, match="a database of something else"):
        open_store(path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("customers",)]
    connection.close()
