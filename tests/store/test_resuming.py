"""An interrupted run goes on where it stopped, and two that run at once never share one."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from history_items import execute, finished, new_item, new_run
from sqlalchemy import select

from pincite.store import RUNS, open_store

HERE = Path(__file__).parent


def test_an_unfinished_run_goes_on_with_its_id_and_its_items(url: str) -> None:
    with open_store(url) as store:
        first, journal = store.begin(new_run(name="first"))
        for position in range(120):
            journal.append(new_item(position))
    with open_store(url) as store:
        assert store.find(first.run_id).status == "interrupted"
        again, journal = store.begin(new_run(name="first", started_at="2026-04-01T00:00:00Z", judge="rules"))
        assert (again.run_id, again.started_at, again.name) == (first.run_id, first.started_at, "first")
        assert (again.status, again.judge) == ("running", "rules")
        assert all(journal.done(f"key {position}") for position in range(120))
        assert not journal.done("key 120")
        journal.append(new_item(120))
        assert len(list(journal.results())) == 121
        store.finish(finished(again))
        assert store.find(first.run_id).status == "finished"


def test_queries_that_failed_are_asked_again(url: str) -> None:
    with open_store(url) as store:
        first, journal = store.begin(new_run())
        for position in range(6):
            journal.append(new_item(position, failure="busy" if position in (1, 4) else None))
    with open_store(url) as store:
        again, journal = store.begin(new_run())
        assert again.run_id == first.run_id
        assert [position for position in range(6) if not journal.done(f"key {position}")] == [1, 4]
        journal.append(new_item(4))
        journal.append(new_item(1, failure="still busy"))
        kept = [item.failure for item in journal.results()]
        assert kept == [None, "still busy", None, None, None, None]
        assert store.verdicts(first.run_id) == {"support": {"supported": 6}}


def test_a_run_that_was_finished_as_interrupted_goes_on(url: str) -> None:
    with open_store(url) as store:
        first, _ = store.begin(new_run())
        store.finish(msgspec.structs.replace(first, status="interrupted"))
        assert store.begin(new_run())[0].run_id == first.run_id


@pytest.mark.parametrize("status", ["finished", "failed"])
def test_a_run_that_ended_does_not_go_on(url: str, status: str) -> None:
    with open_store(url) as store:
        first, _ = store.begin(new_run())
        store.finish(finished(first, status=status))
        assert store.begin(new_run())[0].run_id != first.run_id


def test_only_the_same_fingerprint_goes_on_and_only_if_wanted(url: str) -> None:
    with open_store(url) as store:
        first, _ = store.begin(new_run("one"))
        unnamed, _ = store.begin(new_run(""))
    with open_store(url) as store:
        assert store.begin(new_run("two"))[0].run_id != first.run_id
        assert store.begin(new_run("one"), resume=False)[0].run_id != first.run_id
        assert store.begin(new_run(""))[0].run_id != unnamed.run_id
    with open_store(url) as store:
        newest = store.begin(new_run("one"))[0]
        assert newest.run_id == "eval_run_20260305_004"  # the newest of the two that are unfinished


def test_another_name_begins_a_run_of_its_own(url: str) -> None:
    with open_store(url) as store:
        monday, _ = store.begin(new_run(name="monday"))
        unnamed, _ = store.begin(new_run())
    with open_store(url) as store:
        tuesday, _ = store.begin(new_run(name="tuesday"))
        assert tuesday.run_id not in (monday.run_id, unnamed.run_id)
        assert store.begin(new_run())[0].run_id == unnamed.run_id
        again, _ = store.begin(new_run(name="monday"))
        assert (again.run_id, again.name) == (monday.run_id, "monday")
        assert store.find("monday").run_id == monday.run_id


def test_a_run_that_goes_on_knows_how_long_it_took_before(url: str) -> None:
    with open_store(url) as store:
        run, journal = store.begin(new_run())
        time.sleep(0.2)
        journal.append(new_item(0))
        journal.flush()
        # Killed here, it could say no more than this.
        killed = store._database.read(lambda connection: connection.scalar(select(RUNS.c.seconds)))
        assert 0.2 <= killed < 5
    with open_store(url) as store:
        again, journal = store.begin(new_run())
        assert (again.run_id, again.seconds) == (run.run_id, pytest.approx(killed, abs=0.2))
        store.finish(msgspec.structs.replace(again, status="interrupted", seconds=100.0))
    with open_store(url) as store:
        again, journal = store.begin(new_run())
        assert again.seconds == 100.0
        journal.append(new_item(1))
        journal.flush()
        assert 100 <= store._database.read(lambda connection: connection.scalar(select(RUNS.c.seconds))) < 105


def test_the_same_command_twice_at_once_makes_two_runs(url: str) -> None:
    with open_store(url) as store, open_store(url) as other:
        first, _ = store.begin(new_run())
        second, _ = other.begin(new_run())
        third, _ = store.begin(new_run())
    assert len({first.run_id, second.run_id, third.run_id}) == 3


WORKER = """
    import sys, time
    sys.path.insert(0, {here!r})
    from history_items import new_item, new_run
    from pincite.store import open_store

    store = open_store({url!r})
    run, journal = store.begin(new_run())
    for position in range(100):
        journal.append(new_item(position))
    journal.flush()
    print(run.run_id, flush=True)
    for position in range(100, 1000000):
        journal.append(new_item(position))
        time.sleep(0.001)
