"""The cache of replies: what it finds again, what it forgets, and what it survives."""

from __future__ import annotations

import itertools
import logging
import multiprocessing
import os
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.config import CacheSettings, Performance, Settings
from pincite.errors import JudgeError
from pincite.llm import CachedCaller, Prompt, ReplyCache, cache_path, open_cache

DAY = 86_400
IDENTITY = {"model": "tiny", "endpoint": "http://127.0.0.1:1/v1", "temperature": 0.0}
PROMPT = Prompt("support/1", "Judge.", "claim and passage", {"type": "object"}, 2)


def reply_key(identity: dict[str, Any], prompt: Prompt) -> str:
    """The key under which a reply to this prompt is kept."""
    kept: dict[str, str] = {}
    caller: Any = SimpleNamespace(identity=identity)
    cache: Any = SimpleNamespace(put=kept.__setitem__)
    CachedCaller(caller, cache).keep(prompt, "reply")
    (key,) = kept
    return key


class Clock:
    def __init__(self) -> None:
        self.time = 1_000_000_000.0

    def __call__(self) -> float:
        self.time += 0.001
        return self.time


# --- keys ----------------------------------------------------------------------------------------


def test_the_same_question_has_the_same_key_whatever_the_order_of_the_parts() -> None:
    turned = dict(reversed(IDENTITY.items()))
    assert reply_key(IDENTITY, PROMPT) == reply_key(turned, msgspec.structs.replace(PROMPT))
    assert len(reply_key(IDENTITY, PROMPT)) == 64


@pytest.mark.parametrize(
    "change",
    [
        {"name": "support/2"},
        {"system": "Judge!"},
        {"user": "claim and passage "},
        {"schema": None},
        {"schema": {"type": "array"}},
        {"pairs": 3},
    ],
)
def test_everything_that_changes_a_prompt_changes_the_key(change: dict[str, Any]) -> None:
    assert reply_key(IDENTITY, msgspec.structs.replace(PROMPT, **change)) != reply_key(IDENTITY, PROMPT)


@pytest.mark.parametrize(
    "change", [{"model": "small"}, {"endpoint": "http://127.0.0.1:2/v1"}, {"temperature": 0.1}, {"seed": 1}]
)
def test_everything_that_changes_the_model_changes_the_key(change: dict[str, Any]) -> None:
    assert reply_key({**IDENTITY, **change}, PROMPT) != reply_key(IDENTITY, PROMPT)


@given(st.text(), st.text(), st.text())
def test_text_moved_from_one_part_to_the_next_changes_the_key(one: str, two: str, three: str) -> None:
    first = Prompt("p/1", one + two, three)
    second = Prompt("p/1", one, two + three)
    assert (reply_key(IDENTITY, first) == reply_key(IDENTITY, second)) == (two == "")


def test_a_key_of_half_a_surrogate_pair_exists() -> None:
    assert reply_key(IDENTITY, Prompt("p/1", "\ud800", "\0")) != reply_key(IDENTITY, Prompt("p/1", "?", "\0"))


@pytest.mark.parametrize("value", [float("nan"), object(), {1, 2}, b"bytes"])
def test_an_identity_that_is_no_json_is_refused(value: object) -> None:
    with pytest.raises(JudgeError, match="plain JSON"):
        reply_key({"model": value}, PROMPT)


# --- what is kept --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shared_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache") / "replies"


@settings(max_examples=40, deadline=None)
@given(
    replies=st.dictionaries(
        st.text(max_size=20), st.text(st.characters(exclude_categories=()), max_size=200), max_size=5
    )
)
def test_every_reply_comes_back_as_it_was(shared_path: Path, replies: dict[str, str]) -> None:
    cache = ReplyCache(shared_path)
    for key, text in replies.items():
        cache.put(key, text)
    cache.close()
    again = ReplyCache(shared_path)
    assert {key: again.get(key) for key in replies} == replies
    again.close()


