"""A history that came with a download: it runs nothing, ends, and is written only where it lies."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from history_items import finished, new_item, new_run
from postgres_server import PostgresServer

from pincite.errors import StoreError, StorePlaceError
from pincite.store import open_store

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT {} FROM n"


@pytest.fixture
def history(tmp_path: Path) -> Path:
    path = tmp_path / "runs.sqlite"
    with open_store(path) as store:
        run, journal = store.begin(new_run())
        for position in range(5):
            journal.append(new_item(position))
        store.finish(finished(run))
    return path


def change(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        for statement in statements:
            connection.execute(statement)
    connection.close()


def view_in_place_of(path: Path, table: str) -> None:
    with sqlite3.connect(path) as connection:
        names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    connection.close()
    endless = ENDLESS.format(", ".join(f"x AS {name}" for name in names))
    change(path, "PRAGMA foreign_keys = OFF", f"DROP TABLE {table}", f"CREATE VIEW {table} AS {endless}")


# --- what is in the file -------------------------------------------------------------------------


TABLES = "documents items run_notes run_tags runs schema scores verdicts"


@pytest.mark.parametrize("table", [f"pincite_{name}" for name in TABLES.split()])
def test_a_view_in_the_place_of_a_table_is_refused_by_name(history: Path, table: str) -> None:
    view_in_place_of(history, table)
    with pytest.raises(
        StorePlaceError, match=rf"not made by Pincite: '{table}' is a view.*move the file away"
    ):
        open_store(history)


@pytest.mark.parametrize("what", ["BEFORE", "AFTER"])
@pytest.mark.parametrize("event", ["INSERT", "UPDATE", "DELETE"])
def test_a_trigger_is_refused(history: Path, what: str, event: str) -> None:
    change(history, f"CREATE TRIGGER bad {what} {event} ON pincite_runs BEGIN {ENDLESS.format('x')}; END")
    with pytest.raises(StorePlaceError, match="'bad' is a trigger"):
        open_store(history)


@pytest.mark.parametrize(
    "column",
    [
        "n INT GENERATED ALWAYS AS (length(zeroblob(1000000000))) VIRTUAL",
        "n AS (hex(run_id))",
        "n TEXT CHECK (run_id > 0)",
        "n TEXT DEFAULT 'x'",
        "n TEXT COLLATE nocase",
        "n TEXT REFERENCES birds (number)",
    ],
)
def test_a_column_that_computes_something_is_refused(history: Path, column: str) -> None:
    change(history, f"ALTER TABLE pincite_runs ADD COLUMN {column}")
    with pytest.raises(StorePlaceError, match="the table 'pincite_runs' is defined with "):
        open_store(history)


@pytest.mark.parametrize(
    "index",
    [
        "CREATE INDEX bad ON pincite_runs (length(name))",
        "CREATE INDEX length ON pincite_runs (length(name))",
        "CREATE INDEX bad ON pincite_runs (name) WHERE instr(name, 'x')",
        'CREATE INDEX "bad on" ON pincite_runs (abs(started))',
    ],
)
def test_an_index_that_computes_something_is_refused(history: Path, index: str) -> None:
    change(history, index)
    with pytest.raises(StorePlaceError, match=r"the index .* is defined with"):
        open_store(history)


def test_a_virtual_table_is_refused(history: Path) -> None:
    change(
        history,
        "DROP TABLE pincite_run_notes",
        "CREATE VIRTUAL TABLE pincite_run_notes USING fts5(run, note)",
    )
    with pytest.raises(StorePlaceError, match="'pincite_run_notes' is a virtual table"):
        open_store(history)


def test_what_somebody_added_for_their_own_questions_is_left_to_them(history: Path) -> None:
    change(
        history,
        "CREATE VIEW mine AS SELECT run_id FROM pincite_runs",
        "CREATE TABLE notes_of_mine (x CHECK (length(x) > 0))",
        "CREATE INDEX by_owner ON pincite_runs (owner, started)",
    )
    with open_store(history) as store:
        assert len(store.runs()) == 1


# --- whose file it is ----------------------------------------------------------------------------


def application_id(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        found: int = connection.execute("PRAGMA application_id").fetchone()[0]
    connection.close()
    return found


def test_a_history_is_marked_as_ours(history: Path) -> None:
    assert application_id(history) == 0x50434831


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        (("CREATE TABLE birds (name TEXT)",), "it holds 'birds'"),
        (("CREATE TABLE birds (name TEXT)", "PRAGMA application_id = 7"), "it holds 'birds'"),
        (("PRAGMA application_id = 7",), "its application id is 0x7"),
        (("CREATE TABLE birds (name TEXT)", "CREATE TABLE pincite_schema_version (version)"), "'birds'"),
    ],
)
def test_the_database_of_another_program_is_refused_and_no_byte_of_it_changes(
    tmp_path: Path, statements: tuple[str, ...], said: str
) -> None:
    path = tmp_path / "other.sqlite"
    change(path, *statements)
    before = path.read_bytes()
    with pytest.raises(StorePlaceError, match=f"is a database of something else .*{said}"):
        open_store(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["other.sqlite"]


# --- what lies at the path -----------------------------------------------------------------------


@pytest.mark.parametrize("there", [True, False])
def test_a_link_in_the_place_of_the_file_is_refused_and_what_it_leads_to_untouched(
    tmp_path: Path, there: bool
) -> None:
    target = tmp_path / "elsewhere" / "mail.sqlite"
    target.parent.mkdir()
    if there:
        change(target, "CREATE TABLE mails (text)")
    before = target.read_bytes() if there else b""
    path = tmp_path / "project" / "runs.sqlite"
    path.parent.mkdir()
    path.symlink_to(target)
    with pytest.raises(StorePlaceError, match=rf"is a link to {target}; give the path of the file itself"):
        open_store(path)
    assert target.exists() is there and (not there or target.read_bytes() == before)


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
def test_a_link_in_the_place_of_a_side_file_is_refused(history: Path, ending: str) -> None:
    target = history.with_name("precious")
    target.write_text("precious")
    Path(f"{history}{ending}").symlink_to(target)
    with pytest.raises(StorePlaceError, match=f"runs.sqlite{ending} beside it is a link to {target}"):
        open_store(history)
    assert target.read_text() == "precious"


@pytest.mark.parametrize("folder", ["data", "data/evaluation"])
def test_a_folder_of_a_relative_path_that_leads_out_of_the_project_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (project / folder).parent.mkdir(parents=True)
    (project / folder).symlink_to(elsewhere)
    monkeypatch.chdir(project)
    with pytest.raises(StorePlaceError, match=rf"{folder} is a link out of .*: --store {elsewhere}/"):
        open_store("data/evaluation/runs.sqlite")
    assert list(elsewhere.iterdir()) == []


def test_a_link_inside_the_project_and_a_path_that_was_written_out_are_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "large").mkdir()
    (tmp_path / "data").symlink_to("large")
    monkeypatch.chdir(tmp_path)
    open_store("data/runs.sqlite").close()
    open_store(tmp_path / "data" / "other.sqlite").close()
    assert {"runs.sqlite", "other.sqlite"} <= {file.name for file in (tmp_path / "large").iterdir()}


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (os.mkfifo, "a pipe"),
        (lambda path: path.mkdir(), "a folder"),
        (lambda path: path.symlink_to("/dev/zero"), "a link to /dev/zero"),
        (lambda path: path.symlink_to(path.name), "a link"),
    ],
)
def test_what_is_no_file_is_refused_without_being_opened(
    tmp_path: Path, make: Callable[[Path], None], kind: str
) -> None:
    path = tmp_path / "runs.sqlite"
    make(path)
    with pytest.raises(StorePlaceError, match=f"is {kind}"):
        open_store(path)


def test_a_device_is_refused() -> None:
    with pytest.raises(StorePlaceError, match="is a device, not a file"):
        open_store("/dev/zero")


# --- bytes that are not as SQLite wrote them -----------------------------------------------------


def use(path: Path) -> None:
    with open_store(path, patience=0.2, statement_seconds=5) as store:
        for run in store.runs():
            list(store.items(run.run_id))
        store.begin(new_run(), resume=False)[1].append(new_item(0))


@pytest.mark.parametrize("fault", ["cut", "zeros", "noise"])
def test_a_file_that_was_cut_or_overwritten_is_used_or_told_of_and_never_crashes(
    history: Path, fault: str
) -> None:
    whole = history.read_bytes()
    told = 0
    for place in range(0, len(whole), max(1, len(whole) // 24)):
        length = min(3000, len(whole) - place)
        spoilt = {
            "cut": whole[:place],
            "zeros": whole[:place] + bytes(length) + whole[place + length :],
            "noise": whole[:place] + bytes(7 * n % 251 for n in range(length)) + whole[place + length :],
        }[fault]
        path = history.with_name(f"{fault}-{place}.sqlite")
        path.write_bytes(spoilt)
        try:
            use(path)
        except StoreError as error:
            assert str(path) in str(error) or "row of the history" in str(error)
            told += 1
    assert told > 5


def knotted(path: Path) -> None:
    """Make a tree of pages whose branches all lead to the page below: reading it takes 400^19 steps."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        root = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'pincite_runs'"
        ).fetchone()[0]
        count = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.close()
    content = bytearray(path.read_bytes())
    leaf, levels, cells = content[(root - 1) * size : root * size], 18, 300
    pages = [root, *range(count + 1, count + levels + 1)]
    content += bytes(size * levels)
    for page, below in pairwise(pages):
        start = size - 5 * cells
        body = bytearray(size)
        body[0:12] = (
            b"\x05\0\0"
            + cells.to_bytes(2, "big")
            + start.to_bytes(2, "big")
            + b"\0"
            + below.to_bytes(4, "big")
        )
        for cell in range(cells):
            body[12 + 2 * cell : 14 + 2 * cell] = (start + 5 * cell).to_bytes(2, "big")
            body[start + 5 * cell : start + 5 * cell + 5] = below.to_bytes(4, "big") + b"\x01"
        content[(page - 1) * size : page * size] = body
    content[(pages[-1] - 1) * size : pages[-1] * size] = leaf
    content[28:32] = (count + levels).to_bytes(4, "big")
    path.write_bytes(content)