"""


def start_worker(url: str) -> tuple[subprocess.Popen[str], str]:
    code = textwrap.dedent(WORKER.format(here=str(HERE), url=url))
    worker = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    return worker, worker.stdout.readline().strip()


def test_after_kill_9_the_same_command_goes_on_at_once(url: str) -> None:
    worker, run_id = start_worker(url)
    try:
        with open_store(url) as store:
            beside, _ = store.begin(new_run())
            assert beside.run_id != run_id  # the worker is alive, and its run is its own
            store.finish(finished(beside))
            time.sleep(0.3)
            before = len(list(store.items(run_id)))
            assert [run.status for run in store.runs() if run.run_id == run_id] == ["running"]
            worker.send_signal(signal.SIGKILL)
            worker.wait()
            (killed,) = (run for run in store.runs() if run.run_id == run_id)
            assert (killed.status, store.find(run_id).status) == ("interrupted", "interrupted")
            assert killed.seconds > 0
            again, journal = store.begin(new_run())
            assert again.run_id == run_id
            kept = [item.position for item in journal.results()]
            assert kept == list(range(len(kept)))
            assert len(kept) >= before > 100
    finally:
        worker.kill()
        worker.communicate()


@pytest.fixture
def shown_as(tmp_path: Path) -> Iterator[Callable[[str, float], str]]:
    """The status of a run with an owner and a heartbeat so long ago; `OWN` stands for its true owner."""
    path = tmp_path / "runs.sqlite"
    with open_store(path) as store:
        run, _ = store.begin(new_run())
        ((own,),) = execute(str(path), "SELECT owner FROM pincite_runs")
        machine, pid, began, _ = own.split(":")

        def shown(owner: str, silent: float) -> str:
            owner = owner.replace("OWN", own).replace("HERE", machine).replace("PID", pid)
            owner = owner.replace("BEGAN", began)
            beat = time.time() - silent
            execute(str(path), f"UPDATE pincite_runs SET owner = '{owner}', heartbeat = {beat}")
            return store.find(run.run_id).status

        yield shown
        shown("OWN", 0)


@pytest.mark.parametrize(
    ("owner", "silent", "status"),
    [
        ("OWN", 1e6, "running"),
        ("HERE:PID:BEGAN:another", 0, "interrupted"),
        ("HERE:PID:0:another", 0, "interrupted"),  # the number was given anew
        (f"HERE:{'9' * 30}:BEGAN:another", 0, "interrupted"),
        (f"{'0' * 16}:PID:1:elsewhere", 10, "running"),
        (f"{'0' * 16}:PID:1:elsewhere", 100, "interrupted"),
        ("nonsense", 100, "interrupted"),
        ("", 0, "interrupted"),
    ],
)
def test_a_run_is_running_while_its_process_is_or_its_heart_beats_elsewhere(
    shown_as: Callable[[str, float], str], owner: str, silent: float, status: str
) -> None:
    assert shown_as(owner, silent) == status


def test_the_heart_beats_while_nothing_is_written(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.store.journal.BEAT_SECONDS", 0.05)
    with open_store(url) as store:
        store.begin(new_run())

        def beat() -> float:
            return float(store._database.read(lambda c: c.scalar(select(RUNS.c.heartbeat))))

        first = beat()
        deadline = time.monotonic() + 5
        while beat() == first and time.monotonic() < deadline:
            time.sleep(0.02)
        assert beat() > first
