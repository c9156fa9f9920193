"""Two runs in a history, for the commands that compare."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import msgspec

from pincite.records import ItemResult, Result, Run
from pincite.store import open_store

METRICS = ("nDCG@5", "hallucination_rate")
STORE = "data/evaluation/runs.sqlite"


def items(shift: float, seed: int, queries: int = 40) -> list[ItemResult]:
    chance = random.Random(seed)
    return [
        ItemResult(
            key=f"{seed}/{place}",
            position=place,
            query_id=f"q{place}",
            query_text=f"What does section {place} say?",
            answer=f"Section {place} says {chance.randrange(100)}. \x1b[31m|",
            results=(
                _result("nDCG@5", min(1.0, 0.5 + shift + 0.2 * chance.random()), 1),
                _result("hallucination_rate", chance.choice([0.0, 0.25]), 4),
            ),
        )
        for place in range(queries)
    ]


def _result(metric: str, score: float, of: int) -> Result:
    return Result(metric=metric, score=score, numerator=score * of, denominator=float(of))


def keep_runs(folder: Path, made: Callable[[], dict[str, list[ItemResult]]] | None = None) -> list[str]:
    """Keep two runs, `before` and `after`, and give their ids."""
    path = folder / STORE
    path.parent.mkdir(parents=True, exist_ok=True)
    ids = []
    with open_store(path) as store:
        for name, kept in (made() if made else {"before": items(0.0, 1), "after": items(0.15, 2)}).items():
            given = Run(
                run_id="",
                name=name,
                fingerprint=name,
                started_at="2026-11-02T10:00:00Z",
                dataset_id="sample",
                metrics=METRICS,
                total=len(kept),
            )
            run, journal = store.begin(given)
            for item in kept:
                journal.append(item)
            journal.flush()
            store.finish(msgspec.structs.replace(run, status="finished", finished_at="2026-11-02T10:01:00Z"))
            ids.append(run.run_id)
    return ids
