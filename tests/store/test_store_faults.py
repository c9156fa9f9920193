"""What can go wrong around a history: said in words, tried again, and nothing lost or doubled."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from history_items import finished, new_item, new_run
from postgres_server import PASSWORD, PostgresServer

from pincite.errors import InputError, StoreError, StorePlaceError
from pincite.store import open_store, read_address
from pincite.store.problems import explained

HERE = Path(__file__).parent
PREAMBLE = f"""
import sys
sys.path.insert(0, {str(HERE)!r})
from history_items import finished, new_item, new_run
from pincite.errors import StoreError, StorePlaceError
from pincite.store import open_store
"""


# --- locked --------------------------------------------------------------------------------------


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[tuple[Path, sqlite3.Connection]]:
    """A history that another program holds a lock on until it rolls back."""
    path = tmp_path / "runs.sqlite"
    with open_store(path):
        pass
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    yield path, other
    other.close()


def test_a_lock_is_waited_for(locked: tuple[Path, sqlite3.Connection]) -> None:
    path, other = locked
    threading.Timer(0.5, other.rollback).start()
    with open_store(path) as store:
        run, journal = store.begin(new_run())
        journal.append(new_item(0))
        assert len(list(store.items(run.run_id))) in (0, 1)
        journal.flush()
        assert len(list(store.items(run.run_id))) == 1


def test_a_lock_that_stays_is_an_error_with_what_to_do(
    locked: tuple[Path, sqlite3.Connection],
) -> None:
    path, _ = locked
    with open_store(path, patience=0.3) as store:
        assert store.runs() == []  # reading needs no lock
        with pytest.raises(StoreError, match=r"locked by another program for \d+ s: wait for it or end it"):
            store.begin(new_run())


def test_a_journal_that_cannot_write_says_so_once_and_keeps_all_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with open_store(path, patience=0.2) as store:
        run, journal = store.begin(new_run())
        journal.append(new_item(0))
        journal.flush()
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        journal.append(new_item(1))
        told = 0
        for position in range(2, 60):
            try:
                journal.append(new_item(position))
            except StoreError as error:
                assert "locked" in str(error)
                told += 1
            time.sleep(0.02)
        assert told == 1 and journal.failed
        assert all(journal.done(f"key {position}") for position in range(60))
        assert [item.position for item in journal.results()] == list(range(60))
        with pytest.raises(StoreError, match="locked"):
            journal.flush()
        other.close()
        journal.flush()  # the lock has gone, and nothing is lost
        assert not journal.failed
        assert [item.position for item in store.items(run.run_id)] == list(range(60))
        journal.append(new_item(60))
        store.finish(finished(run))
        assert [item.position for item in store.items(run.run_id)] == list(range(61))


def test_closing_does_not_repeat_what_was_said_before(
    locked: tuple[Path, sqlite3.Connection],
) -> None:
    path, other = locked
    other.rollback()
    store = open_store(path, patience=0.1)
    _, journal = store.begin(new_run())
    other.execute("BEGIN IMMEDIATE")
    journal.append(new_item(0))
    with pytest.raises(StoreError):
        journal.flush()
    store.close()
    other.rollback()
    with open_store(path) as store:
        assert store.begin(new_run())[0].run_id == "eval_run_20260305_001"


# --- no room, no right, no file ------------------------------------------------------------------


def run_code(code: str, before: str = "", **options: object) -> str:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", PREAMBLE + before + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=60,
        **options,  # type: ignore[call-overload]
    )
    assert ran.stderr == ""
    return ran.stdout


def limit_files_to_1_mb() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))


def test_a_disk_that_fills_up_loses_nothing_that_was_written(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    printed = run_code(
        f"""
        import os
        with open_store({str(path)!r}) as store:
            run, journal = store.begin(new_run())
            written = appended = 0
            try:
                for position in range(2000):
                    appended += 1
                    journal.append(new_item(position, answer=os.urandom(300).hex()))
                    if position % 10 == 9:
                        journal.flush()
                        written = position + 1
            except StoreError as error:
                print(error)
            assert 0 < written < 2000, written
            assert len(list(journal.results())) == appended
        print(written)
        """,
        preexec_fn=limit_files_to_1_mb,
    )
    said, written = printed.splitlines()
    assert said.startswith(f"the history {path} cannot be used: the disk is full: make room")
    with open_store(path) as store:  # there is room again
        run, journal = store.begin(new_run())
        assert run.run_id == "eval_run_20260305_001"
        kept = [item.position for item in journal.results()]
        assert kept == list(range(len(kept))) and len(kept) >= int(written)


@pytest.fixture
def protected() -> Iterator[Path]:
    """A folder that only root may write to, or nobody."""
    folder = Path(tempfile.mkdtemp(prefix="pincite-protected-"))
    yield folder
    folder.chmod(0o755)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()


BECOME_SOMEBODY = """
import os, pwd, sqlite3, sqlalchemy.dialects.sqlite, pincite.store.history
if os.geteuid() == 0:
    # Root may write anywhere, so that it must be somebody else who tries. All is imported before: the
    # interpreter itself may lie where only root can go.
    nobody = pwd.getpwnam("nobody")
    os.setgroups([])
    os.setgid(nobody.pw_gid)
    os.setuid(nobody.pw_uid)
