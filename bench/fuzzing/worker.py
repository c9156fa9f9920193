"""The process that runs targets: each input is written down before it is tried, so that none can hide.

`python -m bench.fuzzing.worker TARGET … --inputs N --seed S --folder F`. Input number I of a target depends
on the seed, the target's name and I alone; with `--guided` atheris chooses, from the same seed.
"""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import json
import os
import re
import signal
import sys
import tempfile
import time
import traceback
import zlib
from pathlib import Path
from random import Random
from typing import Any

from bench.fuzzing import guard, pumps
from bench.fuzzing.expressions import known_expressions
from bench.fuzzing.mutate import several
from bench.fuzzing.target import Target, outcome_of
from bench.fuzzing.targets import TARGETS, shares

SECONDS = 10
"""CPU time after which one input counts as a hang."""
AGAIN = 16
"""One input in so many is tried twice: the outcome must be the same."""
KEPT = 3
"""Inputs that are saved of each failure."""


class Trials:
    """Tries inputs on one target and keeps count."""

    def __init__(self, target: Target, folder: Path, seed: str, seconds: int, first: int = 0) -> None:
        self.target, self.folder, self.seed, self.seconds = target, folder, seed, seconds
        self.count = first
        self.tried = 0
        self.slowest = 0.0
        self.failures: dict[str, dict[str, Any]] = {}
        self._current = (folder / f"{target.name}.current").open("wb", buffering=0)
        self._began = time.monotonic()
        self._parent = os.getppid()
        self._told = 0.0

    def one(self, data: bytes) -> None:
        self._current.seek(0)
        self._current.write(data)
        self._current.truncate()
        guard.limit_time(self.seconds)
        began = time.process_time()
        try:
            told = outcome_of(self.target, data)
            if self.count % AGAIN == 0:
                assert repr(outcome_of(self.target, data)) == repr(told), "two runs differ"
        except BaseException as error:  # an exit or an interrupt is as wrong as a crash
            self._failed(data, error)
        took = time.process_time() - began
        if took > self.slowest:
            self.slowest = took
            (self.folder / f"{self.target.name}.slowest").write_bytes(data)
        if took > 2 * self.seconds:
            self._failed(data, TimeoutError(f"took {took:.0f} s of CPU time"))
        self.count += 1
        self.tried += 1
        if time.monotonic() - self._told > 1:
            self.tell()

    def tell(self) -> None:
        """Write down how far it has come, for the parent; without one there is nobody to work for."""
        if os.getppid() != self._parent:
            os._exit(1)
        self._told = time.monotonic()
        told = {
            "tried": self.tried,
            "seconds": self._told - self._began,
            "slowest": self.slowest,
            "failures": self.failures,
        }
        path = self.folder / f"{self.target.name}.stats.json"
        path.with_suffix(".tmp").write_text(json.dumps(told))
        path.with_suffix(".tmp").replace(path)

    def _failed(self, data: bytes, error: BaseException) -> None:
        words = "".join(traceback.format_exception(error, limit=-30))
        where = signature(error)
        name = f"{self.target.name}-{hashlib.sha256(where.encode()).hexdigest()[:10]}"
        known = self.failures.setdefault(
            name, {"where": where, "count": 0, "kind": "hang" if isinstance(error, TimeoutError) else "crash"}
        )
        known["count"] += 1
        if known["count"] <= KEPT:
            save(
                self.folder, f"{name}-{known['count']}", self.target.name, data, self.seed, self.count, words
            )
            self.tell()


def signature(error: BaseException) -> str:
    """What makes two failures the same: the kind, the words without numbers, and the last line of ours."""
    error = error.__cause__ or error
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "pincite" in frame.filename] or list(frames)
    place = f"{Path(ours[-1].filename).name}:{ours[-1].name}" if ours else ""
    words = re.sub(r"0x[0-9a-f]+|[0-9]+|'[^']*'|\"[^\"]*\"", "…", str(error).split("\n")[0])[:80]
    # Reported in ASCII: the words may be those of the input.
    return f"{type(error).__name__} in {place}: {words}".encode("ascii", "backslashreplace").decode()


