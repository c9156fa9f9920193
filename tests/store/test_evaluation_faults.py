"""`pincite eval` as a process, while the PostgreSQL server of its history goes away."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from postgres_server import PASSWORD, PostgresServer

from pincite.store import open_store

QUERIES = 40
SLOW = """
import itertools, pathlib, time

calls = itertools.count(1)

def answer(text):
    time.sleep(0.05)
    if next(calls) > 36:
        while pathlib.Path("hold").exists():
            time.sleep(0.01)
    return {"generated_answer": "It is so.", "retrieval_results": {"retrieved_docs": ["doc_tidal_station"]}}
"""
IMPATIENT = """
import pincite.store
import pincite.store.history
pincite.store.open_store.__kwdefaults__["patience"] = 0.5
"""


WITHOUT_SLEEP = """
import pathlib, threading, time
import pincite.runs.evaluation
import pincite.store
from pincite.store import database, journal

held_up = threading.Event()
wait = journal.StoreJournal._wait

class Clock:
    slept = 0.0

    def monotonic(self):
        return time.monotonic() + self.slept

    def sleep(self, seconds):
        held_up.wait()  # until then the evaluation goes on beside it
        self.slept += seconds
        pathlib.Path("slept").write_text(str(self.slept))

    def __getattr__(self, name):
        return getattr(time, name)

def waiting(self, most):
    held_up.set()
    wait(self, most)

journal.StoreJournal._wait = waiting
pincite.runs.evaluation.time = database.time = journal.time = Clock()
database._LONGEST_WAIT = 100.0
pincite.store.open_store.__kwdefaults__["patience"] = 1000
"""
"""A clock of its own: to wait takes no time, and what is waited for shows in it alone."""


FORGETFUL = """
import pincite.runs.journal
pincite.runs.journal.RECENT = 4
"""


def start(folder: Path, url: str, before: str = "") -> subprocess.Popen[str]:
    (folder / "slow_system.py").write_text(SLOW)
    (folder / "pincite.toml").touch()
    code = f"import sys\n{before}\nfrom pincite.cli import main\nsys.exit(main(sys.argv[1:]))"
    arguments = (
        "eval",
        "sample",
        "--target",
        "slow_system:answer",
        "--set",
        "evaluation.max_in_flight=2",
        "-f",
        "json",
    )
    metrics = (
        "-m",
        "hit@1",
        "-m",
        "citation_completeness",
        "--set",
        "evaluation.resamples=200",
        "--system-version",
        "1",
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments, *metrics, "--store", url],
        cwd=folder,
        env={**os.environ, "PINCITE_JUDGE": "rules"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=100)
    assert "Traceback" not in err and PASSWORD not in out + err
    return process.returncode, out, err


def measured(out: str) -> int:
    """How many queries the results speak of."""
    return int(json.loads(out)["summary"]["successful_queries"])


def wait_for_items(url: str, least: int) -> None:
    with open_store(url) as store:
        deadline = time.monotonic() + 60
        while not (runs := store.runs()) or len(list(store.items(runs[0].run_id))) < least:
            assert time.monotonic() < deadline
            time.sleep(0.02)


def positions(url: str) -> list[list[int]]:
    with open_store(url) as store:
        return [[item.position for item in store.items(run.run_id)] for run in store.runs()]


@pytest.mark.thorough
def test_a_server_that_goes_away_and_comes_back_has_the_whole_run(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    url = postgres.new_database()
    process = start(tmp_path, url)
    wait_for_items(url, 5)
    postgres.stop()
    time.sleep(0.5)
    postgres.start()
    code, out, err = finish(process)
    assert code in (0, 1) and "warning" not in err
    assert measured(out) == QUERIES
    assert positions(url) == [list(range(QUERIES))]


@pytest.mark.thorough
def test_a_server_that_comes_back_late_is_given_what_it_missed(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    url = postgres.new_database()
    (tmp_path / "hold").touch()  # the last answers wait for it, however long the server takes to start
    process = start(tmp_path, url, IMPATIENT)
    wait_for_items(url, 5)
    postgres.stop()
    assert process.stderr is not None
    told = process.stderr.readline()
    postgres.start()
    (tmp_path / "hold").unlink()
    code, out, err = finish(process)
    assert "the history cannot be written" in told and PASSWORD not in told
    assert "the history can be written again, and has all of this run" in err
    assert code in (0, 1)
    assert json.loads(out)["status"] == "finished"
    assert positions(url) == [list(range(QUERIES))]


@pytest.mark.thorough
def test_what_was_measured_shortly_before_a_server_went_for_good_is_not_lost(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    url = postgres.new_database()
    process = start(tmp_path, url, IMPATIENT)
    wait_for_items(url, 5)
    postgres.stop()
    try:
        code, out, err = finish(process)
    finally:
        postgres.start()
    assert code in (0, 1)
    assert "the history cannot be written" in err
    assert measured(out) == QUERIES


@pytest.mark.thorough
def test_a_server_that_went_for_good_is_waited_for_once_and_not_as_part_of_the_evaluation(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    patience = 1000
    url = postgres.new_database()
    (tmp_path / "hold").touch()
    process = start(tmp_path, url, WITHOUT_SLEEP)
    wait_for_items(url, 10)
    postgres.stop()
    (tmp_path / "hold").unlink()
    try:
        code, out, err = finish(process)
    finally:
        postgres.start()
    assert patience / 2 < float((tmp_path / "slept").read_text()) < 2 * patience
    assert code in (0, 1)
    told = [int(seconds) for seconds in re.findall(r"could not be reached for (\d+) s", err)]
    assert told and min(told) >= patience
    assert json.loads(out)["summary"]["total_evaluation_time_seconds"] < patience


@pytest.mark.thorough
def test_what_a_server_took_with_it_is_told_and_the_same_command_goes_on(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    url = postgres.new_database()
    process = start(tmp_path, url, IMPATIENT + FORGETFUL)
    wait_for_items(url, 10)
    postgres.stop()
    try:
        code, out, err = finish(process)
    finally:
        postgres.start()
    assert code == 130
    assert "the history cannot be written" in err and "earlier results cannot be read back" in err
    assert "run the same command again to resume" in err
    assert 0 < measured(out) < QUERIES
    code, out, _ = finish(start(tmp_path, url))
    assert code in (0, 1)
    assert measured(out) == QUERIES
    assert positions(url) == [list(range(QUERIES))]


@pytest.mark.thorough
def test_a_server_that_cannot_be_reached_costs_the_history_alone(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    url = postgres.url().replace(f":{postgres.port}/", ":1/")
    code, out, err = finish(start(tmp_path, url, IMPATIENT))
    assert code in (0, 1)
    assert "run not saved" in err
    assert measured(out) == QUERIES