"""


@pytest.mark.thorough
def test_a_folder_that_may_not_be_written_is_an_error_with_what_to_do(protected: Path) -> None:
    protected.chmod(0o555)
    for path in (protected / "runs.sqlite", protected / "deeper" / "runs.sqlite"):
        printed = run_code(
            f"""
            try:
                open_store({str(path)!r})
            except StoreError as error:
                print(error)
            """,
            BECOME_SOMEBODY,
        )
        assert printed.startswith(f"the history {path} cannot be")
        assert "--store" in printed


@pytest.mark.parametrize("folder_mode", [0o555, 0o755, 0o777])
def test_a_history_that_may_only_be_read_can_be_read(protected: Path, folder_mode: int) -> None:
    path = protected / "runs.sqlite"
    with open_store(path) as store:
        run, journal = store.begin(new_run())
        journal.append(new_item(0))
        store.finish(finished(run))
    path.chmod(0o444)
    protected.chmod(folder_mode)
    printed = run_code(
        f"""
        with open_store({str(path)!r}) as store:
            print(len(store.runs()), len(list(store.items("latest"))))
            for write in (store.require_writable, lambda: store.begin(new_run())):
                try:
                    write()
                except StorePlaceError as error:
                    print(error)
        """,
        BECOME_SOMEBODY,
    )
    counts, refused, said = printed.splitlines()
    assert counts == "1 1"
    assert said.startswith(f"the history {path} cannot be used: this user may not write to it")
    assert refused == said


def test_a_history_is_made_for_its_owner_alone_and_one_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "deeper" / "runs.sqlite"
    before = os.umask(0o000)
    try:
        with open_store(path) as store:
            store.begin(new_run())
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
        assert len(modes) == 3 and set(modes.values()) == {0o600}, modes
        path.chmod(0o664)
        open_store(path).close()
        assert stat.S_IMODE(path.stat().st_mode) == 0o664
    finally:
        os.umask(before)


def test_a_folder_in_the_place_of_the_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        open_store(tmp_path)


def test_a_file_in_the_place_of_the_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot be opened"):
        open_store(tmp_path / "file" / "runs.sqlite")


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("These are notes, and they are long enough to be no header of a database. " * 20)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not a SQLite database"):
        open_store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("ours", [True, False])
def test_a_schema_that_is_not_utf_8_is_told_at_once(tmp_path: Path, ours: bool) -> None:
    path = tmp_path / "runs.sqlite"
    if ours:
        open_store(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("CREATE TABLE zz (x)")
    connection.execute("PRAGMA writable_schema = 1")
    name, sql = b"z\xff", b"CREATE TABLE z\xff(x)"
    connection.execute(
        "UPDATE sqlite_master SET name = CAST(? AS TEXT), tbl_name = CAST(? AS TEXT), sql = CAST(? AS TEXT) "
        "WHERE name = 'zz'",
        (name, name, sql),
    )
    connection.commit()
    connection.close()
    # It is no lock that one could wait for, and it is nothing that a run could go on with.
    with pytest.raises(StorePlaceError, match=r"the file is damaged .*UTF-8.*: restore a copy"):
        open_store(path, patience=60.0)


def test_a_schema_that_sqlite_cannot_quote_is_told_as_damaged(tmp_path: Path) -> None:
    """SQLite says which statement of the schema it cannot parse, in bytes that are no text."""
    path = tmp_path / "runs.sqlite"
    open_store(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    raw = path.read_bytes()
    assert b"CREATE TABLE pincite_runs" in raw
    path.write_bytes(raw.replace(b"CREATE TABLE pincite_runs", b"CREATE \xffABLE pincite_runs"))
    with pytest.raises(StorePlaceError, match="the file is damaged: restore a copy"):
        open_store(path)


@pytest.mark.parametrize("value", ["'text'", "-5", "9e99"])
def test_a_row_of_another_type_is_told_as_damaged(tmp_path: Path, value: str) -> None:
    path = tmp_path / "runs.sqlite"
    with open_store(path) as store:
        store.begin(new_run())[1].close()
    connection = sqlite3.connect(path)
    connection.execute(f"UPDATE pincite_runs SET head = {value}")
    connection.commit()
    connection.close()
    with open_store(path) as store, pytest.raises(StoreError, match="a row of the history is damaged"):
        store.runs()


@pytest.mark.parametrize("column", ["heartbeat", "started", "seconds", "owner", "status", "run_id"])
@pytest.mark.parametrize("value", ["x'00ff'", "'text'", "7"])
def test_a_column_of_another_type_is_told_as_damaged_or_read(tmp_path: Path, column: str, value: str) -> None:
    path = tmp_path / "runs.sqlite"
    with open_store(path) as store:
        store.begin(new_run())[1].close()
    connection = sqlite3.connect(path)
    connection.execute(f"UPDATE pincite_runs SET {column} = {value}")
    connection.commit()
    connection.close()
    with open_store(path) as store:
        for ask in (store.runs, lambda: store.old_runs(0), lambda: store.find("latest"), store.metrics):
            try:
                ask()
            except (StoreError, InputError) as told:
                assert "damaged" in str(told) or "no finished run" in str(told) or "no run" in str(told)


def test_an_id_that_is_none_of_ours_does_not_stop_a_run(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with open_store(path) as store:
        store.begin(new_run())[1].close()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE pincite_runs SET run_id = 'mine'")
    connection.commit()
    connection.close()
    with open_store(path) as store:
        run, journal = store.begin(new_run(), resume=False)
        journal.close()
        assert run.run_id.endswith("_001")


def test_a_damaged_file_is_an_error_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with open_store(path) as store:
        run, journal = store.begin(new_run())
        for position in range(300):
            journal.append(new_item(position))
        store.finish(finished(run))
    content = bytearray(path.read_bytes())
    content[4096:-4096] = b"\xa5" * (len(content) - 8192)
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"damaged|cannot be used"), open_store(path) as store:
        list(store.items("latest"))


def test_a_run_that_is_removed_while_it_runs_says_so(url: str) -> None:
    from sqlalchemy import delete

    from pincite.store import RUNS

    store = open_store(url)
    _, journal = store.begin(new_run())
    store._database.write(lambda connection: connection.execute(delete(RUNS)))
    journal.append(new_item(0))
    with pytest.raises(StoreError, match="the run was removed while it ran"):
        journal.flush()
    store.close()


def test_a_run_that_another_has_gone_on_with_is_not_written_twice(url: str) -> None:
    """As when a machine slept for so long that its process was taken for dead."""
    from pincite.store import items

    store = open_store(url)
    run, journal = store.begin(new_run())
    rows = [items.row_of(journal._run, new_item(0))]
    store._database.write(lambda connection: items.write(connection, rows))
    journal.append(new_item(0))
    with suppress(StoreError):  # told here if the first was tried by now, and by `flush` otherwise
        journal.append(new_item(1))
    with suppress(StoreError):
        journal.flush()
    assert [item.position for item in journal.results()] == [0, 1]
    store.close()
    with open_store(url) as store:
        assert store.verdicts(run.run_id) == {"support": {"supported": 2}}


# --- a server that goes away ---------------------------------------------------------------------


@pytest.mark.thorough
def test_a_server_that_goes_away_and_comes_back_loses_and_doubles_nothing(postgres: PostgresServer) -> None:
    with open_store(postgres.new_database()) as store:
        run, journal = store.begin(new_run())
        for position in range(600):
            journal.append(new_item(position))
            time.sleep(0.001)
            if position == 200:
                postgres.stop()
            if position == 400:
                time.sleep(0.5)
                postgres.start()
        journal.flush()
        assert [item.position for item in store.items(run.run_id)] == list(range(600))
        assert store.verdicts(run.run_id) == {"support": {"supported": 600}}
        store.finish(finished(run))
        assert store.find("latest").run_id == run.run_id


def test_a_batch_that_was_written_although_the_line_was_cut_is_not_written_twice(url: str) -> None:
    """The line breaks after the commit: whoever wrote cannot know, and tries again."""
    from sqlalchemy import event
    from sqlalchemy.exc import OperationalError

    class Cut(Exception):
        sqlite_errorcode = 5
        sqlstate = "08006"

    with open_store(url) as store:
        run, journal = store.begin(new_run())
        cuts = []

        @event.listens_for(store._database._engine, "commit")
        def cut(connection: object) -> None:
            if len(cuts) < 2:
                cuts.append(1)
                connection.connection.dbapi_connection.commit()  # type: ignore[attr-defined]
                raise OperationalError("COMMIT", None, Cut())

        for position in range(20):
            journal.append(new_item(position))
        journal.flush()
        assert len(cuts) == 2
        assert [item.position for item in store.items(run.run_id)] == list(range(20))
        assert store.verdicts(run.run_id) == {"support": {"supported": 20}}


def test_a_server_that_stays_away_is_an_error_without_the_password(postgres: PostgresServer) -> None:
    url = postgres.url().replace(f":{postgres.port}/", ":1/")
    with pytest.raises(StoreError, match=r"could not be reached for 0 s .* start the server") as raised:
        open_store(url, patience=0.2)
    assert PASSWORD not in str(raised.value) and "postgres@127.0.0.1:1/postgres" in str(raised.value)


@pytest.mark.parametrize(
    ("database", "password", "said"),
    [("postgres", "wr0ng-secret", "authentication failed"), ("nowhere", PASSWORD, "does not exist")],
)
def test_a_server_that_refuses_is_asked_once_and_the_password_is_shown_nowhere(
    postgres: PostgresServer, database: str, password: str, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    began = time.monotonic()
    with pytest.raises(StoreError, match=said) as raised:
        open_store(postgres.url(database, password))
    assert time.monotonic() - began < 4
    assert password not in str(raised.value) + caplog.text
    assert raised.value.__cause__ is None


def test_the_store_does_not_show_the_password(postgres: PostgresServer) -> None:
    with open_store(postgres.new_database()) as store:
        assert PASSWORD not in repr(store) and "s3cr3t" not in repr(store)
        assert repr(store).startswith("Store('postgresql://postgres@127.0.0.1:")


def test_a_damaged_file_that_asks_for_all_memory_is_called_damaged() -> None:
    told = explained(MemoryError(), read_address("sqlite:///history.sqlite3"))
    assert isinstance(told, StorePlaceError)
    assert "damaged" in str(told)
