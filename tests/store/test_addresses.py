"""Where a history is: paths of any kind, addresses, and passwords that nobody gets to see."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from history_items import new_item, new_run

from pincite.errors import InputError, MissingExtraError
from pincite.store import open_store, read_address


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("runs.sqlite", "runs.sqlite"),
        ("/a/b c/runs.sqlite", "/a/b c/runs.sqlite"),
        ("sqlite:///runs.sqlite", "runs.sqlite"),
        ("sqlite:////a/runs.sqlite", "/a/runs.sqlite"),
        (Path("/a/runs.sqlite"), "/a/runs.sqlite"),
        (r"C:\data\runs.sqlite", r"C:\data\runs.sqlite"),
    ],
)
def test_a_path_or_a_sqlite_address_is_a_file(given: str | Path, path: str) -> None:
    assert read_address(given).file == Path(path)


def test_a_path_in_the_home_folder_is_found_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert read_address("~/runs.sqlite").file == tmp_path / "runs.sqlite"


@pytest.mark.parametrize("given", ["", "  ", ":memory:", "sqlite://", "sqlite:///:memory:", "a\0b"])
def test_what_is_no_file_is_refused(given: str) -> None:
    with pytest.raises(InputError, match="history"):
        read_address(given)


@pytest.mark.parametrize("given", ["mysql://root@h/x", "https://example.org/x", "mongodb+srv://h/x"])
def test_other_databases_are_refused_by_name(given: str) -> None:
    with pytest.raises(InputError, match=r"cannot be kept in .*postgresql://"):
        read_address(given)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg", "PostgreSQL"])
def test_a_password_is_never_shown(scheme: str) -> None:
    address = read_address(f"{scheme}://ann:s3cret@db.example:5433/history?sslmode=require&password=0ther")
    assert address.kind == "postgresql"
    for shown in (str(address), repr(address), address.hide("s3cret or 0ther")):
        assert "s3cret" not in shown and "0ther" not in shown
    assert str(address) == "postgresql://ann@db.example:5433/history"


@pytest.mark.parametrize(
    "given", ["postgresql://ann:s3cret@host:port/x", "postgresql://ann:s3cret@h:99:99/x"]
)
def test_an_address_that_cannot_be_read_is_not_quoted(given: str) -> None:
    with pytest.raises(InputError, match="cannot be read") as raised:
        read_address(given)
    assert "s3cret" not in str(raised.value) and raised.value.__cause__ is None


@pytest.mark.parametrize("name", ["a b.sqlite", "ü🙂.sqlite", "a'b\"c.sqlite", "50%?x=1#y.sqlite", "file:x"])
def test_a_file_may_have_any_name_in_a_folder_that_is_not_there_yet(tmp_path: Path, name: str) -> None:
    path = tmp_path / "new folder" / name
    with open_store(path) as store:
        run, journal = store.begin(new_run())
        journal.append(new_item(0))
    assert path.is_file()
    with open_store(f"sqlite:///{path}") as store:
        assert [item.query_id for item in store.items(run.run_id)] == ["query_0"]


def test_without_the_driver_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pincite\[postgres\]'"):
        open_store("postgresql://nobody@127.0.0.1:1/none")


def test_the_room_is_entered_without_loading_a_database_library() -> None:
    code = "import sys, pincite.store; print('sqlalchemy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"