def save(folder: Path, name: str, target: str, data: bytes, seed: str, number: int, words: str) -> None:
    path = folder / f"{name}.input"
    path.write_bytes(data)
    repeat = f"python -m bench.fuzzing --repeat {target} {path}"
    head = f"target {target}, seed {seed}, input {number}\nrepeat: {repeat}\n\n"
    path.with_suffix(".txt").write_text(head + words, encoding="utf-8", errors="backslashreplace")


def plain(trials: Trials, inputs: int) -> None:
    """Inputs made from the seeds, each by its number."""
    target = trials.target
    corpus = target.seeds()
    for _ in range(inputs):
        random = Random(f"{trials.seed}/{target.name}/{trials.count}")
        data = random.choice(corpus)
        # The seeds themselves come first: they must hold too.
        trials.one(
            corpus[trials.count]
            if trials.count < len(corpus)
            else several(data, target.form, random)[: target.longest]
        )
    trials.tell()


def guided(trials: Trials, inputs: int) -> None:
    """Inputs that atheris chooses by what they reach, changed by its mutators and by ours."""
    import atheris

    target = trials.target
    corpus = trials.folder / f"{target.name}.corpus"
    corpus.mkdir(exist_ok=True)
    with atheris.instrument_imports(include=["pincite"]):
        seeds = target.seeds()
        for data in seeds:
            (corpus / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
            try:  # so that what is imported on the way is watched too
                outcome_of(target, data)
            except Exception:  # it will be tried again, and counted
                continue

    def change(data: bytes, most: int, seed: int) -> bytes:
        random = Random(seed)
        choice = random.random()
        if choice < 0.2:
            return bytes(atheris.Mutate(data, most))
        # What coverage has led to is seldom valid, so that a good part always starts from what is.
        return several(random.choice(seeds) if choice < 0.6 else data, target.form, random)[:most]

    def one(data: bytes) -> None:
        trials.one(data)
        if trials.tried >= inputs:
            trials.tell()
            os._exit(0)

    guard.limit_memory()
    number = zlib.crc32(f"{trials.seed}/{target.name}/{trials.count}".encode()) & 0x7FFFFFFF
    # Signals are left to faulthandler and the parent, time to the limit of the process.
    handlers = ("segv", "bus", "abrt", "ill", "fpe", "int", "term", "xfsz", "usr1", "usr2")
    options = [
        f"-seed={number or 1}",
        f"-max_len={target.longest}",
        "-len_control=0",
        "-mutate_depth=1",
        "-timeout=100000",
        "-rss_limit_mb=0",
        "-report_slow_units=1000000",
        f"-artifact_prefix={trials.folder}/",
        *(f"-handle_{name}=0" for name in handlers),
    ]
    atheris.Setup([sys.argv[0], *options, str(corpus)], one, custom_mutator=change)
    atheris.Fuzz()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.fuzzing.worker", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="all of them without any")
    parser.add_argument("--inputs", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--seconds", type=int, default=SECONDS)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--guided", action="store_true")
    options = parser.parse_args()
    faulthandler.enable()
    if hasattr(signal, "SIGPROF"):
        faulthandler.register(signal.SIGPROF, chain=True)
    folder = options.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    pumps.EXPRESSIONS[:] = known_expressions(folder)
    with tempfile.TemporaryDirectory(prefix="pincite-fuzz-") as box:
        inner = Path(box) / "box"
        inner.mkdir()
        os.environ["FUZZ_BOX"] = str(inner)
        tempfile.tempdir = box
        os.chdir(inner)
        guard.refuse_all_but((Path(box), folder))
        names = options.targets or list(TARGETS)
        if not options.guided:
            guard.limit_memory()
        for name, inputs in shares(options.inputs, names).items():
            trials = Trials(TARGETS[name], folder, options.seed, options.seconds, options.first)
            (guided if options.guided else plain)(trials, inputs)
        os.chdir(folder)


if __name__ == "__main__":
    main()