SUM = "SELECT sum(seconds) FROM pincite_runs"


def test_a_table_that_never_ends_is_given_up_and_the_setting_named(history: Path) -> None:
    knotted(history)
    with (
        open_store(history, statement_seconds=0.5) as store,
        pytest.raises(StoreError, match=r"more than 0.5 s over one question: .*statement_seconds"),
    ):
        store._database.read(lambda connection: connection.exec_driver_sql(SUM).all())


def test_a_question_that_ctrl_c_ends_is_a_keyboard_interrupt(history: Path) -> None:
    knotted(history)
    code = """
import os, signal, sys, threading
from pincite.store import open_store
with open_store(sys.argv[1], statement_seconds=80_000) as store:
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        store._database.read(lambda connection: connection.exec_driver_sql(sys.argv[2]).all())
    except KeyboardInterrupt:
        print("interrupted")
"""
    done = subprocess.run([sys.executable, "-c", code, str(history), SUM], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("interrupted\n", "")


def test_a_question_that_a_server_would_answer_for_ever_is_given_up(postgres: PostgresServer) -> None:
    with open_store(postgres.new_database(), statement_seconds=0.5) as store:
        with pytest.raises(StoreError, match=r"more than 0.5 s over one question"):
            store._database.read(lambda connection: connection.exec_driver_sql("SELECT pg_sleep(600)").all())
        assert store.runs() == []  # and the next one is answered


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "command", [("runs", "list"), ("eval", "sample", "--answers", "sample:a", "--judge", "rules")]
)
def test_a_command_that_reads_a_history_without_end_ends_with_a_signal(
    history: Path, number: int, command: tuple[str, ...]
) -> None:
    change(history, "DROP INDEX pincite_runs_started")  # so that the table itself is read
    knotted(history)
    process = subprocess.Popen(
        [sys.executable, "-m", "pincite", *command, "--store", str(history)],
        cwd=history.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PINCITE_STORE_STATEMENT_SECONDS": "80000"},
        text=True,
    )
    # It never ends by itself: only the signal ends it, whenever that comes.
    with pytest.raises(subprocess.TimeoutExpired):
        process.communicate(timeout=3)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode in (128 + number, -number), err
    assert "Traceback" not in err
