"""Fuzz everything that reads what others wrote: `python -m bench.fuzzing`. Exits 1 on any crash or hang."""

from __future__ import annotations

import argparse
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.fuzzing import runner
from bench.fuzzing.targets import TARGETS
from bench.fuzzing.worker import SECONDS

FOLDER = Path("build/fuzz")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.fuzzing", description=__doc__)
    parser.add_argument(
        "--inputs", type=int, default=1_000_000, help="in all, shared out by weight (default: 1000000)"
    )
    parser.add_argument(
        "--seed", default="", help="a seed repeats its inputs, with --plain exactly (default: a new one)"
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="TARGET", choices=list(TARGETS), help="repeatable"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes side by side (default: 2)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first input, with --plain")
    parser.add_argument(
        "--plain", action="store_true", help="do not use coverage, even where atheris is installed"
    )
    parser.add_argument(
        "--seconds", type=int, default=SECONDS, help=f"CPU time that is a hang (default: {SECONDS})"
    )
    parser.add_argument(
        "--folder", type=Path, default=FOLDER, help=f"for inputs that fail (default: {FOLDER})"
    )
    parser.add_argument(
        "--repeat", nargs=2, metavar=("TARGET", "FILE"), help="try one saved input, and show what it does"
    )
    options = parser.parse_args()
    if options.repeat:
        return repeat(*options.repeat)
    seed = options.seed or secrets.token_hex(4)
    print(
        f"seed {seed} (--seed {seed} repeats it); "
        f"{options.inputs:,} inputs over {len(options.only or TARGETS)} targets"
    )
    print(runner.HEAD, flush=True)
    begun = time.monotonic()
    folder = options.folder.absolute()
    done = list(
        runner.fuzz(
            options.inputs,
            seed,
            folder,
            options.only,
            jobs=options.jobs,
            guided=not options.plain,
            seconds=options.seconds,
            first=options.first,
            tell=lambda line: print(line, flush=True),
        )
    )
    took = time.monotonic() - begun
    print(f"\nafter {took:,.0f} s, seed {seed}:\n{runner.summary(done, took)}")
    failed = [one for one in done if one.failures]
    print(f"{len(failed)} targets failed" if failed else "no crash and no hang")
    return 1 if failed else 0


def repeat(name: str, file: str) -> int:
    """Run one input in a process like those of a run, and let it show its traceback."""
    program = (
        "import os, sys, tempfile; from pathlib import Path\n"
        "from bench.fuzzing.targets import TARGETS; from bench.fuzzing.target import outcome_of\n"
        "data = Path(sys.argv[2]).read_bytes(); os.environ['FUZZ_BOX'] = tempfile.mkdtemp()\n"
        "told = str(outcome_of(TARGETS[sys.argv[1]], data))[:2000]\n"
        "print(told.encode('ascii', 'backslashreplace').decode())\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        environment = {**runner.environment(Path(folder)), "TMPDIR": folder}
        done = subprocess.run(
            [sys.executable, "-c", program, name, str(Path(file).resolve())], cwd=runner.ROOT, env=environment
        )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
