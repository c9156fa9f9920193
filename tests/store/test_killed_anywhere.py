"""`pincite eval`, killed again and again at any moment: the run that comes through has the figures of one."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from postgres_server import PostgresServer

from pincite.store import open_store

QUERIES = 40
KILLS = 6
KILLED = """
import os, signal, sys, threading
wanted, seen = int(sys.argv.pop(1)), 0

def hook(event, given):
    global seen
    seen += 1
    if seen == wanted:
        os.kill(os.getpid(), signal.SIGKILL)

from pincite.cli import main
from pincite.store import items
sys.addaudithook(hook)
written = items.write

def write(connection, rows, again=False):
    for row in rows:
        sys.audit("pincite.item")
    written(connection, rows, again)
    sys.audit("pincite.written")

items.write = write
sys.exit(main())
"""
"""Each item that is written counts as well: else only the beginning would be full of moments."""


def start(folder: Path, url: str, wanted: int = 0) -> subprocess.Popen[str]:
    command = ("eval", "sample", "--answers", "sample:b", "--judge", "rules", "-m", "hit@1", "-m", "nDCG@5")
    options = (
        "-f",
        "json",
        "--set",
        "evaluation.resamples=200",
        "--store",
        url,
        "-o",
        "out.results.json",
        "--set",
        "evaluation.workers=1",
    )
    return subprocess.Popen(
        [sys.executable, "-c", KILLED, str(wanted), *command, *options],
        cwd=folder,
        env={**os.environ, "PINCITE_JUDGE": "rules"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def figures(out: str) -> Any:
    document = json.loads(out)
    return document["status"], document["retrieval_metrics"]


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 2])
def test_a_run_that_was_killed_at_random_moments_has_the_figures_of_a_whole_one(
    url: str, tmp_path: Path, seed: int
) -> None:
    whole, _ = start(tmp_path, "none").communicate(timeout=200)
    moments = random.Random(seed)
    killed = 0
    for _ in range(KILLS):
        process = start(tmp_path, url, moments.randrange(1000, 3500))
        process.communicate(timeout=200)
        killed += process.returncode == -signal.SIGKILL
    process = start(tmp_path, url)
    out, err = process.communicate(timeout=200)
    assert process.returncode in (0, 1), err
    assert killed > 0 and "Traceback" not in err
    assert figures(out) == figures(whole)
    assert figures((tmp_path / "out.results.json").read_text()) == figures(whole)
    assert not list(tmp_path.glob("*.tmp"))
    with open_store(url) as store:
        for run in store.runs():
            positions = [item.position for item in store.items(run.run_id)]
            assert positions == sorted(set(positions))
            if run.status == "finished":
                assert positions == list(range(QUERIES))


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [3, 4])
def test_a_server_that_is_lost_at_a_random_item_and_comes_back_has_the_run_once(
    postgres: PostgresServer, tmp_path: Path, seed: int
) -> None:
    moments, url = random.Random(seed), postgres.new_database()
    with open_store(url) as store:
        from history_items import new_item, new_run

        run, journal = store.begin(new_run())
        lost = sorted(moments.sample(range(10, 280), 3))
        for position in range(300):
            journal.append(new_item(position))
            if position in lost:
                postgres.stop(moments.choice([signal.SIGQUIT, signal.SIGINT]))
                postgres.start()
        journal.flush()
        assert [item.position for item in store.items(run.run_id)] == list(range(300))
        assert store.verdicts(run.run_id) == {"support": {"supported": 300}}
