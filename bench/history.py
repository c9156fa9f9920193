"""The history of runs: listing and following 10,000 of them, and how fast items are written."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from bench.figures import Figure, best_seconds
from pincite.records import ItemResult, JudgedPair, PartScore, Result, ResultsDocument, Run, RunSummary, Score
from pincite.store import Store, open_store

RUNS, SCORES, DAYS = 10_000, 20, 30
ITEMS, VERDICTS, METRICS = 10_000, 5, 20
SECOND = 1.0
"""Bar: 10,000 runs list and trend in well under a second. To read all of them with 200,000 scores may take
the whole of it, what people ask for half."""


def run(data: Path | None = None) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield from _many_runs(Path(folder) / "runs.sqlite")
        yield from _many_items(Path(folder) / "items.sqlite")


def _many_runs(path: Path) -> Iterator[Figure]:
    with open_store(path) as store:
        fill_runs(store)
        since = datetime.now(UTC) - timedelta(days=DAYS / 2)
        timed = {
            "list the newest 20": lambda: store.runs(limit=20),
            "list all, with their scores": store.runs,
            "list those of one dataset with one metric": lambda: store.runs(dataset="d1", metric="m3"),
            "trend of one metric": lambda: store.trend("m7"),
            "trend on one dataset since half the time": lambda: store.trend("m7", "d1", since),
            "find the one before the latest": lambda: store.find("latest~1"),
        }
        for what, work in timed.items():
            bar = SECOND if "all" in what else SECOND / 2
            yield Figure(f"{RUNS:,} runs: {what}", best_seconds(work, 3), " s", bar, at_most=True)
    yield Figure(
        f"{RUNS:,} runs: open and list the newest 20",
        best_seconds(lambda: _opened(path), 3),
        " s",
        SECOND / 2,
        True,
    )


def _opened(path: Path) -> list[Run]:
    with open_store(path) as store:
        return store.runs(limit=20)


def fill_runs(store: Store) -> None:
    """Rows as `begin` and `finish` write them, in one go."""
    from sqlalchemy import Connection, insert

    from pincite.store import RUNS as RUN_ROWS
    from pincite.store import SCORES as SCORE_ROWS
    from pincite.store import pack

    parts = {f"document {number:03}": {"m1": PartScore(value=0.5, n=10)} for number in range(50)}
    summary = RunSummary(total_queries=500)
    document = pack(ResultsDocument(summary=summary, breakdown={"document": parts}))
    start = datetime.now(UTC) - timedelta(days=DAYS)
    runs, scores = [], []
    for number in range(1, RUNS + 1):
        began = start + timedelta(days=DAYS) * number / RUNS
        values = [
            Score(metric=f"m{place}", value=0.5, confidence_interval=(0.4, 0.6), n=500, method="bca")
            for place in range(SCORES)
        ]
        made = Run(
            run_id=f"eval_run_{began:%Y%m%d}_{number:05}",
            fingerprint=f"f{number % 50}",
            status="finished",
            started_at=began.strftime("%Y-%m-%dT%H:%M:%SZ"),
            dataset_id=f"d{number % 3}",
            total=500,
            scores=tuple(values),
        )
        runs.append(
            {
                "number": number,
                "run_id": made.run_id,
                "day": f"{began:%Y%m%d}",
                "name": None,
                "fingerprint": made.fingerprint,
                "status": made.status,
                "started": began.timestamp(),
                "dataset_id": made.dataset_id,
                "owner": None,
                "heartbeat": began.timestamp(),
                "head": pack(made),
                "document": document,
                "seconds": 1.0,
                "judge": "rules/1",
                "system": "",
                "alerts": 0,
            }
        )
        scores += [
            {
                "run": number,
                "metric": score.metric,
                "value": score.value,
                "low": 0.4,
                "high": 0.6,
                "n": 500,
                "not_scorable": 0,
                "unjudged": 0,
            }
            for score in values
        ]

    def write(connection: Connection) -> None:
        connection.execute(insert(RUN_ROWS), runs)
        connection.execute(insert(SCORE_ROWS), scores)

    store._database.write(write)


def _many_items(path: Path) -> Iterator[Figure]:
    items = [one_item(position) for position in range(ITEMS)]
    plain = [msgspec.structs.replace(item, verdicts=()) for item in items]
    with open_store(path) as store:
        took = min(_write(store, items, f"full {attempt}") for attempt in range(3))
        note = f"{METRICS} metrics and {VERDICTS} verdicts each"
        yield Figure("items written", ITEMS / took, " /s", 5_000, note=note)
        took = min(_write(store, plain, f"plain {attempt}") for attempt in range(3))
        yield Figure("items written without verdicts", ITEMS / took, " /s")
        newest = store.runs(limit=1)[0].run_id
        took = best_seconds(lambda: sum(1 for _ in store.items(newest)), 3)
        yield Figure("items read", ITEMS / took, " /s")
    start = time.perf_counter()
    with open_store(path) as store:
        store.begin(Run(run_id="", fingerprint="full 0"))
        yield Figure(f"resume a run of {ITEMS:,} items", time.perf_counter() - start, " s", 2.0, at_most=True)


def _write(store: Store, items: Sequence[ItemResult], fingerprint: str) -> float:
    _, journal = store.begin(Run(run_id="", fingerprint=fingerprint))
    start = time.perf_counter()
    for item in items:
        journal.append(item)
    journal.flush()
    return time.perf_counter() - start


def one_item(position: int) -> ItemResult:
    return ItemResult(
        key=f"key {position}",
        position=position,
        query_id=f"query_{position}",
        query_text=f"What does the report say about matter {position}, and where?",
        answer=f"The report says that matter {position} was decided in March [report.txt:{position}-200]. "
        * 4,
        latency_ms=100.0 + position % 50,
        documents=(f"doc_{position % 100}",),
        results=tuple(
            Result(metric=f"m{place}", score=0.5, numerator=position % 3, denominator=3, counts={"claims": 3})
            for place in range(METRICS)
        ),
        verdicts=tuple(
            JudgedPair(
                "support",
                f"Claim {place} of {position}.",
                ("report.txt",),
                "supported",
                0.9,
                "it does",
                "rules",
            )
            for place in range(VERDICTS)
        ),
    )
