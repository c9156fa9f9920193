"""All cores: recorded answers and long answers, with one process on one core and with two on two.

Other work on the machine takes cores away from two processes more than from one. The load is printed with
the figures; the ratio means what it says only where it was near zero.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench._system import write_system
from bench.answer import make_case, make_long_answer
from bench.figures import Figure

BAR = 1.7
ANSWERS = {"rules": 2_000, "entailment": 300}
CLAIMS = {"rules": 8_000, "entailment": 400}
NLI = os.environ.get("BENCH_NLI", "")
"""The folder of an entailment model, for `--judge nli:FOLDER`; without one that judge is left out."""


def run(data: Path | None) -> Iterator[Figure | str]:
    if not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2:
        yield "  left out: this needs two cores, and Linux to keep to one of them"
        return
    with tempfile.TemporaryDirectory() as folder:
        judges = {**ANSWERS, **({f"nli:{NLI}": ANSWERS["entailment"]} if NLI else {})}
        for judge, count in judges.items():
            write_system(Path(folder), count)
            yield from _compared("eval", judge, count, "recorded answers", folder)
        for judge, count in CLAIMS.items():
            yield from _compared("check", judge, count, "claims of one answer", folder)


def _compared(what: str, judge: str, count: int, unit: str, folder: str) -> Iterator[Figure]:
    load = os.getloadavg()[0]
    one, two = (_measured(what, judge, count, workers, folder) for workers in (1, 2))
    for workers, seen in ((1, one), (2, two)):
        note = f"{count:,} in {seen['wall']:.1f} s, {seen['processor']:.1f} s of processor time"
        yield Figure(
            f"{what}, {judge}, {workers} worker{'s' * (workers > 1)}: {unit}",
            count / seen["wall"],
            "/s",
            note=note,
        )
    yield Figure(
        f"{what}, {judge}: two workers ÷ one",
        one["wall"] / two["wall"],
        "x",
        BAR,
        note=f"load of the machine before: {load:.1f}",
    )
    more = two["processor"] / one["processor"]
    yield Figure(f"{what}, {judge}: processor time of two ÷ of one", more, "x", note="2 ÷ this is the most")


def _measured(what: str, judge: str, count: int, workers: int, folder: str) -> dict[str, float]:
    """In a process of its own, on as many cores as there are workers."""
    arguments = [what, judge, str(count), str(workers), folder]
    done = subprocess.run(
        [sys.executable, "-m", "bench.workers", *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=3600,
        env={**os.environ, "PINCITE_JUDGE": judge},
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    what, judge, count, workers, folder = sys.argv[1:]
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: int(workers)])
    import resource

    import pincite
    from pincite.config import load_settings

    settings = load_settings(judge=judge, evaluation_workers=int(workers), evaluation_resamples=100)
    start = time.perf_counter()
    if what == "eval":
        pincite.evaluate(
            Path(folder) / f"bench_{count}.eval.json",
            answers=Path(folder) / f"answers_{count}.jsonl",
            settings=settings,
        )
    else:
        _, documents, _ = make_case()
        answer = make_long_answer(int(count), documents)
        start = time.perf_counter()
        pincite.check(answer, documents, settings=settings)
    wall = time.perf_counter() - start
    taken = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    processor = sum(one.ru_utime + one.ru_stime for one in taken)
    print(json.dumps({"wall": wall, "processor": processor}))


if __name__ == "__main__":
    main()
