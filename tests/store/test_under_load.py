"""A history that many write at once and that grows large: nothing is lost, no question reads all of it."""

from __future__ import annotations

from typing import Any

import pytest
from postgres_server import PostgresServer
from sqlalchemy import event, text

from bench import postgres as load
from pincite.store import Store, open_store

LARGE = ("pincite_items", "pincite_verdicts", "pincite_scores")
IN_A_RUN = 40


@pytest.fixture(scope="module")
def loaded(postgres: PostgresServer) -> str:
    """A database that eight processes have written to at the same time."""
    url = postgres.new_database()
    open_store(url).close()
    list(load.measured(url, load.WRITERS * IN_A_RUN, IN_A_RUN))  # its figures are for a quiet machine
    return url


@pytest.mark.thorough
def test_eight_writers_at_once_lose_and_double_nothing(loaded: str) -> None:
    with open_store(loaded) as store:
        runs = store.runs()
        assert len({run.run_id for run in runs}) == load.WRITERS
        assert {run.status for run in runs} == {"finished"}
        for run in runs:
            assert [item.position for item in store.items(run.run_id)] == list(range(IN_A_RUN))
            assert store.verdicts(run.run_id) == {"support": {"supported": 5 * IN_A_RUN}}
        assert len(store.trend(load.METRIC)) == load.WRITERS


def asked(store: Store, work: Any) -> list[tuple[str, Any]]:
    """The statements that a question takes."""
    seen: list[tuple[str, Any]] = []
    engine = store._database._engine

    def keep(connection: Any, cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.lstrip().startswith("SELECT"):
            seen.append((statement, parameters))

    event.listen(engine, "before_cursor_execute", keep)
    try:
        work()
    finally:
        event.remove(engine, "before_cursor_execute", keep)
    return seen


QUESTIONS = (
    "list the newest 20",
    "a page of 50 runs",
    "trend of one metric",
    "compare the two newest in one metric",
    "the worst answers of a run",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_index_answers_what_people_ask_of_a_large_history(loaded: str, question: str) -> None:
    """With so few rows the server would read them all: told not to, it must find an index."""
    with open_store(loaded) as store:
        statements = asked(store, load.questions(store)[question])
        assert statements
        for statement, parameters in statements:

            def plan(connection: Any, statement: str = statement, parameters: Any = parameters) -> str:
                connection.execute(text("SET LOCAL enable_seqscan = off"))
                rows = connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)
                return "\n".join(row[0] for row in rows)

            explained = store._database.read(plan)
            assert not any(f"Seq Scan on {table}" in explained for table in LARGE), explained


def test_a_list_takes_as_many_statements_however_many_runs_there_are(loaded: str) -> None:
    with open_store(loaded) as store:
        few = asked(store, lambda: store.runs(limit=1))
        many = asked(store, lambda: store.runs(limit=load.WRITERS))
        assert len(few) == len(many)
