"""The harness: near the ideal with a slow system, flat in memory, fast on recorded answers."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench._system import write_system
from bench.figures import Figure
from pincite.datasets import EvaluationQuery
from pincite.metrics import Metric
from pincite.records import RecordedAnswer
from pincite.runs import Target

SLEEP = 0.05
ITEMS = 1_000
IN_FLIGHT = 50
FEW, MANY = 1_000, 100_000
RECORDED = int(os.environ.get("BENCH_RECORDED", "20000"))
"""Recorded answers that are scored; 100,000 take a few minutes more."""


def run(data: Path | None) -> Iterator[Figure | str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pincite.toml").write_text("")
        write_system(folder, ITEMS)
        ideal = ITEMS * SLEEP / IN_FLIGHT
        for metrics, bar, what in (("free", 1.10, "a free metric"), ("judged", 1.5, "the rule judge")):
            seconds = min(float(_child(folder, "sleeping", metrics)[0]) for _ in range(3))
            note = f"{ITEMS:,} answers of a sentence, {IN_FLIGHT} in flight: {seconds:.2f} s"
            yield Figure(f"÷ ideal wall time, {what}", seconds / ideal, "x", bar, at_most=True, note=note)
        write_system(folder, MANY)
        few, many = (float(_child(folder, "memory", str(count))[0]) for count in (FEW, MANY))
        note = f"{few:.0f} MB at {FEW:,}, {many:.0f} MB at {MANY:,}, all processes together"
        yield Figure(
            f"memory from {FEW:,} to {MANY:,} items", many - few, " MB", 100.0, at_most=True, note=note
        )
        yield from _scoring(folder)


def _scoring(folder: Path) -> Iterator[Figure]:
    """All usual metrics over recorded answers, in as many processes as there are cores."""
    write_system(folder, RECORDED // 4)
    write_system(folder, RECORDED)
    cores = os.cpu_count() or 1
    small, _ = map(float, _child(folder, "scoring", str(RECORDED // 4)))
    large, used = map(float, _child(folder, "scoring", str(RECORDED)))
    note = f"{RECORDED:,} recorded answers, every usual metric, {cores} cores: {large:.1f} s"
    yield Figure("recorded answers scored", RECORDED / large, "/s", note=note)
    flat = (large / RECORDED) / (small / (RECORDED // 4))
    note = f"cost an item at {RECORDED:,} ÷ at {RECORDED // 4:,}"
    yield Figure("growth of the cost of an item", flat, "x", 1.2, at_most=True, note=note)
    yield Figure("cores in use", used / large, "", 0.75 * cores, note="processor time ÷ wall time")


def _child(folder: Path, *arguments: str) -> list[str]:
    """A process of its own, so that one measurement does not warm or burden the next."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.harness", str(folder), *arguments],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PINCITE_JUDGE": "rules"},
    )
    return done.stdout.split()


# --- what the child processes do -----------------------------------------------------------------


def main() -> None:
    folder, what, given = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    {"sleeping": _sleeping, "memory": _memory, "scoring": _scored}[what](folder, given)


def _sleeping(folder: Path, metrics: str) -> None:
    import asyncio
    import json

    from pincite.config import load_settings
    from pincite.metrics import register_metrics
    from pincite.runs import evaluate
    from pincite.store import open_store

    register_metrics({"free": _free()})
    lines = (folder / f"answers_{ITEMS}.jsonl").read_text(encoding="utf-8").splitlines()
    # For the judge, one cited sentence each.
    queue = iter(json.loads(line)["generated_answer"].partition("].")[0] + "]." for line in lines)

    class Sleeping(Target):
        """A system that waits, as one behind a network does."""

        name = "sleeping"
        waits = True

        async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
            await asyncio.sleep(SLEEP)
            said = "It is so." if metrics == "free" else str(next(queue))
            return RecordedAnswer(query_id=query.query_id, answer=said)

        async def close(self) -> None:
            """Nothing is open."""

    with open_store(folder / f"{metrics}-{time.time_ns()}.sqlite") as store:
        run = evaluate(
            folder / f"bench_{ITEMS}.eval.json",
            target=Sleeping(),
            metrics=["free"] if metrics == "free" else ["citation_correctness", "citation_completeness"],
            settings=load_settings(evaluation_max_in_flight=IN_FLIGHT, evaluation_resamples=100),
            store=store,
        )
    assert run.total == ITEMS and run.failed == 0
    print(run.seconds)


def _memory(folder: Path, count: str) -> None:
    """The most memory that all processes of such a run held, with a system that answers at once."""
    from bench._tree_memory import TreeMemory
    from pincite.config import load_settings
    from pincite.runs import evaluate
    from pincite.store import open_store

    async def answering(text: str) -> str:
        return "It is so [doc_1.txt:0-40]."

    with TreeMemory() as memory, open_store(folder / f"memory-{count}.sqlite") as store:
        evaluate(
            folder / f"bench_{count}.eval.json",
            target=answering,
            metrics=["hit@5", "span_f1"],
            settings=load_settings(evaluation_resamples=100),
            store=store,
        )
    print(memory.megabytes)


def _scored(folder: Path, count: str) -> None:
    import resource

    from pincite.config import load_settings
    from pincite.runs import evaluate
    from pincite.store import open_store

    with open_store(folder / f"scored-{count}.sqlite") as store:
        run = evaluate(
            folder / f"bench_{count}.eval.json",
            answers=folder / f"answers_{count}.jsonl",
            settings=load_settings(evaluation_resamples=100),
            store=store,
        )
    used = 0.0
    for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        taken = resource.getrusage(whose)
        used += taken.ru_utime + taken.ru_stime
    print(run.seconds, used)


def _free() -> Metric:
    from pincite.metrics import Case, Verdicts
    from pincite.records import Result

    class Free(Metric, frozen=True, kw_only=True):
        """A metric that costs nothing."""

        title = "free"

        def score(self, case: Case, verdicts: Verdicts) -> Result:
            return self.result(1, 1)

    return Free()


if __name__ == "__main__":
    main()