def test_what_was_never_put_is_not_there(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies")
    assert cache.get("nothing") is None
    cache.close()


def test_a_second_put_replaces_the_first(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies")
    cache.put("key", "one")
    cache.put("key", "two")
    assert cache.get("key") == "two"
    assert cache.info().entries == 1
    cache.close()


def test_a_closed_cache_opens_again_when_it_is_asked(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies")
    cache.put("key", "one")
    cache.close()
    cache.close()
    assert cache.get("key") == "one"
    cache.close()


@pytest.mark.skipif(os.name == "nt", reason="files have no such mode here")
def test_the_file_is_for_its_owner_alone_and_holds_json(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "replies"
    cache = ReplyCache(path)
    cache.put("key", "text")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.with_name("replies-wal").stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    cache.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT reply FROM replies").fetchall() == [('{"text": "text"}',)]
    connection.close()


@pytest.mark.skipif(os.name == "nt", reason="files have no such mode here")
def test_a_file_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "replies"
    path.touch(0o644)
    cache = ReplyCache(path)
    cache.put("key", "text")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    cache.close()


def test_a_key_of_an_endpoint_is_never_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "sk-not-a-real-key-0123456789"
    monkeypatch.setenv("OPENAI_API_KEY", secret)
    cache = open_cache(Settings(cache=CacheSettings(folder=str(tmp_path))))
    assert cache is not None
    cache.put("one", f"Your key {secret} is invalid.")
    cache.put(secret, "ok")
    cache.put("two", "ok")
    assert (cache.get("one"), cache.get(secret), cache.get("two")) == (None, None, "ok")
    assert secret not in repr(cache)
    cache.close()
    assert all(secret.encode() not in file.read_bytes() for file in tmp_path.iterdir())


# --- limits --------------------------------------------------------------------------------------


def test_a_reply_that_is_too_old_is_not_given(tmp_path: Path) -> None:
    clock = Clock()
    cache = ReplyCache(tmp_path / "replies", max_age_days=7, now=clock)
    cache.put("old", "text")
    clock.time += 6.9 * DAY
    assert cache.get("old") == "text"
    clock.time += 0.2 * DAY
    assert cache.get("old") is None
    cache.close()
    assert cache.info().entries == 0
    cache.close()


def test_the_cache_stays_below_its_size(tmp_path: Path) -> None:
    path = tmp_path / "replies"
    cache = ReplyCache(path, max_bytes=200_000)
    for number in range(400):
        cache.put(f"key {number}", "x" * (100 + number * 7))
    cache.close()
    assert path.stat().st_size <= 220_000
    assert 20 < cache.info().entries < 400
    cache.close()


def test_the_oldest_replies_go_first(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies", max_bytes=300_000, now=Clock())
    for number in range(55):
        cache.put(f"key {number}", "x" * 5_000)
    kept = [number for number in range(55) if cache.get(f"key {number}")]
    assert kept == list(range(kept[0], 55)) and kept[0] > 2
    cache.close()


def test_one_reply_cannot_push_everything_out(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies", max_bytes=400_000)
    cache.put("small", "text")
    cache.put("huge", "x" * 300_000)
    assert cache.get("huge") is None
    assert cache.get("small") == "text"
    cache.close()


# --- info and clear ------------------------------------------------------------------------------


def test_info_of_a_cache_that_is_not_there_makes_no_file(tmp_path: Path) -> None:
    info = ReplyCache(tmp_path / "none" / "replies", max_age_days=9).info()
    assert (info.entries, info.bytes, info.oldest, info.newest) == (0, 0, None, None)
    assert info.max_age_days == 9
    assert not (tmp_path / "none").exists()


def test_info_counts_and_dates_what_is_kept(tmp_path: Path) -> None:
    clock = Clock()
    cache = ReplyCache(tmp_path / "replies", now=clock)
    cache.put("one", "text")
    first = clock.time
    clock.time += DAY
    cache.put("two", "text")
    info = cache.info()
    assert info.entries == 2
    assert info.oldest is not None and first - 1 < info.oldest <= first
    assert info.newest is not None and info.newest > first + DAY
    assert info.bytes > 0
    cache.close()


def test_clear_gives_the_space_back_and_says_how_much(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies")
    for number in range(100):
        cache.put(f"key {number}", "x" * 5_000)
    before = cache.info().bytes
    cleared = cache.clear()
    assert cleared.entries == 100
    assert cleared.bytes == before - cache.info().bytes > 500_000
    assert cache.info().entries == 0
    assert cache.clear().entries == 0
    cache.close()


def test_clear_may_leave_what_is_young(tmp_path: Path) -> None:
    clock = Clock()
    cache = ReplyCache(tmp_path / "replies", now=clock)
    cache.put("old", "text")
    clock.time += 8 * DAY
    cache.put("young", "text")
    assert cache.clear(older_than_days=7).entries == 1
    assert (cache.get("old"), cache.get("young")) == (None, "text")
    cache.close()


# --- files that cannot be used -------------------------------------------------------------------


def test_a_file_that_is_no_database_is_set_aside_with_a_note(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "replies"
    path.write_bytes(b"this was never a database, " * 400)
    cache = ReplyCache(path)
    cache.put("key", "text")
    assert cache.get("key") == "text"
    assert (tmp_path / "replies.damaged-1").read_bytes().startswith(b"this was never")
    assert "was damaged; it was moved aside to replies.damaged-1" in caplog.text
    assert cache.clear().entries == 1
    assert not (tmp_path / "replies.damaged-1").exists()
    cache.close()


def test_the_database_of_another_program_is_set_aside_whole(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "replies"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE replies (recipe TEXT)")
    connection.execute("INSERT INTO replies VALUES ('soup')")
    connection.commit()
    connection.close()
    cache = ReplyCache(path)
    cache.put("key", "text")
    assert cache.get("key") == "text"
    cache.clear()
    cache.close()
    connection = sqlite3.connect(tmp_path / "replies.foreign-1")
    assert connection.execute("SELECT recipe FROM replies").fetchall() == [("soup",)]
    connection.close()
    assert "belongs to something else" in caplog.text


@pytest.mark.parametrize("where", [0, 20, 100, 4096, 8192, 3 * 4096 + 10, 6 * 4096])
def test_a_file_damaged_anywhere_gives_true_replies_or_none(tmp_path: Path, where: int) -> None:
    path = tmp_path / "replies"
    cache = ReplyCache(path)
    for number in range(60):
        cache.put(f"key {number}", f"reply {number} " * 40)
    cache.close()
    raw = bytearray(path.read_bytes())
    assert len(raw) > where + 3000
    raw[where : where + 3000] = b"\xa5" * 3000
    path.write_bytes(raw)
    again = ReplyCache(path)
    for number in range(60):
        assert again.get(f"key {number}") in (None, f"reply {number} " * 40)
        again.put(f"key {number}", "new")
        assert again.get(f"key {number}") == "new"
    again.close()


def test_a_reply_changed_on_the_disk_is_not_given(tmp_path: Path) -> None:
    path = tmp_path / "replies"
    cache = ReplyCache(path)
    cache.put("key", "the score is 0.1")
    cache.close()
    path.write_bytes(path.read_bytes().replace(b"the score is 0.1", b"the score is 0.9"))
    assert cache.get("key") is None
    cache.put("key", "the score is 0.2")
    assert cache.get("key") == "the score is 0.2"
    cache.close()


def test_a_truncated_file_is_survived(tmp_path: Path) -> None:
    path = tmp_path / "replies"
    cache = ReplyCache(path)
    for number in range(60):
        cache.put(f"key {number}", "text " * 100)
    cache.close()
    with path.open("r+b") as file:
        file.truncate(3 * 4096 + 7)
    cache.put("key", "text")
    assert cache.get("key") == "text"
    cache.close()


def test_a_folder_that_cannot_be_made_means_no_cache_and_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    settings = Settings(cache=CacheSettings(folder=str(tmp_path / "file" / "below")))
    assert open_cache(settings) is None
    assert open_cache(settings) is None
    said = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert len(said) == 1
    assert "replies are not cached" in said[0] and "PINCITE_CACHE_DIR" in said[0]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_means_no_cache(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert open_cache(Settings(cache=CacheSettings(folder=str(tmp_path)))) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_is_neither_moved_nor_waited_for(tmp_path: Path, kind: str) -> None:
    path = cache_path(Settings(cache=CacheSettings(folder=str(tmp_path))))
    assert path is not None
    if kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    assert open_cache(Settings(cache=CacheSettings(folder=str(tmp_path)))) is None
    assert path.exists()


def test_a_path_that_can_be_none_is_said_too(caplog: pytest.LogCaptureFixture) -> None:
    assert open_cache(Settings(cache=CacheSettings(folder="a\0b"))) is None
    assert "replies are not cached" in caplog.text


def test_a_cache_whose_folder_is_deleted_goes_on(tmp_path: Path) -> None:
    import shutil

    cache = ReplyCache(tmp_path / "folder" / "replies")
    cache.put("key", "text")
    shutil.rmtree(tmp_path / "folder")
    cache.put("key", "text")
    cache.close()
    assert cache.get("key") is None or cache.get("key") == "text"
    cache.put("again", "text")
    assert cache.get("again") == "text"
    cache.close()


def test_a_key_that_no_database_takes_leaves_the_others_alone(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies")
    cache.put("\ud800", "text")
    assert cache.get("\ud800") is None
    cache.put("key", "text")
    assert cache.get("key") == "text"
    cache.close()


def test_a_file_locked_by_another_costs_a_reply_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **named: connect(*a, **{**named, "timeout": 0.05}))
    cache = ReplyCache(tmp_path / "replies")
    cache.put("key", "text")
    other = sqlite3.connect(tmp_path / "replies", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    cache.put("lost", "text")
    assert cache.get("key") == "text"
    other.execute("ROLLBACK")
    other.close()
    assert "in use elsewhere" in caplog.text
    cache.put("kept", "text")
    assert (cache.get("lost"), cache.get("kept")) == (None, "text")
    cache.close()


# --- a folder of somebody else's ------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal", ".lock"])
def test_a_link_is_not_followed_and_replies_are_not_cached(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, ending: str
) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    (tmp_path / f"replies{ending}").symlink_to(precious)
    cache = ReplyCache(tmp_path / "replies")
    cache.put("key", "text")
    assert cache.get("key") is None
    cache.close()
    assert precious.read_text() == "precious" and precious.stat().st_nlink == 1
    assert f"is a link to {precious}; move it away" in caplog.text


@pytest.mark.parametrize(
    "statements",
    [
        ("DROP TABLE replies", "CREATE VIEW replies AS {endless}"),
        ("CREATE TRIGGER bad AFTER INSERT ON replies BEGIN {endless}; END",),
        ("CREATE INDEX bad ON replies (length(reply))",),
        ("ALTER TABLE replies ADD COLUMN bad AS (hex(reply))",),
    ],
)
def test_a_file_with_more_than_a_table_in_it_is_set_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, statements: tuple[str, ...]
) -> None:
    path = tmp_path / "replies"
    ReplyCache(path).usable()
    names = "x AS id, x AS key, x AS reply, x AS seal, x AS made, x AS used"
    endless = f"WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT {names} FROM n"
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement.format(endless=endless))
    connection.commit()
    connection.close()
    cache = ReplyCache(path)
    cache.put("key", "text")
    assert cache.get("key") == "text"
    cache.close()
    assert "moved aside to replies.foreign-1" in caplog.text


# --- several at once -----------------------------------------------------------------------------

WORKER = """
import sys
from pincite.llm import ReplyCache
path, me = sys.argv[1], sys.argv[2]
cache = ReplyCache(path)
for number in range(60):
    cache.put(f"shared {number}", f"reply {number} " * 20)
    cache.put(f"{me} {number}", f"reply {me} {number}")
    found = cache.get(f"shared {(number * 7) % 60}")
    assert found in (None, f"reply {(number * 7) % 60} " * 20), found
    assert cache.get(f"{me} {number}") == f"reply {me} {number}"
cache.close()
"""


@pytest.mark.parametrize("beginning", ["none", "damaged"])
def test_processes_that_write_and_read_the_same_file_lose_nothing(tmp_path: Path, beginning: str) -> None:
    path = tmp_path / "replies"
    if beginning == "damaged":
        path.write_bytes(b"nonsense " * 1000)
    workers = [
        subprocess.Popen([sys.executable, "-c", WORKER, str(path), name], stderr=subprocess.PIPE)
        for name in "abcd"
    ]
    told = b"".join(worker.communicate()[1] for worker in workers)
    assert [worker.returncode for worker in workers] == [0] * 4, told.decode()
    assert told.count(b"moved aside") == (1 if beginning == "damaged" else 0)
    assert len(list(tmp_path.glob("*damaged*"))) == (1 if beginning == "damaged" else 0)
    cache = ReplyCache(path)
    assert cache.info().entries == 60 + 4 * 60
    for name in "abcd":
        assert all(cache.get(f"{name} {number}") == f"reply {name} {number}" for number in range(60))
    cache.close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_processes_that_fill_a_small_cache_keep_it_small_and_whole(tmp_path: Path) -> None:
    path = tmp_path / "replies"
    program = """
import sys
from pincite.llm import ReplyCache
cache = ReplyCache(sys.argv[1], max_bytes=200_000)
for number in range(150):
    key = f"{sys.argv[2]} {number % 90}"
    cache.put(key, key * 100)
    other = f"{'abc'[number % 3]} {number * 7 % 90}"
    assert cache.get(other) in (None, other * 100)
"""
    command = [sys.executable, "-W", "error", "-c", program, str(path)]
    workers = [subprocess.Popen([*command, name], stderr=subprocess.PIPE) for name in "abc"]
    told = b"".join(worker.communicate()[1] for worker in workers)
    assert [worker.returncode for worker in workers] == [0] * 3, told.decode()
    assert path.stat().st_size <= 240_000
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
def test_a_process_that_is_killed_while_it_writes_leaves_a_cache_that_works(tmp_path: Path) -> None:
    path = tmp_path / "replies"
    program = """
import sys
from pincite.llm import ReplyCache
cache = ReplyCache(sys.argv[1])
number = 0
while True:
    cache.put(f"key {number}", f"reply {number} " * 50)
    number += 1
    if number == 50:
        print("going", flush=True)
"""
    worker = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE)
    assert worker.stdout is not None and worker.stdout.readline() == b"going\n"
    worker.kill()
    worker.communicate()
    cache = ReplyCache(path)
    assert all(cache.get(f"key {number}") == f"reply {number} " * 50 for number in range(50))
    cache.put("after", "text")
    assert cache.get("after") == "text"
    cache.close()
    assert not list(tmp_path.glob("*damaged*"))


def test_a_process_that_holds_the_door_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    waited = itertools.count(step=3.0)  # as if each look at the clock were three seconds after the last
    monkeypatch.setattr(time, "monotonic", lambda: next(waited))
    with (tmp_path / "replies.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        cache = ReplyCache(tmp_path / "replies")
        cache.put("key", "text")
        assert cache.get("key") == "text"
        cache.close()


def test_threads_may_share_one_cache(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies")
    wrong: list[str] = []

    def work(name: str) -> None:
        for number in range(40):
            cache.put(f"{name} {number}", f"{name} {number}")
            if cache.get(f"{name} {number}") != f"{name} {number}":
                wrong.append(f"{name} {number}")

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert cache.info().entries == 160
    cache.close()


def _in_a_fork(cache: ReplyCache) -> None:
    assert cache.get("parent") == "text"
    cache.put("child", "text")
    cache.close()


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:This process")
def test_a_cache_may_be_carried_through_a_fork(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "replies")
    cache.put("parent", "text")
    child = multiprocessing.get_context("fork").Process(target=_in_a_fork, args=(cache,))
    child.start()
    child.join(20)
    assert child.exitcode == 0
    cache.put("parent again", "text")
    assert cache.get("child") == "text"
    cache.close()


# --- where it lies -------------------------------------------------------------------------------


def test_the_folder_is_the_one_that_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "environment"))
    own = cache_path(Settings())
    assert own is not None and own.parent == tmp_path / "environment"
    chosen = Settings(cache=CacheSettings(folder=str(tmp_path / "chosen")))
    assert cache_path(chosen) == tmp_path / "chosen" / own.name


def test_the_environment_names_the_folder_as_a_setting_too(tmp_path: Path) -> None:
    from pincite.config import load_settings

    (tmp_path / "pincite.toml").write_text('[cache]\nfolder = "kept"\n')
    here = load_settings(folder=tmp_path, environment={})
    assert here.cache.folder == str(tmp_path / "kept")
    there = load_settings(folder=tmp_path, environment={"PINCITE_CACHE_DIR": "/elsewhere"})
    assert there.cache.folder == "/elsewhere"


@pytest.mark.parametrize(
    ("environment", "platform", "folder"),
    [
        ({"HOME": "/home/ada"}, "linux", "/home/ada/.cache/pincite"),
        ({"HOME": "/home/ada", "XDG_CACHE_HOME": "/fast"}, "linux", "/fast/pincite"),
        ({"HOME": "/home/ada", "XDG_CACHE_HOME": "relative"}, "linux", "/home/ada/.cache/pincite"),
        ({"HOME": "/Users/ada"}, "darwin", "/Users/ada/Library/Caches/pincite"),
        ({"LOCALAPPDATA": "/c/ada/AppData/Local"}, "win32", "/c/ada/AppData/Local/pincite/Cache"),
        ({"LOCALAPPDATA": "/c/ada", "XDG_CACHE_HOME": "/fast"}, "win32", "/fast/pincite"),
        ({"HOME": "no/home"}, "linux", None),
    ],
)
def test_the_usual_folder_is_the_platforms(
    environment: dict[str, str], platform: str, folder: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "PINCITE_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    path = cache_path(Settings())
    assert (path and path.parent) == (folder and Path(folder))


def test_the_cache_can_be_switched_off(tmp_path: Path) -> None:
    off = Settings(
        performance=Performance(cache_results=False), cache=CacheSettings(folder=str(tmp_path / "none"))
    )
    assert open_cache(off) is None
    assert not (tmp_path / "none").exists()


def test_limits_come_from_the_settings(tmp_path: Path) -> None:
    chosen = CacheSettings(folder=str(tmp_path), max_megabytes=3, max_age_days=2)
    cache = open_cache(Settings(cache=chosen))
    assert cache is not None
    assert (cache.info().max_bytes, cache.info().max_age_days) == (3 * 1024 * 1024, 2)
    cache.close()
