"""A million recorded answers: flat in memory and in cost, resumed after a kill, and what ten million take.

`BENCH_SCALE` is the number of answers, 20,000 by default. `BENCH_JUDGE` is the judge, the rules by default.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from bench._system import write_system
from bench.figures import Figure

ANSWERS = int(os.environ.get("BENCH_SCALE", "20000"))
JUDGE = os.environ.get("BENCH_JUDGE", "rules")
MORE_MEGABYTES = 100.0
"""A bar: what four times the answers may take more in all processes together, at 20,000 and at a million."""
GROWTH = 1.2
NODES = (1, 8, 64)
TEN_MILLION = 10_000_000


class Told(Struct):
    """What an evaluation in a process of its own took, and what came out."""

    seconds: float
    processor: float
    megabytes: float
    resumed: int
    scores: str
    """A hash of them."""


def run(data: Path | None) -> Iterator[Figure | str]:
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as name:
        folder = Path(name)
        few = max(200, ANSWERS // 4)
        for count in (few, ANSWERS):
            write_system(folder, count)
        small, large = (_evaluated(folder, count, f"{count}.sqlite") for count in (few, ANSWERS))
        rate = ANSWERS / large.seconds
        note = f"{ANSWERS:,} answers, judge {JUDGE}, every usual metric, {os.cpu_count()} cores"
        yield Figure("answers scored and kept", rate, " /s", note=f"{note}: {large.seconds:.0f} s")
        growth = large.processor / ANSWERS / (small.processor / few)
        note = f"at {ANSWERS:,} ÷ at {few:,}, processor time"
        yield Figure("cost of an answer", growth, "x", GROWTH, at_most=True, note=note)
        more = large.megabytes - small.megabytes
        note = f"{small.megabytes:.0f} MB at {few:,}, {large.megabytes:.0f} MB at {ANSWERS:,}, together"
        yield Figure("memory of four times the answers", more, " MB", MORE_MEGABYTES, at_most=True, note=note)
        kilobytes = (folder / f"{ANSWERS}.sqlite").stat().st_size / ANSWERS / 1000
        yield Figure("history on disk", kilobytes, " KB", note="of one answer, with everything about it")
        yield from _killed(folder, few, small.scores)
        for nodes in NODES:
            hours = TEN_MILLION / rate / nodes / 3600
            note = "at this rate, with Ray on as many machines"
            yield Figure(
                f"ten million answers on {nodes} such machine{'s' * (nodes > 1)}", hours, " h", note=note
            )


def _killed(folder: Path, count: int, scores: str) -> Iterator[Figure]:
    """Kill a run in the middle, with no chance to say goodbye, and run the same command again."""
    from pincite.store import open_store

    store = folder / "killed.sqlite"
    child = subprocess.Popen(
        _command(folder, count, store.name), stdout=subprocess.DEVNULL, env=_environment()
    )
    kept = 0
    with open_store(store) as history:
        while child.poll() is None and kept < count // 3:
            time.sleep(0.05)
            kept = sum(found.successful for found in history.runs())
    child.send_signal(signal.SIGKILL)
    child.wait()
    again = _evaluated(folder, count, store.name)
    note = f"of {count:,}, killed with kill -9"
    yield Figure("answers that were not scored again", again.resumed, "", max(1.0, kept), note=note)
    same = float(again.scores == scores)
    yield Figure("the same figures as without a kill", same, "", 1.0, note="1 is yes")


def _evaluated(folder: Path, count: int, store: str) -> Told:
    done = subprocess.run(
        _command(folder, count, store), check=True, capture_output=True, text=True, env=_environment()
    )
    return msgspec.json.decode(done.stdout, type=Told)


def _command(folder: Path, count: int, store: str) -> list[str]:
    return [sys.executable, "-m", "bench.million", str(folder), str(count), store]


def _environment() -> dict[str, str]:
    return {**os.environ, "PINCITE_JUDGE": JUDGE}


def main() -> None:
    """In a process of its own: one evaluation, and what it took."""
    import resource
    from hashlib import blake2b

    from bench._tree_memory import TreeMemory
    from pincite.config import load_settings
    from pincite.runs import evaluate
    from pincite.store import open_store

    folder, count, name = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    resumed = 0

    def tell(progress: object) -> None:
        nonlocal resumed
        resumed = progress.resumed  # type: ignore[attr-defined]

    start = time.perf_counter()
    with TreeMemory() as memory, open_store(folder / name) as store:
        run = evaluate(
            folder / f"bench_{count}.eval.json",
            answers=folder / f"answers_{count}.jsonl",
            settings=load_settings(folder=folder),
            store=store,
            on_progress=tell,
        )
    seconds = time.perf_counter() - start
    assert run.successful + run.failed == int(count)
    taken = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    told = Told(
        seconds,
        sum(one.ru_utime + one.ru_stime for one in taken),
        memory.megabytes,
        resumed,
        blake2b(msgspec.json.encode(run.scores), digest_size=16).hexdigest(),
    )
    print(msgspec.json.encode(told).decode())


if __name__ == "__main__":
    main()
