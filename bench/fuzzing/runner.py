"""Runs every target in a process of its own, two at a time, and says what came of it."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from threading import Event
from typing import Any

from msgspec import Struct, field

from bench.fuzzing.expressions import known_expressions
from bench.fuzzing.targets import TARGETS, shares
from bench.fuzzing.worker import SECONDS, save

WALL_SECONDS = 600
"""How long one input may take by the clock, CPU time or not, before its process is ended."""
MOST_ENDS = 20
"""Processes of one target that may be ended by their inputs before it is given up."""
ROOT = Path(__file__).resolve().parents[2]
WORKER = ("-m", "bench.fuzzing.worker")
"""What Python runs as a worker."""

_SAVED = re.compile(r"(.+)-(?:[0-9a-f]{10}|hang|end)-\d+\.(?:input|txt)")
_COVERAGE = re.compile(r"cov: (\d+).*?corp: (\d+)")
_PROF = 27


class Failure(Struct):
    """One way to fail, and how many inputs found it."""

    kind: str
    where: str
    count: int
    file: str


class Fuzzed(Struct):
    """What became of one target."""

    name: str
    inputs: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    coverage: int | None = None
    corpus: int | None = None
    failures: dict[str, Failure] = field(default_factory=dict)

    def count(self, kind: str) -> int:
        return sum(failure.count for failure in self.failures.values() if failure.kind == kind)


def fuzz(
    inputs: int,
    seed: str,
    folder: Path,
    names: Sequence[str] = (),
    *,
    jobs: int = 2,
    guided: bool = True,
    seconds: int = SECONDS,
    first: int = 0,
    tell: Callable[[str], None] = lambda line: None,
) -> Iterator[Fuzzed]:
    """Each target as it is done. The dearest begin first, so that none is left to run alone at the end."""
    names = list(names or TARGETS)
    guided = guided and importlib.util.find_spec("atheris") is not None
    share = shares(inputs, names)
    folder.mkdir(parents=True, exist_ok=True)
    _clear(folder, names)
    known_expressions(folder, again=True)
    stopped = Event()
    with ThreadPoolExecutor(jobs) as pool:
        waiting = {
            pool.submit(
                _run,
                name,
                share[name],
                seed,
                folder,
                guided and TARGETS[name].guided,
                seconds,
                first,
                stopped,
            )
            for name in sorted(names, key=lambda name: TARGETS[name].weight)
        }
        try:
            for done in as_completed(waiting):
                tell(line_of(done.result()))
                yield done.result()
        finally:
            stopped.set()  # an interrupt ends the workers too


def _clear(folder: Path, names: Sequence[str]) -> None:
    """Remove what an earlier run left of these targets: its corpus would change what is tried now."""
    for name in names:
        shutil.rmtree(folder / f"{name}.corpus", ignore_errors=True)
    for path in folder.iterdir():
        saved = _SAVED.fullmatch(path.name)
        if saved and saved[1] in names:
            path.unlink()


def _run(
    name: str, inputs: int, seed: str, folder: Path, guided: bool, seconds: int, first: int, stopped: Event
) -> Fuzzed:
    fuzzed = Fuzzed(name)
    ends = 0
    while fuzzed.inputs < inputs and ends < MOST_ENDS and not stopped.is_set():
        begin = first + fuzzed.inputs
        left = inputs - fuzzed.inputs
        code, hung = _worker(name, left, seed, folder, guided, seconds, begin, stopped)
        if stopped.is_set() and code:
            break
        log = folder / f"{name}.log"
        said = log.read_text(errors="replace")
        stats = folder / f"{name}.stats.json"
        _add(fuzzed, json.loads(stats.read_text()) if stats.exists() else {}, folder)
        found = _COVERAGE.findall(said)
        if found:
            fuzzed.coverage, fuzzed.corpus = int(found[-1][0]), int(found[-1][1])
        if code == 0:
            break
        ends += 1
        current = folder / f"{name}.current"
        data = current.read_bytes() if current.exists() else b""
        _ended(fuzzed, code, hung, data, seed, folder, said)
        fuzzed.inputs = max(fuzzed.inputs, begin - first) + 1  # the one that ended it is done too
    return fuzzed


def _worker(
    name: str, inputs: int, seed: str, folder: Path, guided: bool, seconds: int, first: int, stopped: Event
) -> tuple[int, bool]:
    """The exit code, and whether the process was ended because one input took too long by the clock."""
    (folder / f"{name}.stats.json").unlink(missing_ok=True)
    command = [sys.executable, *WORKER, name, f"--inputs={inputs}", f"--seed={seed}"]
    command += [
        f"--seconds={seconds}",
        f"--folder={folder}",
        f"--first={first}",
        *(["--guided"] if guided else []),
    ]
    current = folder / f"{name}.current"
    current.write_bytes(b"")
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment(folder), stdout=log, stderr=log, start_new_session=True
        )
        try:
            while True:
                try:
                    return process.wait(timeout=1), False
                except subprocess.TimeoutExpired:
                    hung = time.time() - current.stat().st_mtime > WALL_SECONDS
                    if hung or stopped.is_set():
                        process.kill()
                        return process.wait(), hung
        finally:
            process.kill()
            process.wait()


def environment(folder: Path, before: Mapping[str, str] | None = None) -> dict[str, str]:
    """What a worker knows of this machine: no key, no home, nothing that changes with the user."""
    before = os.environ if before is None else before
    kept = {name: before[name] for name in ("PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "LANG") if name in before}
    return kept | {
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT / "src"), before.get("PYTHONPATH", "")))),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        "NO_COLOR": "1",
        "HOME": str(folder),
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "ORT_DISABLE_TELEMETRY": "1",
        "PINCITE_JUDGE": "rules",
        "PINCITE_EVALUATION_WORKERS": "1",
        "PINCITE_EVALUATION_RESAMPLES": "100",
    }


def _add(fuzzed: Fuzzed, stats: Mapping[str, Any], folder: Path) -> None:
    fuzzed.inputs += stats.get("tried", 0)
    fuzzed.seconds += stats.get("seconds", 0.0)
    fuzzed.slowest = max(fuzzed.slowest, stats.get("slowest", 0.0))
    for name, told in stats.get("failures", {}).items():
        known = fuzzed.failures.setdefault(
            name, Failure(told["kind"], told["where"], 0, str(folder / f"{name}-1.input"))
        )
        known.count += told["count"]


def _ended(fuzzed: Fuzzed, code: int, hung: bool, data: bytes, seed: str, folder: Path, said: str) -> None:
    """A process that did not come to its end: the input that it was at is to blame."""
    is_hang = hung or code == -_PROF
    why = (
        "took too long by the clock"
        if hung
        else "took too much CPU time"
        if is_hang
        else f"process ended with {code}"
    )
    # faulthandler names the innermost call first.
    frame = re.search(
        r'File "[^"]*?([^"/]+)", line \d+ in (\S+)', said[said.rfind("most recent call first") :]
    )
    where = f"{why} in {frame[1]}:{frame[2]}" if frame else why
    name = f"{fuzzed.name}-{'hang' if is_hang else 'end'}-{len(fuzzed.failures)}"
    same = next((one for one in fuzzed.failures.values() if one.where == where), None)
    if same is not None:
        same.count += 1
        return
    save(folder, name, fuzzed.name, data, seed, fuzzed.inputs, said[-20_000:])
    fuzzed.failures[name] = Failure("hang" if is_hang else "crash", where, 1, str(folder / f"{name}.input"))


# --- what is printed -----------------------------------------------------------------------------

HEAD = (
    f"{'target':<16}{'inputs':>10}{'a second':>10}{'crashes':>9}{'hangs':>7}"
    f"{'slowest':>10}{'coverage':>10}{'corpus':>8}"
)


def line_of(fuzzed: Fuzzed) -> str:
    rate = fuzzed.inputs / fuzzed.seconds if fuzzed.seconds else 0.0
    reached = "" if fuzzed.coverage is None else f"{fuzzed.coverage:>10,}{fuzzed.corpus:>8,}"
    return (
        f"{fuzzed.name:<16}{fuzzed.inputs:>10,}{rate:>10,.0f}{fuzzed.count('crash'):>9,}{fuzzed.count('hang'):>7,}"
        f"{fuzzed.slowest:>9.2f}s{reached}"
    )


def summary(done: Sequence[Fuzzed], seconds: float) -> str:
    """The table over all targets, and each way to fail with the input that shows it."""
    order = list(TARGETS)
    lines = [HEAD, *(line_of(one) for one in sorted(done, key=lambda one: order.index(one.name)))]
    total = Fuzzed(
        "all", sum(one.inputs for one in done), seconds, max((one.slowest for one in done), default=0.0)
    )
    for one in done:
        total.failures.update(one.failures)
    lines.append(line_of(total))
    for failure in total.failures.values():
        lines.append(f"{failure.kind}: {failure.where} ({failure.count:,} inputs)\n  {failure.file}")
    return "\n".join(lines)
